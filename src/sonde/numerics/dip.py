"""The dip test: whether values have more than one mode.

J. A. Hartigan, P. M. Hartigan: The Dip Test of Unimodality. The Annals of Statistics, 1985. P. M. Hartigan:
Computation of the Dip Statistic to Test for Unimodality (AS 217). Applied Statistics, 1985.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SURE, SUSPECTED = 0.01, 0.2  # levels: how often values with one mode are taken for several, at the most

# sqrt(n) times the dip that n uniform values exceed with the probability of a level, from 20,000 draws each.
# Of all distributions with one mode, the uniform one has the largest dips.
_SIZES = (8, 10, 12, 15, 20, 30, 40, 60, 100)
_CRITICAL = {
    SURE: (0.491, 0.506, 0.511, 0.523, 0.546, 0.556, 0.566, 0.578, 0.580),
    SUSPECTED: (0.358, 0.375, 0.378, 0.385, 0.395, 0.403, 0.406, 0.418, 0.427),
}
LEAST_VALUES = 8  # with fewer, no dip is large enough


def has_several_modes(values: Sequence[float], level: float = SURE) -> bool:
    """Whether no distribution with a single mode explains the values, at one of the two levels."""
    if len(values) < LEAST_VALUES:
        return False
    critical = np.interp(len(values), _SIZES, _CRITICAL[level])
    return bool(sqrt(len(values)) * dip(values) > critical)


def dip(values: Sequence[float]) -> float:
    """The largest distance between the empirical distribution and the nearest one with a single mode.

    The mode is narrowed from the range of all values. To its left, the nearest distribution is the greatest
    convex function below the lower ends of the steps, raised by the dip; to its right the least concave
    function above their upper ends, lowered by it.
    """
    x, counts = np.unique(np.array(values, dtype=np.float64), return_counts=True)
    upper = np.cumsum(counts) / len(values)
    lower = upper - counts / len(values)
    low, high, found = 0, len(x) - 1, 0.0  # found: twice the dip
    while low < high:
        convex = low + _bends(x[low : high + 1], lower[low : high + 1])
        concave = low + _bends(x[low : high + 1], -upper[low : high + 1])
        below, above = np.interp(x, x[convex], lower[convex]), np.interp(x, x[concave], upper[concave])
        bends = np.union1d(convex, concave)
        widest = bends[np.argmax((above - below)[bends])]
        if above[widest] - below[widest] <= found:
            break
        begin, end = convex[convex <= widest].max(), concave[concave >= widest].min()
        left, right = (upper - below)[low : begin + 1], (above - lower)[end : high + 1]
        # At the mode itself, there may be any number of values.
        found = max(found, left[:-1].max(initial=0.0), right[1:].max(initial=0.0))
        if (begin, end) == (low, high):
            break
        low, high = int(begin), int(end)
    return float(found / 2)


def _bends(x: Array, y: Array) -> NDArray[np.intp]:
    """Where the greatest convex function below these points bends."""
    bends: list[int] = []
    for at in range(len(x)):
        while len(bends) > 1 and _lies_above(x, y, bends[-2], bends[-1], at):
            bends.pop()
        bends.append(at)
    return np.array(bends)


def _lies_above(x: Array, y: Array, first: int, middle: int, last: int) -> bool:
    """Whether a point lies on or above the line between two others."""
    rise, run = y[last] - y[first], x[last] - x[first]
    return bool((y[middle] - y[first]) * run >= rise * (x[middle] - x[first]))
