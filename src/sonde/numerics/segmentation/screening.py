"""Which positions of a series can be changes of its best segmentation: a quick look that errs on one side.

Facts about the segmentation that costs least. X(a, b) is the square of the sum of y_i - c over the values
from a to before b, divided by their weight, and c any level; G(a, k, b) is what a change at k saves of the
squared deviation of the values from a to before b. G(a, k, b) <= X(a, k) + X(k, b), whatever c is.

1. A change at k between segments that begin at a and end at b saves G(a, k, b), at least the penalty.
2. If G(u, h, v) is more than three penalties, no segment reaches from u or before to v or behind: three more
   changes at u, h and v would save more than they cost. Such an h is a barrier.
3. Where a segment that ends at k begins well before a barrier h < k, the change had better be at h: that
   saves G(a, h, k) and loses G(h, k, b). The same holds to the right, and for both sides at once, where a
   further change, and its penalty, is needed.

So k is no change if all a and b are ruled out. For those that lie between the barriers beside k, or hardly
beyond, this is by fact 1: the largest X are bounded by windows, the extreme sums over begins in a window with
the weight of the nearest of these. For those further away it is by fact 3, and for those still further by 2.
In quiet stretches hardly any position is left, and near changes those are that matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sonde.numerics.segmentation.series import Array, Positions, Sums

Flags = NDArray[np.bool_]

WIDER = 2.0  # the far end of a window is so many times as far away as its near end
ROUNDING = 1e-9  # relative; what is nearly possible is possible


def possible_changes(sums: Sums, penalty: float, shortest: int) -> Positions:
    """All positions at which the segmentation that costs least can have a change, and some more, in order."""
    length = sums.length
    is_possible = np.zeros(length + 1, dtype=np.bool_)
    is_possible[shortest : length - shortest + 1] = True
    if penalty > 0 and length >= 2 * shortest:
        barriers = sorted(_barriers(sums, penalty, shortest))
        is_possible[_impossible(sums, barriers, penalty, shortest)] = False
    return np.flatnonzero(is_possible)


def _barriers(sums: Sums, penalty: float, shortest: int) -> Iterator[tuple[int, int, int]]:
    """Fact 2: h, how far u and v are from it, and how far away the begins are that fact 3 may rule out."""
    weight, value, length = sums.weight, sums.value, sums.length
    is_found = np.zeros(length + 1, dtype=np.int64)
    reach = shortest
    while 2 * reach <= length:
        inner, left = slice(reach, length - reach + 1), slice(length - 2 * reach + 1)
        right = slice(2 * reach, None)
        before, after = weight[inner] - weight[left], weight[right] - weight[inner]
        rise = (value[right] - value[inner]) / after - (value[inner] - value[left]) / before
        saved = before * after / (before + after) * rise**2
        strong = np.flatnonzero(saved > 3 * penalty * (1 + ROUNDING))
        if len(strong):
            known = np.cumsum(is_found)
            strong = strong[known[strong + 2 * reach] == known[strong]]  # what narrower windows saw is known
        for run in np.split(strong, np.flatnonzero(np.diff(strong) > reach) + 1) if len(strong) else ():
            at = int(run[np.argmax(saved[run])])
            is_found[at + reach] = 1
            enough = penalty / rise[at] ** 2 * 2 * reach / (before[at] + after[at])
            yield at + reach, reach, min(max(shortest, int(enough) + 1), reach)
        reach *= 2


@dataclass(frozen=True)
class _Side:
    """The nearest barrier to one side of each tested position, or the end of the series."""

    exists: Flags
    weight: Array  # between the barrier and the position
    sum: Array  # of the values between them, about the level of the stretch
    far_weight: Array  # of the least far segment beyond the barrier that fact 3 rules out
    lowest: Array  # mean of all such segments, about the level of the stretch
    highest: Array

    @property
    def own(self) -> Array:
        """X of the values between the barrier and the position."""
        return np.divide(self.sum**2, self.weight, out=np.zeros_like(self.sum), where=self.exists)

    @property
    def saved(self) -> Array:
        """What a change at the barrier saves at least of a segment that reaches far beyond it, or inf."""
        mean = np.divide(self.sum, self.weight, out=np.zeros_like(self.sum), where=self.exists)
        apart = np.maximum(np.maximum(self.lowest - mean, mean - self.highest), 0.0)
        joint = self.weight * self.far_weight / np.where(self.exists, self.weight + self.far_weight, 1.0)
        return np.where(self.exists, joint * apart**2, np.inf)


def _impossible(sums: Sums, barriers: list[tuple[int, int, int]], penalty: float, shortest: int) -> Positions:
    """Positions between barriers that cannot be changes."""
    weight, value, length = sums.weight, sums.value, sums.length
    middle, reach, enough = (
        (np.array(each, dtype=np.intp) for each in zip(*barriers, strict=True))
        if barriers
        else (np.zeros(0, dtype=np.intp),) * 3
    )
    low = np.concatenate(([0], middle + reach + shortest))
    high = np.concatenate((middle - reach - shortest, [length]))
    begin = np.concatenate(([0], middle - enough + 1))  # from here on fact 1
    end = np.concatenate((middle + enough - 1, [length]))
    lowest_before, highest_before, lowest_after, highest_after = _levels_beyond(sums, barriers, shortest)
    some = np.flatnonzero(high > low)
    tested, of_tested = _ranges(low[some], high[some])
    stretch = some[of_tested]
    level = np.zeros(len(low))
    level[some] = (value[high[some]] - value[low[some]]) / (weight[high[some]] - weight[low[some]])

    positions, part = _ranges(begin[some], end[some])
    sizes = end[some] - begin[some] + 1
    place = np.cumsum(sizes) - sizes - begin[some]  # of position 0, if each stretch went back to it
    about = value[positions] - level[some][part] * weight[positions]
    at, turn = tested + place[of_tested], len(positions) - 1
    first, last = (begin[some] + place)[of_tested], (end[some] + place)[of_tested]
    before = _most(about, weight[positions], at, first, shortest)
    after = _most(about[::-1], -weight[positions][::-1], turn - at, turn - last, shortest)

    c = level[stretch]
    barrier = np.concatenate(([0], middle, [length]))
    far = np.concatenate(([0], enough, [0]))
    h, k = barrier[stretch], tested
    left = _Side(
        stretch > 0,
        weight[k] - weight[h],
        value[k] - value[h] - c * (weight[k] - weight[h]),
        weight[h] - weight[h - far[stretch]],
        np.concatenate(([0.0], lowest_before))[stretch] - c,
        np.concatenate(([0.0], highest_before))[stretch] - c,
    )
    h = barrier[stretch + 1]
    right = _Side(
        stretch < len(middle),
        weight[h] - weight[k],
        value[h] - value[k] - c * (weight[h] - weight[k]),
        weight[h + far[stretch + 1]] - weight[h],
        np.concatenate((lowest_after, [0.0]))[stretch] - c,
        np.concatenate((highest_after, [0.0]))[stretch] - c,
    )
    least = 1 + ROUNDING
    saved_left, saved_right, own_left, own_right = left.saved, right.saved, left.own, right.own
    return tested[
        ((before + after) * least < penalty)
        & (saved_left > (own_left + after) * least)
        & (saved_right > (own_right + before) * least)
        & (saved_left + saved_right > (penalty + own_left + own_right) * least)
    ]


def _levels_beyond(
    sums: Sums, barriers: list[tuple[int, int, int]], shortest: int
) -> tuple[Array, Array, Array, Array]:
    """The lowest and highest means of what lies beyond each barrier in fact 3: before it, and from it on."""
    extremes = np.zeros((4, len(barriers)))
    for number, (middle, reach, enough) in enumerate(barriers):
        begins = slice(max(0, middle - reach - shortest + 1), middle - enough + 1)
        ends = slice(middle + enough, middle + reach + shortest)
        before = (sums.value[middle] - sums.value[begins]) / (sums.weight[middle] - sums.weight[begins])
        after = (sums.value[ends] - sums.value[middle]) / (sums.weight[ends] - sums.weight[middle])
        extremes[:, number] = before.min(), before.max(), after.min(), after.max()
    return extremes[0], extremes[1], extremes[2], extremes[3]


def _ranges(first: Positions, last: Positions) -> tuple[Positions, Positions]:
    """The positions of all ranges, and the number of the range of each."""
    lengths = last - first + 1
    number = np.repeat(np.arange(len(first)), lengths)
    within = np.arange(len(number)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return first[number] + within, number


def _most(sums: Array, weight: Array, at: Positions, first: Positions, shortest: int) -> Array:
    """A bound on the largest X(a, k) for each k in `at`, over a from its `first` to `shortest` before k."""
    most = np.zeros(len(at))
    highest, lowest = sums, sums  # of `width` sums from each on
    width, near = 1, shortest
    rows = np.flatnonzero(at - near >= first)
    while len(rows):
        here = at[rows]
        far = max(near, int(near * WIDER))
        while 2 * width <= far - near + 1:
            highest = np.maximum(highest[:-width], highest[width:])
            lowest = np.minimum(lowest[:-width], lowest[width:])
            width *= 2
        # Begins from `far` to `near` before here, as two windows that overlap. Where a stretch begins they
        # move nearer: they may hold more than they need to.
        nearest = here - near
        one, other = np.maximum(here - far, first[rows]), np.maximum(nearest - width + 1, first[rows])
        high, low = np.maximum(highest[one], highest[other]), np.minimum(lowest[one], lowest[other])
        sum_here = sums[here]
        extreme = np.maximum(sum_here - low, high - sum_here)
        most[rows] = np.maximum(most[rows], extreme * extreme / (weight[here] - weight[nearest]))
        near = far + 1
        rows = rows[here - near >= first[rows]]
    return most
