"""Measures times beside a reference, so that what slows the machine slows both and cancels.

Each run of a point has a run of the reference beside it, as base and head of `sonde check` have: side by
side on one processor or right after each other, in a set-up that both share. Both are stored. The value of a
run is its time by that of the reference, in seconds of the reference
(docs/decisions/a-reference-beside-times.md).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing

from sonde.core.findings.comparisons import Pair
from sonde.core.points import BenchmarkName, Point, Request
from sonde.core.records import BuildKey, Built, MeasurementKey, Observation, PointRecord
from sonde.core.results import FREE, Cost, Failed, Measurement, Metric, Result, Sample, Stage
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.building import BuildResults
from sonde.effects.executors.knowledge import known_by_content, twin_of
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.executors.pair_orders import (
    PairedPoints,
    PairKeys,
    PairOrder,
    Unpaired,
    forget_unpaired,
    known_pairs,
)
from sonde.effects.executors.pairing import run_pairs
from sonde.methods.comparison.disturbances import due, usable
from sonde.workflows.blueprints import known_builds
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.reference_runs.references import Reference, SeriesName, SeriesReferences

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
        self._homes: dict[MeasurementKey, PointRecord] = {}  # where the pairs of twins were first taken

    def execute(self, requests: Sequence[Request]) -> Observations:
        """Every new pair or failure as soon as it is there; the last of a point holds all of its pairs."""
        timed = [each for each in requests if self._references.is_timed(each.point.benchmark)]
        for series in dict.fromkeys(_series_of(each.point) for each in timed):
            yield from self._references.choose(series, self._executor)
        beside = [each for each in timed if self._references.known(_series_of(each.point))]
        if alone := [each for each in requests if each not in beside]:
            yield from self._executor.execute(alone)
        if beside:
            yield from self._execute_beside(beside)

    def known(self, blueprints: Iterable[Blueprint], runs: Mapping[BenchmarkName, int]) -> list[Result]:
        """What the store knows of points; of those that are timed, by pairs with the reference only.

        `runs` says how many samples a point should have: disturbed pairs count if there are too few others.
        """
        drawn = list(blueprints)
        plain = list(known_by_content(self._workshop.store, drawn))
        found = [
            result
            for result in plain
            if isinstance(result.outcome, Failed) or not self._references.is_timed(result.point.benchmark)
        ]
        told = {result.point for result in found}
        built = known_builds(self._workshop, drawn)
        timed = [each for each in drawn if each.point not in told and each.build.key in built]
        wanted = {each: runs[each.point.benchmark] for each in timed}
        return [*found, *self._known_beside(wanted, built)]

    def _known_beside(
        self, wanted: Mapping[Blueprint, int], built: Mapping[BuildKey, Built]
    ) -> Iterator[Result]:
        orders, built = self._orders(wanted, built)
        by_points = {each.points: each for each in orders}
        for points, outcome in known_pairs(self._workshop.store, orders, built).items():
            if outcome:
                yield Result(points.head, self._outcome(by_points[points], outcome, built))

    def _orders(
        self, runs: Mapping[Blueprint, int], built: Mapping[BuildKey, Built]
    ) -> tuple[list[PairOrder], Mapping[BuildKey, Built]]:
        """Pairs of these points with their references, as far as there are any, and what is built of both."""
        orders = []
        for blueprint, wanted in runs.items():
            reference = self._references.known(_series_of(blueprint.point))
            if reference is not None:
                orders.append(PairOrder(reference.blueprint, blueprint, wanted))
        both = {**known_builds(self._workshop, {each.base for each in orders}), **built}
        orders = [each for each in orders if {each.base.build.key, each.head.build.key} <= both.keys()]
        self._forget_failures(orders, both)
        return orders, both

    def _forget_failures(self, orders: Iterable[PairOrder], built: Mapping[BuildKey, Built]) -> None:
        new = [each for each in orders if self._retries and each.points not in self._retried]
        self._retried.update(each.points for each in new)
        forget_unpaired(self._workshop.store, new, built)

    def _execute_beside(self, requests: Sequence[Request]) -> Observations:
        wanted: dict[Blueprint, int] = {}
        for request in requests:
            draft = self._workshop.drafter.draft(request.point)
            if isinstance(draft, Failed):
                yield Observation((), FREE, Result(request.point, draft))
            else:
                wanted[draft] = request.runs
        references = {self._reference(each.point).blueprint for each in wanted}
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
                result = Result(order.head.point, self._outcome(order, outcome, built), cost)
                yield Observation(observation.records, observation.cost, result)
        if lost:
            yield from self._executor.execute(lost)

    def _lose_reference(self, order: PairOrder, failed: Unpaired) -> None:
        series = _series_of(order.head.point)
        if self._references.known(series) is not None:
            reason = failed.base.reason if failed.base else ""
            self._references.give_up(
                series, f"the reference {order.base.point.revision[:8]} failed. {reason}"
            )

    def _outcome(
        self, order: PairOrder, outcome: tuple[Pair, ...] | Unpaired, built: Mapping[BuildKey, Built]
    ) -> Measurement | Failed:
        """The pairs of a point as samples, in seconds of the reference."""
        if isinstance(outcome, Unpaired):
            return outcome.head or Failed(Stage.RUN, "Its reference fails.", is_lasting=False)
        metric, reference = order.head.run.metric, self._reference(order.head.point)
        pairs = usable(metric, outcome, order.pairs)
        samples = tuple(_sample(pair, metric, reference.level) for pair in pairs)
        key, point = PairKeys.of(order, built).head, order.head.point
        record = PointRecord(order.head.context, point, order.head.build.key, key)
        home = self._homes.setdefault(key, record)
        fingerprints = {each: built[each].fingerprint for each in {record.build, home.build} & built.keys()}
        return Measurement(samples, twin_of(record, home, fingerprints))

    def _reference(self, point: Point) -> Reference:
        found = self._references.known(_series_of(point))
        assert found is not None  # only points of series that have one come here
        return found


def _sample(pair: Pair, metric: Metric, level: float) -> Sample:
    """A run in seconds of the reference; a time of zero has no ratio, and stays unusable."""
    base, head = pair.values(metric)
    value = head / base * level if base > 0 else 0.0
    return Sample.of(pair.number, {metric: value}, pair.head.taken_at, pair.head.gauges, pair.head.output)


def _series_of(point: Point) -> SeriesName:
    return point.benchmark, point.configuration
