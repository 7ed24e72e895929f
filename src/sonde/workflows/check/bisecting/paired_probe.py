"""Which end of a range a revision runs like, by pairs of runs with both of them."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field

from sonde.core.points import Request
from sonde.core.results import Failed, Measurement, Stage
from sonde.effects.executors.blueprints import Blueprint
from sonde.methods.comparison.bisecting import RangeEnd, leanings, side_of
from sonde.workflows.blueprints import proven_kinds
from sonde.workflows.check.bisecting.pairs import PairedRuns
from sonde.workflows.check.bisecting.probes import level_of
from sonde.workflows.evidence import build_all

UNDECIDED = Failed(Stage.RUN, "it is unclear which end of the range it matches", is_lasting=False)


@dataclass
class PairedProbe:
    """Runs revisions in turn with both ends of a range, until it is clear which of them they are like."""

    runs: PairedRuns
    old: Blueprint
    new: Blueprint
    change: float  # from end to end, as a logarithm
    error: float  # of one decision
    is_hasty: bool  # whether it takes for granted that there is nothing between both levels
    decisions: int = 0  # that were tried
    _sides: dict[str, RangeEnd] = field(default_factory=dict)  # by what is proven equal

    def __post_init__(self) -> None:
        self._sides = {self._kind(self.old): RangeEnd.OLD, self._kind(self.new): RangeEnd.NEW}

    def __call__(self, request: Request) -> Measurement | Failed:
        """The level of a revision: that of one of the ends."""
        draft = self.runs.tools.drafter.draft(request.point)
        if isinstance(draft, Failed):
            return draft
        built = build_all(self.runs.tools, self.runs.executor, [draft])[draft.build.key]
        if isinstance(built, Failed):
            return built
        kind = self._kind(draft)
        if kind not in self._sides:
            side = self._side_of(draft)
            if isinstance(side, Failed):
                return side
            self._sides[kind] = side
        return level_of(self._sides[kind], draft.run.metric)

    def _side_of(self, probe: Blueprint) -> RangeEnd | Failed:
        self.decisions += 1
        sign = 1.0 if self.change > 0 else -1.0
        distance = abs(self.change) if self.is_hasty else 0.0
        to_old, to_new = (self.old, probe), (probe, self.new)
        with closing(self.runs.take([to_old, to_new])) as taking:
            for logs in taking:
                if isinstance(logs, Failed):
                    return logs
                toward = [sign * leaning for leaning in leanings(logs[to_old], logs[to_new])]
                side = side_of(toward, self.error, distance)
                if side is not None:
                    return side
        return UNDECIDED

    def _kind(self, blueprint: Blueprint) -> str:
        (kind,) = proven_kinds(self.runs.tools, [blueprint])
        return kind
