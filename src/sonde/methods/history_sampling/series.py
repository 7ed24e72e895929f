"""A series as the planner gets it: where it exists, and what is proven equal before anything is measured."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.results import Metric
from sonde.core.revisions import RevisionId


@dataclass(frozen=True)
class Series:
    """One configuration and benchmark, over the revisions that have both."""

    configuration: Configuration
    benchmark: BenchmarkName
    metric: Metric
    revisions: tuple[RevisionId, ...]  # in order
    positions: tuple[int, ...]  # of these in the history, increasing
    kinds: tuple[Hashable, ...]  # one a revision; equal ones are proven equal
    runs: int = 1  # samples that a point gets at first
    most_runs: int = 1  # and at the most, where a decision hangs on them
    noise_floor: float = 0.01  # relative deviation that is always reckoned with
    # Relative noise of a metric that is counted, which repeats may raise; None: the series says, too.
    counted_noise: float | None = None
    magnitude: float = 0.05  # relative size from which on a change matters
    builds: tuple[Hashable, ...] = ()  # one a revision, if known; what needs an equal build fails with it

    def point(self, at: int) -> Point:
        """The point of its revision number `at`, counted from 0."""
        return Point(self.revisions[at], self.configuration, self.benchmark)


def firsts_of(kinds: Sequence[Hashable]) -> tuple[int, ...]:
    """The first revision of each step: successive revisions that are proven equal are one."""
    if not kinds:
        return ()
    return (0, *(at for at, (before, kind) in enumerate(pairwise(kinds), 1) if before != kind))
