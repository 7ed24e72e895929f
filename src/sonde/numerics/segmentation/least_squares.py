"""The segmentation with the least squared deviation from the segments' means, plus a penalty for each change.

Exact, by functional pruning: FPOP of Maidstone, Hocking, Rigaill and Fearnhead, "On optimal multiple
changepoint algorithms for large data" (Statistics and Computing, 2017). With their symbols, F(t) is the least
cost of the first t values, and a candidate is a position at which the last segment may begin. If the level of
that segment is m, the candidate k costs

    F(k) + penalty + sum of w_i (y_i - m)^2 over the values from k on,

a parabola in m. Every further value adds the same to all of them, so which candidate is the best at a level
changes only when a new one enters: it takes the levels at which all others cost more than F(t) + penalty. A
candidate that is left with no level can never be the best again. Some ten pieces remain even of 100,000 quiet
values, whereas PELT, which compares the candidates' minima alone, keeps nearly every position of those.

Long series are screened first, for most positions can be no change at all (see `screening`): F is needed only
at those that are left.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TypeAlias

from numpy.typing import ArrayLike

from sonde.numerics.segmentation.screening import possible_changes
from sonde.numerics.segmentation.series import Sums, checked_series, checked_weights

SCREENED = 500  # values; for fewer, screening takes longer than it saves

# The lowest and the highest level; a candidate; and there the sums of values and of weights, and
# F(t) + penalty less the sum of squares. A tuple, because the loops over pieces are what takes the time.
_Piece: TypeAlias = tuple[float, float, int, float, float, float]


def segment_by_least_squares(
    values: ArrayLike, penalty: float, weights: ArrayLike | None = None, shortest: int = 1
) -> tuple[int, ...]:
    """The changes, in order, of the segmentation that costs least.

    `weights` count how often each value was observed (None: once). No segment has fewer than `shortest`
    values. Of segmentations that cost the same, any can be the answer; so can those that differ by rounding,
    which is about 1e-15 of the squared deviation of the whole series.
    """
    if not penalty >= 0:
        raise ValueError(f"The penalty is {penalty}, but it cannot be negative.")
    if shortest < 1:
        raise ValueError(f"The shortest segment is to have {shortest} values, but it needs one at least.")
    series = checked_series(values)
    if len(series) < 2 * shortest:
        return ()
    sums = Sums.of(series, checked_weights(weights, len(series)))
    if len(series) < SCREENED:
        positions = list(range(shortest, len(series) - shortest + 1))
    else:
        positions = possible_changes(sums, penalty, shortest).tolist()
    begins = _last_begins(sums, positions, penalty, shortest)
    changes = []
    change = begins[len(series)]
    while change > 0:
        changes.append(change)
        change = begins[change]
    return tuple(reversed(changes))


def _last_begins(sums: Sums, positions: list[int], penalty: float, shortest: int) -> dict[int, int]:
    """For each t of the positions, and for the end, where the last segment of the first t values begins."""
    ends = [*positions, sums.length]
    weight, value = sums.weight[ends].tolist(), sums.value[ends].tolist()
    reduced: list[float] = []  # F(t) less the sum of the first t squares
    begins: dict[int, int] = {}
    pieces: list[_Piece] = [(-inf, inf, 0, 0.0, 0.0, 0.0)]
    entered = 0
    for end, value_here, weight_here in zip(ends, value, weight, strict=True):
        while ends[entered] <= end - shortest:
            entry = reduced[entered] + penalty
            pieces = _with_candidate(pieces, ends[entered], value[entered], weight[entered], entry)
            entered += 1
        least, begin = inf, 0
        for _, _, position, value_there, weight_there, cost_there in pieces:
            difference = value_here - value_there
            cost = cost_there - difference * difference / (weight_here - weight_there)
            if cost < least:
                least, begin = cost, position
        reduced.append(least)
        begins[end] = begin
    return begins


def _with_candidate(
    pieces: list[_Piece], position: int, value: float, weight: float, cost: float
) -> list[_Piece]:
    """The candidate takes all levels at which the present ones cost more; pieces stay in order of level."""
    remaining: list[_Piece] = []
    reached = -inf
    for lowest, highest, there, value_there, weight_there, cost_there in pieces:
        weight_between = weight - weight_there
        mean = (value - value_there) / weight_between
        squared_radius = (cost - cost_there) / weight_between + mean * mean
        if squared_radius <= 0:
            continue
        radius = sqrt(squared_radius)
        low = mean - radius if mean - radius > lowest else lowest
        high = mean + radius if mean + radius < highest else highest
        if low >= high:
            continue
        if low > reached:
            remaining.append((reached, low, position, value, weight, cost))
        remaining.append((low, high, there, value_there, weight_there, cost_there))
        reached = high
    if reached < inf:
        remaining.append((reached, inf, position, value, weight, cost))
    return remaining
