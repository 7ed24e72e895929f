"""Recorded data in the place of a machine."""

from __future__ import annotations

import random
from collections.abc import Generator, Mapping, Sequence
from math import exp

from sonde.core.points import Point, Request
from sonde.core.records import Observation
from sonde.core.results import Cost, Failed, Measurement, Metric, Result, Sample, Stage


class ReplayExecutor:
    """Answers with recorded values.

    A recording holds one value a point. A repeated run returns it again, marked as not repeatable,
    except where the relative deviation of its repetitions is known: then it is drawn, and the same seed
    gives the same draw whatever the order of requests.
    """

    def __init__(
        self,
        values: Mapping[Point, float],
        metric: Metric,
        relative_deviations: Mapping[Point, float] | None = None,
        seed: int = 0,
    ) -> None:
        self._values = values
        self._metric = metric
        self._deviations = relative_deviations or {}
        self._seed = seed
        self._taken: dict[Point, list[Sample]] = {}

    def execute(self, requests: Sequence[Request]) -> Generator[Observation, None, None]:
        """A sample at a time, point by point."""
        for request in requests:
            if request.point not in self._values:
                failed = Failed(Stage.RUN, "This point is not in the recording.")
                yield Observation((), Cost(runs=1), Result(request.point, failed, Cost(runs=1)))
                continue
            taken = self._taken.setdefault(request.point, [])
            if len(taken) >= request.runs:
                yield self._observe(request.point, taken, Cost())
            while len(taken) < request.runs:
                taken.append(self._sample(request.point, len(taken)))
                yield self._observe(request.point, taken, Cost(runs=1))

    def _observe(self, point: Point, taken: Sequence[Sample], cost: Cost) -> Observation:
        measurement = Measurement(tuple(taken), is_repeatable=point in self._deviations)
        return Observation((), cost, Result(point, measurement, cost))

    def _sample(self, point: Point, number: int) -> Sample:
        value = self._values[point]
        if point in self._deviations:
            rng = random.Random(f"{self._seed} {point} {number}")
            value *= exp(rng.gauss(0.0, self._deviations[point]))
        return Sample(number, ((self._metric, value),), taken_at=0.0)
