"""Narrowing every change down to one revision, and its size down to what both neighbours say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from sonde.methods.history_sampling.facts import Pick, SeriesFacts, SubjectFacts
from sonde.methods.history_sampling.policy import Inferred, Policy, Shift


@dataclass(frozen=True)
class Bisecting:
    """Measures between the last revision before a change and the first behind it.

    Series that change between the same revisions are bisected at the same ones: one build serves them all.
    """

    policy: Policy

    def choose(self, facts: SubjectFacts, at_most: int) -> Sequence[Pick]:
        """The middle of each range with a change, or its two sides again until it is clear of noise."""
        return list(islice(self._picks(facts), at_most))

    def infer(self, facts: SubjectFacts) -> Sequence[Inferred | None]:
        """As the policy does."""
        return self.policy.infer(facts)

    def _picks(self, facts: SubjectFacts) -> Iterator[Pick]:
        for at, (series, inferred) in enumerate(zip(facts.series, self.policy.infer(facts), strict=True)):
            steps = self._steps(series, inferred.shifts if inferred else ())
            yield from (Pick(at, step) for step in islice(steps, series.allowance))
            yield from self._repeats(at, series, inferred.shifts if inferred else ())

    def _repeats(self, at: int, series: SeriesFacts, shifts: Sequence[Shift]) -> Iterator[Pick]:
        """Further runs on both sides of a change that cannot be narrowed, until its size is sure."""
        pending = set(series.pending.tolist())
        for shift in shifts:
            if shift.is_clear and not shift.is_rough:
                continue
            if not _is_narrowed(series, shift):
                continue
            for step in (shift.earliest - 1, shift.latest):
                for ordinal in np.flatnonzero(series.measured == step).tolist():
                    runs = 2 * int(series.runs[ordinal])
                    if runs <= series.most_runs[ordinal] and step not in pending:
                        pending.add(step)
                        yield Pick(at, step, runs)

    def _steps(self, series: SeriesFacts, shifts: Sequence[Shift]) -> Iterator[int]:
        waiting = set(series.pending.tolist())
        for shift in shifts:
            if not waiting.isdisjoint(range(shift.earliest, shift.latest)):
                continue
            middle = (shift.earliest - 1 + shift.latest) // 2
            step = series.nearest_open(middle, shift.earliest, shift.latest - 1)
            if step is not None:
                waiting.add(step)
                yield step


def _is_narrowed(series: SeriesFacts, shift: Shift) -> bool:
    """Whether nothing between the two sides of a change can be measured, or is about to be."""
    between = slice(shift.earliest, shift.latest)
    is_pending = bool(((series.pending >= between.start) & (series.pending < between.stop)).any())
    return not is_pending and not series.is_open[between].any()
