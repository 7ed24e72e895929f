"""Points: what can be measured, and what a planner asks for."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.core.options import Configuration
from sonde.core.revisions import RevisionId

BenchmarkName = str


@dataclass(frozen=True)
class Point:
    """One benchmark of one revision in one configuration."""

    revision: RevisionId
    configuration: Configuration
    benchmark: BenchmarkName


@dataclass(frozen=True)
class Request:
    """A planner's request: that `point` has at least `runs` samples in all."""

    point: Point
    runs: int
