"""Wilcoxon's signed-rank test, with the estimate and the intervals of Hodges and Lehmann.

F. Wilcoxon: Individual Comparisons by Ranking Methods. 1945. J. L. Hodges, E. L. Lehmann: Estimates of
Location Based on Rank Tests. 1963. The test assumes symmetry around the location, and nothing else. Test and
interval agree: an interval excludes what the test rejects at its level. Both are told by the Walsh averages
(x_i + x_j) / 2, i <= j; where some are tied, they err on the safe side.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, inf, pi, sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MOST_EXACT = 200  # values; the exact distribution of more takes long, and a series is as good


def walsh_averages(values: Sequence[float] | Array) -> Array:
    """The averages of all pairs of values, each with itself too, in ascending order."""
    given = np.asarray(values, dtype=float)
    first, second = np.triu_indices(len(given))
    return np.sort((given[first] + given[second]) / 2)


def estimate(averages: Array) -> float:
    """The median of the Walsh averages: where the values lie."""
    return float(np.median(averages))


def interval(averages: Array, level: float) -> tuple[float, float]:
    """What the two-sided test at this level does not reject; unbounded if it cannot reject anything."""
    outside = _most_outside(_size(averages), level / 2)
    if outside < 0:
        return -inf, inf
    return float(averages[outside]), float(averages[len(averages) - 1 - outside])


def probability(averages: Array) -> float:
    """Of values as far from zero on one side, if they are symmetric around zero; two-sided."""
    against = min(int(np.sum(averages <= 0)), int(np.sum(averages >= 0)))
    return min(2 * _at_most(_size(averages), against), 1.0)


def least_probability(size: int) -> float:
    """The smallest that the two-sided test of so many values can give: all lie on one side."""
    return min(2.0 ** (1 - size), 1.0)


def _size(averages: Array) -> int:
    """How many values have so many Walsh averages."""
    return round((sqrt(8 * len(averages) + 1) - 1) / 2)


def _most_outside(size: int, share: float) -> int:
    """The largest number of Walsh averages that lie on one side with at most this probability, or -1."""
    if size <= MOST_EXACT:
        return int(np.searchsorted(_cumulated(size), share, side="right")) - 1
    low, high = -1, size * (size + 1) // 4
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _at_most(size, middle) <= share else (low, middle)
    return low


def _at_most(size: int, outside: int) -> float:
    """The probability that so many Walsh averages or fewer lie on one side of the location."""
    if size <= MOST_EXACT:
        return float(_cumulated(size)[outside])
    mean = size * (size + 1) / 4
    deviation = sqrt(size * (size + 1) * (2 * size + 1) / 24)
    z = (outside + 0.5 - mean) / deviation
    # Edgeworth's series up to the fourth cumulant, which is -sum(i^4) / 8
    fourth = size * (size + 1) * (2 * size + 1) * (3 * size * size + 3 * size - 1) / 30 / 8
    excess = -fourth / deviation**4
    from scipy.special import ndtr

    density = exp(-z * z / 2) / sqrt(2 * pi)
    return min(max(float(ndtr(z) - density * excess / 24 * (z**3 - 3 * z)), 0.0), 1.0)


@lru_cache(maxsize=256)
def _cumulated(size: int) -> Array:
    """The probability of each number of Walsh averages, or fewer, on one side.

    It is distributed as the sum of the ranks that are drawn, each with probability 1/2.
    """
    chances = np.zeros(size * (size + 1) // 2 + 1)
    chances[0] = 1.0
    for rank in range(1, size + 1):
        shifted = chances.copy()
        shifted[rank:] += chances[:-rank]
        chances = shifted / 2
    cumulated = np.minimum(np.cumsum(chances), 1.0)
    cumulated.setflags(write=False)
    return cumulated
