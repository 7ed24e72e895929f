"""Runs base and head at the same time on one processor, which then does a few milliseconds of each in turn.

Whatever slows the processor, a neighbour on its core or its own clock, slows both runs alike, down to those
few milliseconds; right after each other they meet it alike only if it lasts longer than a run. CPU times of
such pairs scatter a fifth as much, or less (docs/decisions/side-by-side.md).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from typing import TypeVar

from sonde.core.comparisons import Pair
from sonde.core.results import Metric
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.holding import is_parallel

T = TypeVar("T")
Meet = Callable[[], None]  # returns when the other one is there as well

MOST_OF_TIMEOUT = 0.5  # that both runs together may take, for each waits for the other
MOST_OF_MEMORY = 0.5


def may_be_side_by_side(base: Blueprint, head: Blueprint, trial: Pair) -> bool:
    """Whether two runs can share a processor and are measured well so, by a pair that was taken in turn.

    Only CPU times: one that shares its processor takes longer by the clock. What both may write to, a server,
    and what works in parallel are run alone, and so is what might take all the time or memory there is.
    """
    runs = (trial.base, trial.head)
    seconds = sum(run.values.get(Metric.WALL, 0.0) for run in runs)
    return (
        base.run.metric is Metric.CPU
        and all(_is_sociable(each) for each in (base, head))
        and not any(is_parallel(run) for run in runs)
        and seconds <= MOST_OF_TIMEOUT * min(base.run.timeout_seconds, head.run.timeout_seconds)
        and sum(run.values.get(Metric.MEMORY, 0.0) for run in runs) <= MOST_OF_MEMORY * _memory_bytes()
    )


def _is_sociable(blueprint: Blueprint) -> bool:
    return blueprint.workplace.is_isolated and blueprint.equipment.is_sociable and not blueprint.run.server


def run_side_by_side(first: Callable[[Meet], T], second: Callable[[Meet], T]) -> tuple[T, T]:
    """What came of both. Each calls what it is given to wait for the other; who ends waits no more."""
    barrier = Barrier(2)

    def meet() -> None:
        with suppress(BrokenBarrierError):  # the other one has ended before it came so far
            barrier.wait()

    def run(one: Callable[[Meet], T]) -> T:
        try:
            return one(meet)
        finally:
            barrier.abort()

    with ThreadPoolExecutor(2, thread_name_prefix="side") as pool:  # whose threads are held as this one is
        both = pool.submit(run, first), pool.submit(run, second)
    return both[0].result(), both[1].result()


def _memory_bytes() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
