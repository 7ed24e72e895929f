"""Pairs of runs: what is ordered, what comes of it, and what the store knows of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from sonde.core.digests import digest
from sonde.core.findings.comparisons import Pair
from sonde.core.points import Point
from sonde.core.protocols import Store
from sonde.core.records import BuildKey, Built, FailureRecord, MeasurementKey, Record
from sonde.core.results import Cost, Failed
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import failures_of, samples_of
from sonde.effects.executors.side_by_side import may_be_side_by_side


class PairSide(Enum):
    """Which of the two revisions that are compared."""

    BASE = "base"
    HEAD = "head"


@dataclass(frozen=True)
class PairedPoints:
    """Two points that are compared."""

    base: Point
    head: Point


@dataclass(frozen=True)
class PairOrder:
    """Two points that are to be compared by pairs of runs, both of them built."""

    base: Blueprint
    head: Blueprint
    pairs: int  # so many in all that can be used, with those that are stored

    @property
    def points(self) -> PairedPoints:
        """The points that are compared."""
        return PairedPoints(self.base.point, self.head.point)

    def blueprint(self, side: PairSide) -> Blueprint:
        """What one side is made of."""
        return self.base if side is PairSide.BASE else self.head


@dataclass(frozen=True)
class PairKeys:
    """What the pairs of two measurements are stored under: a measurement for each side.

    They are not the keys of the points themselves, for runs that were not made in turn are no pairs. Both
    samples of a pair have its number, and are stored at once, so there is no half a pair.
    """

    base: MeasurementKey
    head: MeasurementKey

    @classmethod
    def of(cls, order: PairOrder, built: Mapping[BuildKey, Built]) -> PairKeys:
        """The keys of an order whose sides were built."""
        sides = [order.blueprint(side) for side in PairSide]
        both = [each.measurement(built[each.build.key]) for each in sides]
        base, head = (MeasurementKey(digest("paired", *both, side)) for side in PairSide)
        return cls(base, head)

    @property
    def side_by_side(self) -> PairKeys:
        """Those of the same pairs, taken at the same time: they scatter otherwise, and are never mixed."""
        return PairKeys(*(MeasurementKey(digest("side by side", each)) for each in (self.base, self.head)))

    def of_side(self, side: PairSide) -> MeasurementKey:
        """What the runs of one side are stored under."""
        return self.base if side is PairSide.BASE else self.head


@dataclass(frozen=True)
class Unpaired:
    """Why two points cannot be compared. A side that is None succeeded when the other failed."""

    base: Failed | None
    head: Failed | None

    @property
    def is_lasting(self) -> bool:
        """Whether it would fail like this again."""
        return all(failed.is_lasting for failed in (self.base, self.head) if failed is not None)


@dataclass(frozen=True)
class PairResult:
    """What is known of two points by now: all of their pairs in order, or why there can be none."""

    points: PairedPoints
    outcome: tuple[Pair, ...] | Unpaired


@dataclass(frozen=True)
class PairObservation:
    """Something that happened: the records that must be durable before anyone looks at its result."""

    records: tuple[Record, ...]
    cost: Cost
    result: PairResult | None = None  # None: something was built, but nothing run yet


def known_pairs(
    store: Store, orders: Iterable[PairOrder], built: Mapping[BuildKey, Built]
) -> Mapping[PairedPoints, tuple[Pair, ...] | Unpaired]:
    """What the store knows of two points each; no pairs if nothing.

    A pair counts whenever it was taken: its runs were made right after each other or side by side, so
    whatever state the machine was in, it was the same for both. What a run can see is part of the keys.
    """
    by_points = {order.points: order for order in orders}
    keys = {points: PairKeys.of(order, built) for points, order in by_points.items()}
    limits = {
        points: (order.base.run.timeout_seconds, order.head.run.timeout_seconds)
        for points, order in by_points.items()
    }
    found = stored_pairs(store, keys.values())
    apart = kept_apart(store, keys.values())
    failures = failures_of(store, _flat(keys.values()))
    known: dict[PairedPoints, tuple[Pair, ...] | Unpaired] = {}
    for points, each in keys.items():
        base, head = failures.get(each.base), failures.get(each.head)
        has_more_time = any(
            failed is not None and 0 < failed.timed_out_after < limit
            for failed, limit in zip((base, head), limits[points], strict=True)
        )
        is_failed = (base is not None or head is not None) and not has_more_time
        is_side_by_side = each not in apart and is_to_be_side_by_side([by_points[points]], found[each])
        counting = tuple(pair for pair in found[each] if pair.is_side_by_side is is_side_by_side)
        known[points] = Unpaired(base, head) if is_failed else counting
    return known


def is_to_be_side_by_side(orders: Iterable[PairOrder], pairs: Sequence[Pair]) -> bool:
    """Whether the next pair is to be taken so, after the first one, which is always taken in turn."""
    trial = next((pair for pair in pairs if not pair.is_side_by_side), None)
    return trial is not None and all(may_be_side_by_side(each.base, each.head, trial) for each in orders)


def kept_apart(store: Store, keys: Iterable[PairKeys]) -> frozenset[PairKeys]:
    """Those of which a run has failed side by side and not alone."""
    wanted = list(keys)
    failed = failures_of(store, _flat(each.side_by_side for each in wanted)).keys()
    return frozenset(each for each in wanted if {each.side_by_side.base, each.side_by_side.head} & failed)


def stored_pairs(store: Store, keys: Iterable[PairKeys]) -> Mapping[PairKeys, tuple[Pair, ...]]:
    """The pairs that are stored under each key, those taken in turn first, in order."""
    wanted = list(keys)
    samples = samples_of(store, _flat(way for each in wanted for way in (each, each.side_by_side)))

    def pairs_of(way: PairKeys, is_side_by_side: bool) -> Iterator[Pair]:
        heads = {sample.number: sample for sample in samples.get(way.head, ())}
        for base in samples.get(way.base, ()):
            if base.number in heads:
                yield Pair(base.number, base, heads[base.number], is_side_by_side=is_side_by_side)

    return {each: (*pairs_of(each, False), *pairs_of(each.side_by_side, True)) for each in wanted}


def forget_unpaired(store: Store, orders: Iterable[PairOrder], built: Mapping[BuildKey, Built]) -> int:
    """Make it unknown again that runs of these orders fail; how many failures there were."""
    keys = [PairKeys.of(order, built) for order in orders]
    store.forget(FailureRecord, {"measurement": _flat(each.side_by_side for each in keys)})
    return store.forget(FailureRecord, {"measurement": _flat(keys)})


def _flat(keys: Iterable[PairKeys]) -> Sequence[MeasurementKey]:
    return [key for each in keys for key in (each.base, each.head)]
