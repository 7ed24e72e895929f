"""The revisions of one benchmark, as a search sees them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.results import Metric
from sonde.core.revisions import RevisionId


@dataclass(frozen=True)
class BenchmarkSteps:
    """The revisions at which something can change, for one benchmark."""

    benchmark: BenchmarkName
    metric: Metric
    revisions: tuple[RevisionId, ...]  # one a step, in order
    positions: tuple[int, ...]  # of these in the history

    def point(self, step: int, configuration: Configuration) -> Point:
        """A point of it."""
        return Point(self.revisions[step], configuration, self.benchmark)

    def step_at(self, position: int) -> int | None:
        """The step that a position of the history belongs to; None before the first one."""
        step = bisect_right(self.positions, position) - 1
        return step if step >= 0 else None
