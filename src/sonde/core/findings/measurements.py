"""Findings: what a command answers. Each carries its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median

from sonde.core.findings.plans import Effort
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.repeats import Repeats
from sonde.core.results import Cost, Failed, Measurement, Metric, Result
from sonde.core.revisions import History


@dataclass(frozen=True)
class Survey:
    """What is known of a set of points, each with its samples, its twin or its failure."""

    history: History
    configurations: tuple[Configuration, ...]
    default: Configuration
    metrics: Mapping[BenchmarkName, Metric]  # of each benchmark, in the order of the project file
    runs: Mapping[BenchmarkName, int]  # how many samples a point should have
    results: Mapping[Point, Result]
    elsewhere: int = 0  # unknown points that were measured with another recipe, toolchain or machine
    environment: str = ""  # the machine and its compilers, in words
    programs: Mapping[BenchmarkName, str] = field(default_factory=dict)  # that commands name, with versions

    def points(self) -> Iterator[Point]:
        """Every point of the survey, known or not, benchmark by benchmark in the order of history."""
        for benchmark in self.metrics:
            for revision in self.history:
                for configuration in self.configurations:
                    yield Point(revision.id, configuration, benchmark)

    def is_complete(self, point: Point) -> bool:
        """Whether a point has all the samples that it should have."""
        outcome, runs = self.results[point].outcome, self.runs[point.benchmark]
        if isinstance(outcome, Failed) or len(outcome.samples) >= runs:
            return True
        return len(outcome.samples) > 0 and self._repeats[point.benchmark].are_spared(runs)

    @cached_property
    def _repeats(self) -> Mapping[BenchmarkName, Repeats]:
        found = {benchmark: Repeats() for benchmark in self.metrics}
        for point, result in self.results.items():
            found[point.benchmark].hear(point, result.outcome)
        return found

    def samples(self, point: Point) -> tuple[float, ...]:
        """The values of a point's metric, run by run; empty where there are none."""
        result = self.results.get(point)
        if result is None or isinstance(result.outcome, Failed):
            return ()
        metric = self.metrics[point.benchmark]
        return tuple(sample.values[metric] for sample in result.outcome.samples if metric in sample.values)

    def value(self, point: Point) -> float | None:
        """The median of a point's metric, or None where there is none."""
        values = self.samples(point)
        return median(values) if values else None


@dataclass(frozen=True)
class Surveyed:
    """A survey for which something was measured: why it ended, and what it cost."""

    survey: Survey
    ending: str
    spent: Cost

    @property
    def has_answer(self) -> bool:
        """Whether any point of it has a value."""
        return any(isinstance(result.outcome, Measurement) for result in self.survey.results.values())


@dataclass(frozen=True)
class Plan:
    """What measuring would take at the most; twins by outputs will make it less."""

    points: int
    known: int
    impossible: int  # the revision does not have an option that the configuration chooses
    effort: Effort
    budget: str  # in words

    @property
    def builds(self) -> int:
        """How many are to be made."""
        return self.effort.builds

    @property
    def runs(self) -> int:
        """How many are to be made."""
        return self.effort.runs
