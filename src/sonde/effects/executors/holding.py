"""Holds both runs of a pair on one processor.

In a virtual machine each processor has neighbours of its own, which slow what shares their core by a third
or more. Two runs on one processor, right after each other, meet the same neighbours; on two they may not.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random

from sonde.core.findings.comparisons import Pair
from sonde.core.results import Metric, Sample

TIMES = frozenset({Metric.CPU, Metric.WALL, Metric.PRINTED})
AT_ONCE = 1.05  # processors that a run used on average, above which it is parallel


def draw_processor(metric: Metric, pairs: Sequence[Pair], rng: Random) -> int | None:
    """The processor for the next pair of a comparison, or None: any of them.

    What works in parallel must not be held. The first pair, which is never held, shows whether it does.
    """
    if metric not in TIMES or not pairs or is_parallel(pairs[0].base) or is_parallel(pairs[0].head):
        return None
    return rng.choice(sorted(os.sched_getaffinity(0)))


@contextmanager
def held_on(processor: int | None) -> Iterator[bool]:
    """Whatever this thread starts stays on the processor; False if it does not, for it was taken away."""
    allowed = os.sched_getaffinity(0)
    is_held = False
    if processor is not None:
        with suppress(OSError):
            os.sched_setaffinity(0, {processor})
            is_held = True
    try:
        yield is_held
    finally:
        if is_held:
            with suppress(OSError):
                os.sched_setaffinity(0, allowed)


def is_parallel(sample: Sample) -> bool:
    """Whether it used more than one processor at once, as far as it tells."""
    values = sample.values
    cpu, wall = values.get(Metric.CPU), values.get(Metric.WALL)
    return cpu is None or wall is None or cpu > AT_ONCE * wall
