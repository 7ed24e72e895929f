"""What the store knows of points that are measured beside a reference, by their pairs with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sonde.core.findings.comparisons import Pair
from sonde.core.points import BenchmarkName, Point
from sonde.core.records import BuildKey, Built, MeasurementKey, PointRecord
from sonde.core.results import Failed, Measurement, Metric, Result, Sample, Stage
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import known_by_content, twin_of
from sonde.effects.executors.pair_orders import PairKeys, PairOrder, Unpaired, known_pairs
from sonde.methods.comparison.disturbances import usable
from sonde.workflows.blueprints import known_builds
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.reference_runs.references import Reference, SeriesName, SeriesReferences


class PairedKnowledge:
    """Reads pairs of points and references from the store; nothing is built or run."""

    def __init__(self, tools: ProjectTools, references: SeriesReferences) -> None:
        self._tools = tools
        self._references = references
        self._homes: dict[MeasurementKey, PointRecord] = {}  # where the pairs of twins were first taken

    def known(self, blueprints: Iterable[Blueprint], runs: Mapping[BenchmarkName, int]) -> list[Result]:
        """What the store knows of points; of those that are timed, by pairs with the reference only.

        `runs` says how many samples a point should have: disturbed pairs count if there are too few others.
        """
        drawn = list(blueprints)
        found = [
            result
            for result in known_by_content(self._tools.store, drawn)
            if isinstance(result.outcome, Failed) or not self._references.is_timed(result.point.benchmark)
        ]
        told = {result.point for result in found}
        built = known_builds(self._tools, drawn)
        timed = [each for each in drawn if each.point not in told and each.build.key in built]
        wanted = {each: runs[each.point.benchmark] for each in timed}
        return [*found, *self._known_beside(wanted, built)]

    def orders(
        self, runs: Mapping[Blueprint, int], built: Mapping[BuildKey, Built]
    ) -> tuple[list[PairOrder], Mapping[BuildKey, Built]]:
        """Pairs of these points with their references, as far as there are any, and what is built of both."""
        orders = []
        for blueprint, wanted in runs.items():
            reference = self._references.known(series_of(blueprint.point))
            if reference is not None:
                orders.append(PairOrder(reference.blueprint, blueprint, wanted))
        both = {**known_builds(self._tools, {each.base for each in orders}), **built}
        return [each for each in orders if {each.base.build.key, each.head.build.key} <= both.keys()], both

    def outcome(
        self, order: PairOrder, outcome: tuple[Pair, ...] | Unpaired, built: Mapping[BuildKey, Built]
    ) -> Measurement | Failed:
        """The pairs of a point as samples, in seconds of the reference."""
        if isinstance(outcome, Unpaired):
            return outcome.head or Failed(Stage.RUN, "Its reference fails.", is_lasting=False)
        metric, reference = order.head.run.metric, self.reference(order.head.point)
        pairs = usable(metric, outcome, order.pairs)
        samples = tuple(_sample(pair, metric, reference.level) for pair in pairs)
        key, point = PairKeys.of(order, built).head, order.head.point
        record = PointRecord(order.head.context, point, order.head.build.key, key)
        home = self._homes.setdefault(key, record)
        fingerprints = {each: built[each].fingerprint for each in {record.build, home.build} & built.keys()}
        return Measurement(samples, twin_of(record, home, fingerprints))

    def reference(self, point: Point) -> Reference:
        """The reference of a point whose series has one."""
        found = self._references.known(series_of(point))
        assert found is not None  # only points of series that have one come here
        return found

    def _known_beside(
        self, wanted: Mapping[Blueprint, int], built: Mapping[BuildKey, Built]
    ) -> Iterator[Result]:
        orders, built = self.orders(wanted, built)
        by_points = {each.points: each for each in orders}
        for points, outcome in known_pairs(self._tools.store, orders, built).items():
            if outcome:
                yield Result(points.head, self.outcome(by_points[points], outcome, built))


def series_of(point: Point) -> SeriesName:
    """The series of a point."""
    return point.benchmark, point.configuration


def _sample(pair: Pair, metric: Metric, level: float) -> Sample:
    """A run in seconds of the reference; a time of zero has no ratio, and stays unusable."""
    base, head = pair.values(metric)
    value = head / base * level if base > 0 else 0.0
    return Sample.of(pair.number, {metric: value}, pair.head.taken_at, pair.head.gauges, pair.head.output)
