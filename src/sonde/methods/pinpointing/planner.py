"""The planner: turns a search into what can be asked and told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sonde.core.findings.pinpoints import Influences, Pinpointed, PredictionRequest, Stop, TermChange
from sonde.core.options import Phase
from sonde.core.points import Point, Request
from sonde.core.results import Failed, Result, Stage
from sonde.methods.pinpointing.influences.of_line import Measured, influences_of
from sonde.methods.pinpointing.line import BenchmarkSteps
from sonde.methods.pinpointing.request_list import RequestList
from sonde.methods.pinpointing.search import DemandResult, SampleDemand, Search, SearchProblem
from sonde.methods.pinpointing.usable import usable_values, why_unusable

__all__ = ["BenchmarkSteps", "PinpointPlanner"]


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

    def __init__(self, line: BenchmarkSteps, world: SearchProblem, search: Search) -> None:
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
        self._list = RequestList((), (), self._heard)
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
            replace(
                one,
                position=at[one.position],
                earliest=at[one.earliest],
                latest=at[one.latest],
                before=at[one.before + 1] - 1,  # the last revision of that step: it is proven equal
                after=at[one.after],
            )
            for one in self._search.findings()
        )

    def pinpointed(self) -> Pinpointed:
        """The findings, and what they rest on."""
        metric = self._line.metric
        measured = [point for point, result in self._results.items() if usable_values(result, metric)]
        return Pinpointed(
            self._line.benchmark,
            metric,
            self.findings(),
            self._search.noise(),
            points=len(measured),
            configurations=len({point.configuration for point in measured}),
            failed=len(self._results) - len(measured),
            ending=self.finished or "",
            stop=Stop.STUCK if self.finished is None else Stop.FINISHED,
        )

    def unusable(self) -> tuple[Result, ...]:
        """Points that were measured, but whose values cannot be compared, as failures that say why."""
        return tuple(
            replace(result, outcome=why)
            for result in self._results.values()
            if not isinstance(result.outcome, Failed) and (why := why_unusable(result, self._line.metric))
        )

    def influences(self, demands: Iterable[PredictionRequest] = ()) -> Influences:
        """A performance-influence model of all that was measured; fitting it may take seconds.

        The configurations of `demands` are predicted by it, at positions that the line reaches.
        """
        return influences_of(Measured(self._line, self._world, self._search, self._results), demands)

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

    def _proceed(self, answers: Sequence[DemandResult] | None) -> None:
        try:
            demands = list(next(self._program) if answers is None else self._program.send(answers))
        except StopIteration as end:
            demands, self._finished = [], end.value
        points = [self._line.point(demand.step, demand.configuration) for demand in demands]
        self._list = RequestList(demands, points, self._heard)

    def _heard(self, demand: SampleDemand, asked: Point) -> DemandResult | None:
        """What came of a demand, or None if nothing did yet."""
        point = self._instead.get(asked, asked)
        result = self._results.get(point)
        if result is None:
            return None
        step = self._step_of[point.revision]
        if isinstance(result.outcome, Failed):
            is_whole = result.outcome.stage is Stage.BUILD and not self._is_built_differently
            return DemandResult(step, point.configuration, (), is_whole_revision=is_whole)
        may_get_more = result.outcome.is_repeatable and point not in self._given_up
        if _samples(result) < demand.runs and may_get_more:
            return None
        values = usable_values(result, self._line.metric)
        return DemandResult(step, point.configuration, values[: demand.runs], result.outcome.is_repeatable)


def _samples(result: Result) -> int:
    return 0 if isinstance(result.outcome, Failed) else len(result.outcome.samples)
