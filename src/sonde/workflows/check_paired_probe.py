"""Which end of a range a revision runs like, by pairs of runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from statistics import median

from sonde.core.comparisons import Pair
from sonde.core.points import Request
from sonde.core.records import BuildKey, Built
from sonde.core.results import FREE, Cost, Failed, Measurement, Stage
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.executors.pair_orders import PairedPoints, PairOrder, Unpaired, known_pairs
from sonde.effects.executors.pairing import run_pairs
from sonde.methods.comparison.bisecting import Side, leanings, log_ratios, side_of
from sonde.methods.comparison.disturbances import disturbed, due
from sonde.workflows.blueprints import proven_kinds
from sonde.workflows.check_probes import level_of
from sonde.workflows.evidence import build_all
from sonde.workflows.workshop import Workshop

UNDECIDED = "it cannot be told which end of the range it is like"


@dataclass
class PairedProbe:
    """Runs revisions in turn with both ends of a range, until it is clear which of them they are like."""

    workshop: Workshop
    executor: LocalExecutor
    old: Blueprint
    new: Blueprint
    error: float  # of one decision
    most_pairs: int
    cost: Cost = FREE
    tests: int = 0  # decisions that were tried
    _built: dict[BuildKey, Built] = field(default_factory=dict)
    _sides: dict[str, Side] = field(default_factory=dict)  # by what is proven equal
    _changes: dict[str, float] = field(default_factory=dict)  # from the old end, as logarithms

    def compare_ends(self) -> Side | Failed:
        """Whether the new end is slower (new) or faster (old)."""
        for end in (self.old, self.new):
            failed = self._build(end)
            if failed is not None:
                return failed
        self.tests += 1
        order = PairOrder(self.old, self.new, self.most_pairs)
        for pairs in self._run([order]):
            if isinstance(pairs, Unpaired):
                return _failure(pairs)
            logs = self._logs(pairs[order.points])
            side = side_of(logs, self.error)
            if side is not None:
                old, new = self._kind(self.old), self._kind(self.new)
                self._sides = {old: Side.OLD, new: Side.NEW}
                self._changes = {old: 0.0, new: median(logs)}
                return side
        return Failed(Stage.RUN, f"they cannot be told apart in {self.most_pairs} pairs.", is_lasting=False)

    def __call__(self, request: Request) -> Measurement | Failed:
        """The level of a revision: that of one of the ends."""
        draft = self.workshop.drafter.draft(request.point)
        if isinstance(draft, Failed):
            return draft
        failed = self._build(draft)
        if failed is not None:
            return failed
        kind = self._kind(draft)
        if kind not in self._sides:
            side = self._side_of(draft)
            if isinstance(side, Failed):
                return side
            self._sides[kind] = side
        return level_of(self._sides[kind], draft.run.metric)

    def change_at(self, blueprint: Blueprint) -> float:
        """How a revision that was probed differs from the old end, as a logarithm."""
        return self._changes[self._kind(blueprint)]

    def _build(self, blueprint: Blueprint) -> Failed | None:
        built = build_all(self.workshop, self.executor, [blueprint])[blueprint.build.key]
        if isinstance(built, Failed):
            return built
        self._built[blueprint.build.key] = built
        return None

    def _side_of(self, probe: Blueprint) -> Side | Failed:
        self.tests += 1
        to_old, to_new = (
            PairOrder(self.old, probe, self.most_pairs),
            PairOrder(probe, self.new, self.most_pairs),
        )
        for pairs in self._run([to_old, to_new]):
            if isinstance(pairs, Unpaired):
                return _failure(pairs)
            logs_to_old, logs_to_new = self._logs(pairs[to_old.points]), self._logs(pairs[to_new.points])
            side = side_of(leanings(logs_to_old, logs_to_new), self.error)
            if side is not None:
                self._changes[self._kind(probe)] = median(logs_to_old)
                return side
        return Failed(Stage.RUN, UNDECIDED, is_lasting=False)

    def _run(self, orders: Sequence[PairOrder]) -> Iterator[Mapping[PairedPoints, Sequence[Pair]] | Unpaired]:
        """The pairs of all orders, those that are stored and whenever there is a new one; or why not."""
        pairs: dict[PairedPoints, Sequence[Pair]] = {}
        for points, outcome in known_pairs(self.workshop.store, orders, self._built).items():
            if isinstance(outcome, Unpaired):
                yield outcome
                return
            pairs[points] = outcome
        yield pairs
        with closing(run_pairs(self.executor, orders, self._built, due)) as observations:
            for observation in observations:
                self.workshop.store.append(*observation.records)
                self.cost += observation.cost
                if observation.result is None:
                    continue
                outcome = observation.result.outcome
                if isinstance(outcome, Unpaired):
                    yield outcome
                    return
                pairs[observation.result.points] = outcome
                yield pairs

    def _logs(self, pairs: Sequence[Pair]) -> tuple[float, ...]:
        metric = self.old.run.metric
        left_out = disturbed(metric, pairs)
        return log_ratios([pair.values(metric) for pair in pairs if pair.number not in left_out])

    def _kind(self, blueprint: Blueprint) -> str:
        (kind,) = proven_kinds(self.workshop, [blueprint])
        return kind


def _failure(unpaired: Unpaired) -> Failed:
    failed = unpaired.head or unpaired.base
    assert failed is not None  # else they were paired
    return failed
