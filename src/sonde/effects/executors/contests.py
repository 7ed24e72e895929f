"""Comparisons under way: which pairs there are, and what becomes of runs that fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sonde.core.findings.comparisons import Pair
from sonde.core.records import FailureRecord, Record, SampleRecord
from sonde.core.results import Cost, Failed, Metric, Sample
from sonde.effects.executors.pair_orders import PairKeys, PairOrder, PairSide, Unpaired, is_to_be_side_by_side
from sonde.effects.runs import SetUp, draw_set_up

MOST_FLUKES = 3  # failures of runs that otherwise succeed, until nobody waits for more pairs

Due = Callable[[Metric, Sequence[Pair], int], int]
"""How many more pairs it takes, given those that are there and how many are wanted."""


def due_by_number(_: Metric, pairs: Sequence[Pair], wanted: int) -> int:
    """As many as there are too few, however disturbed they are."""
    return max(0, wanted - len(pairs))


@dataclass(frozen=True)
class PairTaken:
    """What came of the runs of a pair."""

    number: int
    outcomes: Mapping[PairSide, Sample | Failed]  # of the first run of each side
    recovered: frozenset[PairSide]  # that failed, but not when they were run again
    cost: Cost
    ended_at: float  # seconds since the epoch
    is_side_by_side: bool = False


@dataclass(eq=False)
class Contest:
    """Two builds that are compared, and the orders that share their pairs."""

    keys: PairKeys
    order: PairOrder  # whose runs are made
    folders: Mapping[PairSide, Path]  # the outputs of the builds
    sharing: list[PairOrder] = field(default_factory=list)
    taken: tuple[Pair, ...] = ()  # in whatever way
    has_succeeded: frozenset[PairSide] = frozenset()
    flukes: list[tuple[PairSide, Failed]] = field(default_factory=list)
    failed: Unpaired | None = None
    is_apart: bool = False  # side by side is not possible
    _failures_side_by_side: int = 0
    _begun: int = 0  # pairs, whether anything came of them or not

    def know(self, pairs: Sequence[Pair], is_apart: bool = False) -> None:
        """Take note of pairs that were stored before, and of whether they are to be taken in turn."""
        self.is_apart = is_apart
        self.taken = tuple(pairs)
        self._begun = max((pair.number + 1 for pair in pairs), default=0)
        self.has_succeeded = frozenset(PairSide) if pairs else frozenset()

    @property
    def is_side_by_side(self) -> bool:
        """Whether the next pair is to be taken so."""
        return not self.is_apart and is_to_be_side_by_side(self.sharing, self.taken)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Those that count."""
        return tuple(pair for pair in self.taken if pair.is_side_by_side is self.is_side_by_side)

    def is_open(self, due: Due) -> bool:
        """Whether it takes another pair."""
        wanted = max(each.pairs for each in self.sharing)
        return self.failed is None and due(self.order.head.run.metric, self.pairs, wanted) > 0

    def begin(self) -> int:
        """The number of the next pair; no other one gets it."""
        self._begun += 1
        return self._begun - 1

    def set_up(self, number: int) -> SetUp:
        """The one that both runs of a pair share."""
        return draw_set_up(self.order.head.run.metric, f"{self.keys.base} {self.keys.head} {number}")

    @property
    def outcome(self) -> tuple[Pair, ...] | Unpaired:
        """What is known by now."""
        return self.pairs if self.failed is None else self.failed

    def note(self, taken: PairTaken) -> tuple[Record, ...]:
        """Take note of what came of a pair; what is to be stored of it, all at once.

        A side fails for certain if no run of it ever succeeded. Otherwise its failure is a fluke, and only
        the pair is lost, unless there are too many of them.
        """
        base, head = taken.outcomes[PairSide.BASE], taken.outcomes[PairSide.HEAD]
        self.is_apart |= self.is_side_by_side and not taken.is_side_by_side  # no processor could be held
        if isinstance(base, Sample) and isinstance(head, Sample):
            self.has_succeeded = frozenset(PairSide)
            self.taken = (*self.taken, Pair(taken.number, base, head, is_side_by_side=taken.is_side_by_side))
            keys = self.keys.side_by_side if taken.is_side_by_side else self.keys
            return SampleRecord(keys.base, base), SampleRecord(keys.head, head)
        failures = {side: each for side, each in taken.outcomes.items() if isinstance(each, Failed)}
        self.has_succeeded |= taken.recovered | (frozenset(PairSide) - failures.keys())
        certain = {side: each for side, each in failures.items() if side not in self.has_succeeded}
        self.flukes += [(side, each) for side, each in failures.items() if side not in certain]
        if certain:
            self.failed = Unpaired(certain.get(PairSide.BASE), certain.get(PairSide.HEAD))
        elif len(self.flukes) > MOST_FLUKES:
            self.failed = self._now_and_then()
        if self.failed:
            return _failures(self.keys, taken, certain) if self.failed.is_lasting else ()
        return self._part(taken, failures) if taken.is_side_by_side else ()

    def _part(self, taken: PairTaken, failures: Mapping[PairSide, Failed]) -> tuple[Record, ...]:
        """Go on in turn if it fails side by side at once, or again; once may be a fluke."""
        self._failures_side_by_side += 1
        if self._failures_side_by_side == 1 and any(pair.is_side_by_side for pair in self.taken):
            return ()
        self.is_apart = True
        return _failures(self.keys.side_by_side, taken, failures)

    def _now_and_then(self) -> Unpaired:
        """The last fluke of each side. It says nothing of the other side, nor of the next time."""
        last = {
            side: replace(failed, reason=f"Some runs fail: {failed.reason}", is_lasting=False)
            for side, failed in self.flukes
        }
        return Unpaired(last.get(PairSide.BASE), last.get(PairSide.HEAD))


def _failures(keys: PairKeys, taken: PairTaken, failures: Mapping[PairSide, Failed]) -> tuple[Record, ...]:
    return tuple(
        FailureRecord(keys.of_side(side), taken.number, failed, taken.ended_at)
        for side, failed in failures.items()
    )
