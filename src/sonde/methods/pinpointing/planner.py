"""The planner: turns a search into what can be asked and told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import isfinite

from sonde.core.options import Configuration, Phase
from sonde.core.pinpoints import Pinpointed, TermChange
from sonde.core.points import BenchmarkName, Point, Request
from sonde.core.results import Failed, Measurement, Metric, Result, Stage
from sonde.core.revisions import RevisionId
from sonde.methods.pinpointing.search import Heard, Search, Wish, World


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
        self._results: dict[Point, Result] = {}
        self._instead: dict[Point, Point] = {}  # asked for -> the point that answered
        self._wishes: list[Wish] = []
        self._asked: dict[Point, int] = {}  # what the present wishes are waiting for
        self._finished: str | None = None
        self._advance(start=True)

    @property
    def finished(self) -> str | None:
        """Why there is nothing left to ask for."""
        self._advance()
        return self._finished

    def ask(self, at_most: int) -> Sequence[Request]:
        """What the search waits for and nobody was asked for yet."""
        self._advance()
        requests: list[Request] = []
        for wish in self._wishes:
            point = self._line.point(wish.step, wish.configuration)
            if len(requests) < at_most and self._heard(wish) is None and point not in self._asked:
                self._asked[point] = wish.runs
                requests.append(Request(point, wish.runs))
        return requests

    def tell(self, results: Iterable[Result]) -> None:
        """Take note of results; foreign points are ignored."""
        for result in results:
            if not self._is_ours(result.point):
                continue
            if result.instead_of is not None:
                self._instead[result.instead_of] = result.point
            known = self._results.get(result.point)
            if known is None or _samples(result) > _samples(known):
                self._results[result.point] = result

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

    def _is_ours(self, point: Point) -> bool:
        options = self._world.space.option
        chosen = point.configuration.chosen
        return (
            point.benchmark == self._line.benchmark
            and point.revision in self._step_of
            and chosen.keys() == options.keys()
        )

    def _advance(self, start: bool = False) -> None:
        """Let the search go on as long as what it wishes for is known."""
        if start:
            self._proceed(None)
        while self._finished is None:
            heard = [self._heard(wish) for wish in self._wishes]
            answers = [answer for answer in heard if answer is not None]
            if len(answers) < len(heard):
                return
            self._proceed(answers)

    def _proceed(self, answers: Sequence[Heard] | None) -> None:
        self._asked = {}
        try:
            self._wishes = list(next(self._program) if answers is None else self._program.send(answers))
        except StopIteration as end:
            self._wishes, self._finished = [], end.value

    def _heard(self, wish: Wish) -> Heard | None:
        """What came of a wish, or None if nothing did yet."""
        asked = self._line.point(wish.step, wish.configuration)
        point = self._instead.get(asked, asked)
        result = self._results.get(point)
        if result is None:
            return None
        step = self._step_of[point.revision]
        if isinstance(result.outcome, Failed):
            is_whole = result.outcome.stage is Stage.BUILD and not self._is_built_differently
            return Heard(step, point.configuration, (), is_whole_revision=is_whole)
        if _samples(result) < wish.runs and result.outcome.is_repeatable:
            return None
        values = _values(result.outcome, self._line.metric)
        if not all(isfinite(value) and value > 0 for value in values):
            return Heard(step, point.configuration, ())
        return Heard(step, point.configuration, values[: wish.runs], result.outcome.is_repeatable)


def _values(measurement: Measurement, metric: Metric) -> tuple[float, ...]:
    return tuple(sample.values[metric] for sample in measurement.samples if metric in sample.values)


def _samples(result: Result) -> int:
    return 0 if isinstance(result.outcome, Failed) else len(result.outcome.samples)
