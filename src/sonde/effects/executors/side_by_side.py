"""Runs base and head at the same time on one processor, which then does a few milliseconds of each in turn.

Whatever slows the processor, a neighbour on its core or its own clock, slows both runs alike, down to those
few milliseconds; right after each other they meet it alike only if it lasts longer than a run. On a noisy
machine, CPU times of such pairs scatter a quarter as much, or less (docs/decisions/side-by-side.md).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Event
from typing import TypeVar

from sonde.core.findings.comparisons import Pair
from sonde.core.results import Metric
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.holding import is_parallel
from sonde.effects.sandbox.conversation import Meet

T = TypeVar("T")

SHORTEST_SECONDS = 0.01  # of CPU: below, there are too few turns to share what happens
MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container, as it sees it
MOST_OF_TIMEOUT = 0.5  # that both runs together may take, for each waits for the other
MOST_OF_MEMORY = 0.5


def may_be_side_by_side(base: Blueprint, head: Blueprint, trial: Pair) -> bool:
    """Whether two runs can share a processor and are measured well so, by a pair that was taken in turn.

    Only CPU times: one that shares its processor takes longer by the clock. What both may write to, a server,
    and what works in parallel are run alone, and so is what is very short, or might take all the time or
    memory there is.
    """
    runs = (trial.base, trial.head)
    seconds = sum(run.values.get(Metric.WALL, 0.0) for run in runs)
    return (
        base.run.metric is Metric.CPU
        and all(_is_sociable(each) for each in (base, head))
        and not any(is_parallel(run) for run in runs)
        and min(run.values.get(Metric.CPU, 0.0) for run in runs) >= SHORTEST_SECONDS
        and seconds <= MOST_OF_TIMEOUT * min(base.run.timeout_seconds, head.run.timeout_seconds)
        and sum(run.values.get(Metric.MEMORY, 0.0) for run in runs) <= MOST_OF_MEMORY * _memory_bytes()
    )


def _is_sociable(blueprint: Blueprint) -> bool:
    return blueprint.workplace.is_isolated and blueprint.equipment.is_sociable and not blueprint.run.server


def run_side_by_side(first: Callable[[Meet], T], second: Callable[[Meet], T]) -> tuple[T, T]:
    """What came of both. Each waits for the other in what it is given, and the first one goes on first.

    Nobody waits for one that has ended.
    """
    barrier, first_has_gone = Barrier(2), Event()

    @contextmanager
    def meet_as_first() -> Iterator[None]:
        with suppress(BrokenBarrierError):
            barrier.wait()
        yield
        first_has_gone.set()

    @contextmanager
    def meet_as_second() -> Iterator[None]:
        with suppress(BrokenBarrierError):
            barrier.wait()
        first_has_gone.wait()
        yield

    def run_first() -> T:
        try:
            return first(meet_as_first)
        finally:
            barrier.abort()
            first_has_gone.set()

    def run_second() -> T:
        try:
            return second(meet_as_second)
        finally:
            barrier.abort()

    with ThreadPoolExecutor(2, thread_name_prefix="side") as pool:  # whose threads are held as this one is
        try:
            both = pool.submit(run_first), pool.submit(run_second)
        except BaseException:  # the second thread could not be begun
            barrier.abort()
            raise
    return both[0].result(), both[1].result()


def _memory_bytes() -> float:
    """What this machine has, or this container may use."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    try:
        return min(machine, int(MEMORY_LIMIT.read_text()))
    except (OSError, ValueError):  # there is none, or it says "max"
        return machine
