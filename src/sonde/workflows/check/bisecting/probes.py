"""What is asked of a revision in a search: how many instructions it takes, or whether it runs at all."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from math import e, inf

from sonde.core.points import Point, Request
from sonde.core.results import FREE, Cost, Failed, Measurement, Metric, Sample, Stage
from sonde.effects.executors.local import LocalExecutor
from sonde.methods.comparison.bisecting import RangeEnd
from sonde.workflows.check.failures import believed_failures
from sonde.workflows.project_tools import ProjectTools

SCATTERS = "its instruction counts vary too much"

LEVELS: Mapping[RangeEnd, float] = {
    RangeEnd.OLD: 1.0,
    RangeEnd.NEW: e,
}  # a planner of histories reckons with values


def level_of(side: RangeEnd, metric: Metric) -> Measurement:
    """What a planner of histories is told of a revision that is like this end."""
    return Measurement((Sample.of(0, {metric: LEVELS[side]}, taken_at=0.0),), is_repeatable=False)


@dataclass
class Measurer:
    """Measures points one by one, and keeps what comes of it."""

    tools: ProjectTools
    executor: LocalExecutor
    cost: Cost = FREE

    def measure(self, request: Request) -> Measurement | Failed:
        """What is known of a point once it has so many samples."""
        outcome: Measurement | Failed = Failed(Stage.RUN, "it was not measured", is_lasting=False)
        with closing(self.executor.execute([request])) as observations:
            for observation in observations:
                self.tools.store.append(*observation.records)
                self.cost += observation.cost
                if observation.result is not None:
                    outcome = observation.result.outcome
        return outcome

    def believed(self, point: Point, failed: Failed) -> Failed:
        """A failure, after it was run again if that was seen once; not lasting if some runs succeed."""
        draft = self.tools.drafter.draft(point)
        if isinstance(draft, Failed):
            return draft
        found, cost = believed_failures(self.tools, self.executor, [draft])
        self.cost += cost
        return found.get(point, failed)


@dataclass
class CountingProbe:
    """Counts instructions."""

    measurer: Measurer
    runs: int
    largest_spread: float = inf  # a share; counts that differ more say nothing

    def __call__(self, request: Request) -> Measurement | Failed:
        """What a revision takes."""
        outcome = self.measurer.measure(Request(request.point, self.runs))
        if isinstance(outcome, Measurement) and spread(outcome) > self.largest_spread:
            return Failed(Stage.RUN, SCATTERS, is_lasting=False)
        return outcome


def instructions_of(measurement: Measurement) -> list[float]:
    """The count of each run."""
    return [sample.values[Metric.INSTRUCTIONS] for sample in measurement.samples]


def spread(measurement: Measurement) -> float:
    """How far the counts of a point lie apart, as a share."""
    counts = instructions_of(measurement)
    return max(counts) / min(counts) - 1.0 if min(counts) > 0 else 0.0


@dataclass
class RunningProbe:
    """Sees whether revisions that build also run: those are like the old end, the others like the new one."""

    measurer: Measurer
    metric: Metric
    reasons: dict[Point, str] = field(default_factory=dict)  # why it fails

    def __call__(self, request: Request) -> Measurement | Failed:
        """The level of a revision: that of one of the ends."""
        outcome = self.measurer.measure(request)
        if isinstance(outcome, Measurement):
            return level_of(RangeEnd.OLD, self.metric)
        outcome = self.measurer.believed(request.point, outcome)
        if outcome.stage is not Stage.RUN or not outcome.is_lasting:
            return outcome
        self.reasons[request.point] = outcome.reason
        return level_of(RangeEnd.NEW, self.metric)
