"""Building what points need, as far as the store does not know what comes of it."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.core.protocols import Store
from sonde.core.records import BuildKey, BuildRecord, Built, Observation, PointRecord
from sonde.core.results import Cost, Failed, Stage
from sonde.effects.builds.builder import Builder
from sonde.effects.builds.cache import BuildCache
from sonde.effects.builds.orders import BuildOrder
from sonde.effects.executors.blueprints import Blueprint

CAME_OUT_DIFFERENTLY = (
    "Its outputs were pruned; it was built again with a different result, so measurements "
    "of the first build are not valid for the second. Does its build use random values or "
    "the date?"
)


@dataclass(frozen=True)
class BuildResults:
    """What came of builds, now or before, and what the new ones cost."""

    outcomes: dict[BuildKey, Built | Failed]
    costs: dict[BuildKey, Cost]  # taken out by the first result that needed the build

    @property
    def built(self) -> Mapping[BuildKey, Built]:
        """Those that succeeded."""
        return {key: outcome for key, outcome in self.outcomes.items() if isinstance(outcome, Built)}


def build_missing(
    builder: Builder, store: Store, blueprints: Sequence[Blueprint]
) -> Generator[Observation, None, BuildResults]:
    """Build what was not built before, or not for lack of time."""
    orders: dict[BuildKey, BuildOrder] = {}
    for blueprint in blueprints:  # of several revisions with one build, the first one is built
        orders.setdefault(blueprint.build.key, blueprint.build)
    builds = BuildResults({}, {})
    for record in list(store.query(BuildRecord, {"build": list(orders)})):
        if _may_succeed(record.outcome, orders[record.build].timeout_seconds):
            for kind in (PointRecord, BuildRecord):
                store.forget(kind, {"build": [record.build]})
        else:
            builds.outcomes[record.build] = record.outcome
    missing = [order for key, order in orders.items() if key not in builds.outcomes]
    for made in builder.build(missing):
        record, cost = made.record, Cost(builds=1, seconds=made.record.seconds)
        builds.outcomes[record.build] = record.outcome
        builds.costs[record.build] = cost
        yield Observation((record, *made.snapshots) if _lasts(record.outcome) else (), cost)
    return builds


def find_or_rebuild(
    builder: Builder, cache: BuildCache, wanted: Sequence[tuple[BuildOrder, Built]]
) -> Generator[Observation, None, dict[BuildKey, Path | Failed]]:
    """Where the outputs of builds lie; what was pruned is built again, and must have the same code."""
    places: dict[BuildKey, Path | Failed] = {}
    lost: dict[BuildKey, tuple[BuildOrder, Built]] = {}
    for order, built in wanted:
        folder = cache.find(built.fingerprint)
        if folder is None:
            lost[order.key] = order, built
        else:
            places[order.key] = folder
    for made in builder.build([order for order, _ in lost.values()]):
        again, (order, before) = made.record.outcome, lost[made.record.build]
        if isinstance(again, Built):
            found = cache.find(again.fingerprint) if again.does_the_same_as(before) else None
            places[order.key] = found or Failed(Stage.BUILD, CAME_OUT_DIFFERENTLY, is_lasting=False)
        else:
            places[order.key] = again
        yield Observation(made.snapshots, Cost(builds=1, seconds=made.record.seconds))
    return places


def _lasts(outcome: Built | Failed) -> bool:
    return isinstance(outcome, Built) or outcome.is_lasting


def _may_succeed(outcome: Built | Failed, timeout_seconds: float) -> bool:
    """Whether it failed for lack of time, and has more of it now."""
    return isinstance(outcome, Failed) and 0 < outcome.timed_out_after < timeout_seconds
