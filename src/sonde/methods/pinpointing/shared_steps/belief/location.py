"""Where a boundary lies, from the configurations that it affects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sonde.methods.pinpointing.shared_steps.belief.arrays import Array, Flags, Integers
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary
from sonde.methods.pinpointing.shared_steps.belief.steps import LEAST_WEIGHT, reach
from sonde.methods.pinpointing.shared_steps.belief.table import SumTable

FOOT = 8.0  # how far the log probability falls until a hill ends
VALLEY = 3.0  # how deep it must fall before a higher hill counts as another change
MASS = 0.95
STEP_VARIANCE = 0.3**2


@dataclass(frozen=True, eq=False)
class Location:
    """Probabilities of gaps: the change lies at a step after `before`, up to `at`."""

    before: Integers
    at: Integers
    probability: Array

    def narrow(self, boundary: Boundary) -> None:
        """Let a boundary reach no further than where nearly all of the probability lies."""
        earliest, latest, mass = int(self.at[-1]), 0, 0.0
        for gap in np.argsort(-self.probability, kind="stable").tolist():
            earliest = min(earliest, int(self.before[gap]) + 1)
            latest = max(latest, int(self.at[gap]))
            mass += float(self.probability[gap])
            if mass >= MASS:
                break
        boundary.earliest, boundary.latest = earliest, latest
        boundary.likeliest = int(self.at[int(np.argmax(self.probability))])
        boundary.middle = self._middle()

    def _middle(self) -> int:
        """A step such that the change lies up to it or after it with equal probability, about."""
        ends = np.concatenate([self.before[:1], self.at])
        share = np.concatenate([[0.0], np.cumsum(self.probability)])
        half = float(np.interp(0.5, share, ends))
        return min(max(round(half), int(ends[0]) + 1), max(int(ends[-1]) - 1, int(ends[0])))


def locate(
    table: SumTable, boundary: Boundary, others: Sequence[Boundary], affected: Flags, negligible: Array
) -> Location | None:
    """The hill of probability on which a boundary stands; None if nothing is known of it."""
    lines = np.nonzero(affected)[0]
    start, end = reach(table, boundary, others)
    is_measured = (np.diff(table.weights[lines], axis=1) > 0).any(axis=0)
    columns = np.nonzero(is_measured)[0]
    if len(lines):
        columns = columns[(columns >= start[lines].min()) & (columns < end[lines].max())]
    if len(columns) < 2:
        return None
    before, at = table.steps[columns[:-1]], table.steps[columns[1:]]
    score = _support(table, lines, start[lines], end[lines], columns[1:], negligible) + np.log(at - before)
    inside = np.nonzero((at >= boundary.earliest) & (before < boundary.latest))[0]
    if not len(inside):
        return None
    hill = _hill(score, int(inside[np.argmax(score[inside])]))
    probability = np.exp(score[hill] - score[hill].max())
    return Location(before[hill], at[hill], probability / probability.sum())


def _support(
    table: SumTable, lines: Integers, start: Integers, end: Integers, cuts: Integers, negligible: Array
) -> Array:
    """The log evidence that the affected configurations step at a cut, each by a height of its own."""
    left, right = np.minimum(start[:, None], cuts), np.maximum(end[:, None], cuts)
    rows = lines[:, None]
    before = table.weights[rows, cuts] - table.weights[rows, left]
    after = table.weights[rows, right] - table.weights[rows, cuts]
    is_known = (before > LEAST_WEIGHT) & (after > LEAST_WEIGHT)
    below, above = np.where(is_known, before, 1.0), np.where(is_known, after, 1.0)
    height = (table.totals[rows, right] - table.totals[rows, cuts]) / above
    height -= (table.totals[rows, cuts] - table.totals[rows, left]) / below
    variance = 1.0 / below + 1.0 / above + 0.1 * negligible[lines][:, None] ** 2
    gain = 0.5 * height**2 / variance * STEP_VARIANCE / (STEP_VARIANCE + variance)
    gain -= 0.5 * np.log1p(STEP_VARIANCE / variance)
    return np.asarray(np.where(is_known, gain, 0.0).sum(axis=0))


def _hill(score: Array, top: int) -> slice:
    """The gaps around a peak that belong to it; a higher peak beyond a valley is another change."""
    first, last = top, top
    while first > 0 and _belongs(score, top, first - 1):
        first -= 1
    while last < len(score) - 1 and _belongs(score, top, last + 1):
        last += 1
    return slice(first, last + 1)


def _belongs(score: Array, top: int, gap: int) -> bool:
    between = score[min(top, gap) : max(top, gap) + 1]
    is_another = score[gap] > score[top] + VALLEY and between.min() < score[top] - VALLEY
    return bool(score[gap] > score[top] - FOOT and not is_another)
