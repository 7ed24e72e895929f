"""Step heights: the difference of the levels on both sides of a place in the history."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sonde.methods.pinpointing.shared_steps.belief.arrays import Array, Flags, Integers
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary, StepHeights
from sonde.methods.pinpointing.shared_steps.belief.table import SumTable

LEAST_WEIGHT = 1e-9


def steps_at_cuts(table: SumTable, boundaries: Sequence[Boundary]) -> StepHeights:
    """The step of every configuration at every cut; cut i lies before column i.

    The level on a side reaches up to the next boundary that affects the configuration. Within a boundary
    nothing new can be seen of the configurations that it affects.
    """
    lines, cuts = len(table.held), np.arange(len(table.steps) + 1)
    start = np.zeros((lines, len(cuts)), dtype=np.int64)
    end = np.full((lines, len(cuts)), len(table.steps))
    is_hidden = np.zeros((lines, len(cuts)), dtype=bool)
    for boundary in boundaries:
        first, last = table.column(boundary.earliest), table.column(boundary.latest)
        affected = boundary.affects(table)[:, None]
        is_after, is_before = cuts > last, cuts < first
        start = np.where(affected & is_after, np.maximum(start, last), start)
        end = np.where(affected & is_before, np.minimum(end, first), end)
        is_hidden |= affected & ~is_after & ~is_before
    every = np.broadcast_to(cuts, start.shape)
    return _steps(table, start, every, every, end, is_hidden)


def reach(table: SumTable, boundary: Boundary, others: Sequence[Boundary]) -> tuple[Integers, Integers]:
    """The columns up to which the levels on both sides of a boundary reach, for each configuration."""
    start = np.zeros(len(table.held), dtype=np.int64)
    end = np.full(len(table.held), len(table.steps))
    for other in others:
        if other is boundary:
            continue
        affected = other.affects(table)
        if other.is_before(boundary):
            start[affected] = np.maximum(start[affected], table.column(other.latest))
        else:
            end[affected] = np.minimum(end[affected], table.column(other.earliest))
    first, last = table.column(boundary.earliest), table.column(boundary.latest)
    return np.minimum(start, first), np.maximum(end, last)


def steps_across(
    table: SumTable, boundary: Boundary, others: Sequence[Boundary], by_scatter: bool = False
) -> StepHeights:
    """The step of every configuration at a boundary; what was measured within it is left out.

    By scatter: levels that scatter more than the noise allows for are known that much worse.
    """
    start, end = reach(table, boundary, others)
    first, last = table.column(boundary.earliest), table.column(boundary.latest)
    firsts, lasts = np.full(len(start), first), np.full(len(start), last)
    found = _steps(table, start, firsts, lasts, end, np.zeros(len(start), dtype=bool))
    if not by_scatter:
        return found
    before, after = _variance(table, start, firsts), _variance(table, lasts, end)
    return StepHeights(found.height, np.where(found.is_known, before + after, np.inf))


def _variance(table: SumTable, start: Integers, end: Integers) -> Array:
    """Of the levels between columns, from the noise or from how they scatter, whichever says more."""
    lines = np.arange(len(start))
    weight = table.weights[lines, end] - table.weights[lines, start]
    total = table.totals[lines, end] - table.totals[lines, start]
    squares = table.squares[lines, end] - table.squares[lines, start]
    freedom = table.points[lines, end] - table.points[lines, start] - 1
    is_known = weight > LEAST_WEIGHT
    inverse = _ratio(np.ones(len(lines)), weight, is_known)
    some = np.maximum(freedom, 1)
    scatter = (squares - total**2 * inverse) / some
    is_wide = (freedom >= 2) & (scatter > 1 + 4 * np.sqrt(2 / some) + 8 / some)
    return inverse * np.where(is_wide, scatter, 1.0)


def runs_beside(table: SumTable, boundary: Boundary, others: Sequence[Boundary]) -> tuple[Integers, Integers]:
    """How many runs each configuration has on both sides of a boundary."""
    start, end = reach(table, boundary, others)
    lines = np.arange(len(start))
    first, last = table.column(boundary.earliest), table.column(boundary.latest)
    before = table.counts[lines, first] - table.counts[lines, start]
    after = table.counts[lines, end] - table.counts[lines, last]
    return before, after


def _steps(
    table: SumTable, start: Integers, left: Integers, right: Integers, end: Integers, is_hidden: Flags
) -> StepHeights:
    lines = np.arange(len(table.held)).reshape(-1, *([1] * (start.ndim - 1)))
    before = table.weights[lines, left] - table.weights[lines, start]
    after = table.weights[lines, end] - table.weights[lines, right]
    is_known = (before > LEAST_WEIGHT) & (after > LEAST_WEIGHT) & ~is_hidden
    left_level = _ratio(table.totals[lines, left] - table.totals[lines, start], before, is_known)
    right_level = _ratio(table.totals[lines, end] - table.totals[lines, right], after, is_known)
    one = np.ones(before.shape)
    variance = _ratio(one, before, is_known) + _ratio(one, after, is_known)
    return StepHeights(right_level - left_level, np.where(is_known, variance, np.inf))


def _ratio(above: Array, below: Array, where: Flags) -> Array:
    return np.divide(above, below, out=np.zeros(above.shape), where=where)
