"""Runs that are drawn by a function: what simulated subjects and oracles have in common."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from random import Random

from sonde.core.points import Point, Request
from sonde.core.records import Observation
from sonde.core.results import FREE, Cost, Failed, Measurement, Metric, Result, Sample, Stage

Draw = Callable[[Point, Random], float | Failed]  # one run: its value, or why there is none


class DrawnExecutor:
    """Answers each run with what a function makes of the point and of a random generator.

    The generator is seeded by the seed, the point and the number of the run: repeats differ, and the order of
    requests does not matter. A point of which a run fails has failed.
    """

    def __init__(self, draw: Draw, metric: Metric, seed: int = 0) -> None:
        self._draw = draw
        self._metric = metric
        self._seed = seed
        self._taken: dict[Point, list[Sample]] = {}
        self._failed: dict[Point, Failed] = {}

    def execute(self, requests: Sequence[Request]) -> Generator[Observation, None, None]:
        """A sample at a time, point by point."""
        for request in requests:
            point = request.point
            taken = self._taken.setdefault(point, [])
            if point in self._failed or len(taken) >= request.runs:
                yield self._observe(point, FREE)
            while point not in self._failed and len(taken) < request.runs:
                yield self._observe(point, self._run(point, taken))

    def _run(self, point: Point, taken: list[Sample]) -> Cost:
        """Take one more sample, or note that the point fails; what it cost."""
        names = point.revision, point.configuration.key, point.benchmark
        drawn = self._draw(point, Random(f"{self._seed} {names} {len(taken)}"))
        if not isinstance(drawn, Failed):
            taken.append(Sample(len(taken), ((self._metric, drawn),), taken_at=0.0))
            return Cost(runs=1)
        self._failed[point] = drawn
        return Cost(builds=1) if drawn.stage is Stage.BUILD else Cost(runs=1)

    def _observe(self, point: Point, cost: Cost) -> Observation:
        outcome = self._failed.get(point) or Measurement(tuple(self._taken[point]))
        return Observation((), cost, Result(point, outcome, cost))
