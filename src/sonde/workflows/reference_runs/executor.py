"""Measures times beside a reference, so that what slows the machine slows both and cancels.

Each run of a point has a run of the reference beside it, as base and head of `sonde check` have: side by
side on one processor or right after each other, in a set-up that both share. Both are stored. The value of a
run is its time by that of the reference, in seconds of the reference
(docs/decisions/a-reference-beside-times.md).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing

from sonde.core.points import BenchmarkName, Request
from sonde.core.records import BuildKey, Built, Observation, PointRecord
from sonde.core.results import FREE, Cost, Failed, Result
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.building import BuildResults
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.executors.pair_orders import (
    PairedPoints,
    PairOrder,
    Unpaired,
    forget_unpaired,
)
from sonde.effects.executors.pairing import run_pairs
from sonde.methods.comparison.disturbances import due
from sonde.workflows.blueprints import known_builds
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.reference_runs.paired_knowledge import PairedKnowledge, series_of
from sonde.workflows.reference_runs.references import SeriesReferences

Observations = Generator[Observation, None, None]


class BesideReference:
    """An executor that measures times beside a reference, and hands everything else on."""

    def __init__(
        self,
        tools: ProjectTools,
        executor: LocalExecutor,
        references: SeriesReferences,
        *,
        retries: bool = False,
    ) -> None:
        """`retries`: what failed beside the reference before is tried again, once."""
        self._workshop = tools
        self._retries = retries
        self._executor = executor
        self._references = references
        self._retried = set[PairedPoints]()
        self._knowledge = PairedKnowledge(tools, references)

    def execute(self, requests: Sequence[Request]) -> Observations:
        """Every new pair or failure as soon as it is there; the last of a point holds all of its pairs."""
        timed = [each for each in requests if self._references.is_timed(each.point.benchmark)]
        for series in dict.fromkeys(series_of(each.point) for each in timed):
            yield from self._references.choose(series, self._executor)
        beside = [each for each in timed if self._references.known(series_of(each.point))]
        if alone := [each for each in requests if each not in beside]:
            yield from self._executor.execute(alone)
        if beside:
            yield from self._execute_beside(beside)

    def known(self, blueprints: Iterable[Blueprint], runs: Mapping[BenchmarkName, int]) -> list[Result]:
        """What the store knows of points; of those that are timed, by pairs with the reference only.

        `runs` says how many samples a point should have: disturbed pairs count if there are too few others.
        """
        drawn = list(blueprints)
        if self._retries:
            timed = [each for each in drawn if self._references.is_timed(each.point.benchmark)]
            self._forget_failures(timed, known_builds(self._workshop, timed))
        return self._knowledge.known(drawn, runs)

    def _orders(
        self, runs: Mapping[Blueprint, int], built: Mapping[BuildKey, Built]
    ) -> tuple[list[PairOrder], Mapping[BuildKey, Built]]:
        """Pairs of these points with their references, as far as there are any, and what is built of both."""
        if self._retries:
            self._forget_failures(runs, built)
        return self._knowledge.orders(runs, built)

    def _forget_failures(self, blueprints: Iterable[Blueprint], built: Mapping[BuildKey, Built]) -> None:
        """Make failures of pairs of these points unknown, once."""
        orders, both = self._knowledge.orders(dict.fromkeys(blueprints, 0), built)
        new = [each for each in orders if each.points not in self._retried]
        self._retried.update(each.points for each in new)
        forget_unpaired(self._workshop.store, new, both)

    def _execute_beside(self, requests: Sequence[Request]) -> Observations:
        wanted: dict[Blueprint, int] = {}
        for request in requests:
            draft = self._workshop.drafter.draft(request.point)
            if isinstance(draft, Failed):
                yield Observation((), FREE, Result(request.point, draft))
            else:
                wanted[draft] = request.runs
        references = {self._knowledge.reference(each.point).blueprint for each in wanted}
        contexts = {self._workshop.drafter.contexts[each.point.benchmark] for each in wanted}
        yield Observation(tuple(contexts), FREE)
        builds = yield from self._executor.build([*wanted, *references])
        yield from self._failed_builds(wanted, builds)
        orders, built = self._orders(wanted, builds.built)
        yield from self._run(orders, built, builds.costs)

    def _failed_builds(self, wanted: Iterable[Blueprint], builds: BuildResults) -> Iterator[Observation]:
        for each in wanted:
            outcome = builds.outcomes[each.build.key]
            if isinstance(outcome, Failed):
                record = PointRecord(each.context, each.point, each.build.key, None)
                result = Result(each.point, outcome, builds.costs.pop(each.build.key, FREE))
                yield Observation((record,) if outcome.is_lasting else (), FREE, result)

    def _run(
        self, orders: Sequence[PairOrder], built: Mapping[BuildKey, Built], costs: dict[BuildKey, Cost]
    ) -> Observations:
        by_points = {each.points: each for each in orders}
        lost: list[Request] = []
        with closing(run_pairs(self._executor, orders, built, due)) as observations:
            for observation in observations:
                if observation.result is None:
                    yield Observation(observation.records, observation.cost)
                    continue
                order, outcome = by_points[observation.result.points], observation.result.outcome
                if isinstance(outcome, Unpaired) and outcome.head is None:
                    self._lose_reference(order, outcome)
                    lost.append(Request(order.head.point, order.pairs))
                    yield Observation(observation.records, observation.cost)
                    continue
                cost = observation.cost + costs.pop(order.head.build.key, FREE)
                result = Result(order.head.point, self._knowledge.outcome(order, outcome, built), cost)
                yield Observation(observation.records, observation.cost, result)
        if lost:
            yield from self._executor.execute(lost)

    def _lose_reference(self, order: PairOrder, failed: Unpaired) -> None:
        series = series_of(order.head.point)
        if self._references.known(series) is not None:
            reason = failed.base.reason if failed.base else ""
            self._references.give_up(
                series, f"the reference {order.base.point.revision[:8]} failed. {reason}"
            )
