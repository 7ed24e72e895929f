"""From what was measured along a line to influences over its history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from sonde.core.findings.pinpoints import NO_INFLUENCES, Influences, Prediction, PredictionRequest
from sonde.core.options import Term
from sonde.core.points import Point
from sonde.core.results import Failed, Result
from sonde.methods.pinpointing.influences.fitting import fit_influences
from sonde.methods.pinpointing.influences.observations import MeanObservation
from sonde.methods.pinpointing.influences.over_history import over_history, with_literals
from sonde.methods.pinpointing.line import BenchmarkSteps
from sonde.methods.pinpointing.search import Search, SearchProblem
from sonde.methods.pinpointing.usable import usable_values


@dataclass(frozen=True)
class Measured:
    """A line, its world, what a search made of it, and what was measured."""

    line: BenchmarkSteps
    world: SearchProblem
    search: Search
    results: Mapping[Point, Result]

    def observations(self) -> tuple[MeanObservation, ...]:
        """The values of each point, whatever the order in which they came."""
        step_of = {revision: step for step, revision in enumerate(self.line.revisions)}
        found = []
        for point, result in self.results.items():
            values = usable_values(result, self.line.metric)
            if values and not isinstance(result.outcome, Failed):
                runs = len(values) if result.outcome.is_repeatable else 1
                found.append(
                    MeanObservation(step_of[point.revision], point.configuration, fmean(values), runs)
                )
        return tuple(sorted(found, key=lambda one: (one.step, one.configuration.key)))


def influences_of(measured: Measured, demands: Iterable[PredictionRequest]) -> Influences:
    """A performance-influence model of all that was measured; fitting it may take seconds.

    The configurations of `demands` are predicted by it, at positions that the line reaches.
    """
    observations: Sequence[MeanObservation] = measured.observations()
    if not observations:
        return NO_INFLUENCES
    space, life, line = measured.world.space, measured.world.life, measured.line

    def life_of(term: Term) -> tuple[int, int]:
        return life(with_literals(space.every_default, term))

    search = measured.search
    model = fit_influences(space, observations, search.findings(), search.noise())
    steps = ((demand, line.step_at(demand.position)) for demand in demands)
    return Influences(
        over_history(model, line.positions, life_of),
        model.relative_error,
        len(observations),
        median(one.value for one in observations),
        tuple(
            Prediction(demand, model.predict(demand.configuration, step))
            for demand, step in steps
            if step is not None
        ),
    )
