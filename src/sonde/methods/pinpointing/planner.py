"""The planner: turns a search into what can be asked and told."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from statistics import fmean, median

from sonde.core.options import Configuration, Phase, Term
from sonde.core.pinpoints import (
    NO_INFLUENCES,
    Influences,
    Pinpointed,
    Prediction,
    PredictionWish,
    TermChange,
)
from sonde.core.points import BenchmarkName, Point, Request
from sonde.core.results import Failed, Measurement, Metric, Result, Stage
from sonde.core.revisions import RevisionId
from sonde.methods.pinpointing.influences.fitting import fit_influences
from sonde.methods.pinpointing.influences.observations import Observation
from sonde.methods.pinpointing.influences.over_history import over_history, with_literals
from sonde.methods.pinpointing.search import Heard, Search, Wish, World
from sonde.methods.pinpointing.wish_list import WishList


@dataclass(frozen=True)
class Line:
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


class PinpointPlanner:
    """Asks for what a search wishes for.

    The search hears only what it wished for, in the order in which it wished. So its course depends on the
    values alone: not on the order of results, nor on what else was known, and a resumed campaign takes the
    same course again.

    planner = PinpointPlanner(line, world, SharedSteps())
    while planner.finished is None:
        planner.tell(execute(planner.ask(16)))
    for change in planner.findings(): ...
    """

    def __init__(self, line: Line, world: World, search: Search) -> None:
        self._line = line
        self._world = world
        self._search = search
        self._program = search.run(world)
        self._is_built_differently = any(option.phase is Phase.BUILD for option in world.space.options)
        self._step_of = {revision: step for step, revision in enumerate(line.revisions)}
        self._results: dict[Point, Result] = {}  # of each point, the one with the most samples
        self._given_up: set[Point] = set()  # of which a run failed, so that no more samples will come
        self._instead: dict[Point, Point] = {}  # asked for -> the point that answered
        self._stood_in: dict[Point, dict[Point, None]] = {}  # and the other way round
        self._list = WishList((), (), self._heard)
        self._finished: str | None = None
        self._proceed(None)
        self._advance()

    @property
    def finished(self) -> str | None:
        """Why there is nothing left to ask for."""
        self._advance()
        return self._finished

    def ask(self, at_most: int) -> Sequence[Request]:
        """What the search waits for and nobody was asked for yet."""
        self._advance()
        return self._list.ask(at_most)

    def tell(self, results: Iterable[Result]) -> None:
        """Take note of results; foreign points are ignored."""
        for result in results:
            if not self._is_ours(result.point):
                continue
            if result.instead_of is not None:
                self._instead[result.instead_of] = result.point
                self._stood_in.setdefault(result.point, {})[result.instead_of] = None
            if isinstance(result.outcome, Failed):
                self._given_up.add(result.point)
            known = self._results.get(result.point)
            if known is None or _samples(result) > _samples(known):
                self._results[result.point] = result
            self._list.touch([result.point, *self._stood_in.get(result.point, ())])

    def findings(self) -> tuple[TermChange, ...]:
        """What the search found so far, with positions in the history."""
        at = self._line.positions
        return tuple(
            replace(one, position=at[one.position], earliest=at[one.earliest], latest=at[one.latest])
            for one in self._search.findings()
        )

    def pinpointed(self) -> Pinpointed:
        """The findings, and what they rest on."""
        measured = [point for point, result in self._results.items() if _samples(result)]
        return Pinpointed(
            self._line.benchmark,
            self._line.metric,
            self.findings(),
            self._search.noise(),
            points=len(measured),
            configurations=len({point.configuration for point in measured}),
            failed=len(self._results) - len(measured),
            ending=self.finished or "",
        )

    def observations(self) -> tuple[Observation, ...]:
        """What was measured of each point, whatever the order in which it came."""
        found = []
        for point, result in self._results.items():
            if isinstance(result.outcome, Failed):
                continue
            values = _values(result.outcome, self._line.metric)
            if values and _are_usable(values):
                runs = len(values) if result.outcome.is_repeatable else 1
                step = self._step_of[point.revision]
                found.append(Observation(step, point.configuration, fmean(values), runs))
        return tuple(sorted(found, key=lambda one: (one.step, one.configuration.key)))

    def influences(self, wishes: Iterable[PredictionWish] = ()) -> Influences:
        """A performance-influence model of all that was measured; fitting it may take seconds.

        The configurations of `wishes` are predicted by it, at positions that the line reaches.
        """
        observations = self.observations()
        if not observations:
            return NO_INFLUENCES
        space, life = self._world.space, self._world.life

        def life_of(term: Term) -> tuple[int, int]:
            return life(with_literals(space.every_default, term))

        model = fit_influences(space, observations, self._search.findings(), self._search.noise())
        steps = ((wish, self._line.step_at(wish.position)) for wish in wishes)
        return Influences(
            over_history(model, self._line.positions, life_of),
            model.relative_error,
            len(observations),
            median(one.value for one in observations),
            tuple(
                Prediction(wish, model.predict(wish.configuration, step))
                for wish, step in steps
                if step is not None
            ),
        )

    def _is_ours(self, point: Point) -> bool:
        options = self._world.space.option
        chosen = point.configuration.chosen
        return (
            point.benchmark == self._line.benchmark
            and point.revision in self._step_of
            and chosen.keys() == options.keys()
        )

    def _advance(self) -> None:
        """Let the search go on as long as what it wishes for is known."""
        while self._finished is None:
            answers = self._list.answers()
            if answers is None:
                return
            self._proceed(answers)

    def _proceed(self, answers: Sequence[Heard] | None) -> None:
        try:
            wishes = list(next(self._program) if answers is None else self._program.send(answers))
        except StopIteration as end:
            wishes, self._finished = [], end.value
        points = [self._line.point(wish.step, wish.configuration) for wish in wishes]
        self._list = WishList(wishes, points, self._heard)

    def _heard(self, wish: Wish, asked: Point) -> Heard | None:
        """What came of a wish, or None if nothing did yet."""
        point = self._instead.get(asked, asked)
        result = self._results.get(point)
        if result is None:
            return None
        step = self._step_of[point.revision]
        if isinstance(result.outcome, Failed):
            is_whole = result.outcome.stage is Stage.BUILD and not self._is_built_differently
            return Heard(step, point.configuration, (), is_whole_revision=is_whole)
        may_get_more = result.outcome.is_repeatable and point not in self._given_up
        if _samples(result) < wish.runs and may_get_more:
            return None
        values = _values(result.outcome, self._line.metric)
        if not _are_usable(values):
            return Heard(step, point.configuration, ())
        return Heard(step, point.configuration, values[: wish.runs], result.outcome.is_repeatable)


def _values(measurement: Measurement, metric: Metric) -> tuple[float, ...]:
    return tuple(sample.values[metric] for sample in measurement.samples if metric in sample.values)


def _are_usable(values: Sequence[float]) -> bool:
    return all(isfinite(value) and value > 0 for value in values)


def _samples(result: Result) -> int:
    return 0 if isinstance(result.outcome, Failed) else len(result.outcome.samples)
