"""The ratio of head and base with its interval: the ratios that the test of the scores does not reject.

The logarithm of a ratio, a *shift*, is taken off the head's. If it is the true one, head and base of a pair
may change places, and the test of no change applies. What it says changes only at *edges*: shifts at which
two runs or two pairs change their order.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

import numpy as np
from numpy.typing import NDArray

from sonde.methods.comparison.scores import scores
from sonde.numerics.sign_flips import probabilities

Array = NDArray[np.float64]
Numbers = NDArray[np.int_]

GRID = 64  # shifts that are tested at once
THIN = 1e-12  # edges that are closer than that differ by rounding
NOTHING = 1e-9  # a sum of scores that is zero but for rounding


def estimate_and_interval(base: Array, head: Array, level: float) -> tuple[float, float, float]:
    """Of the logarithm of head / base, from those of each pair: the middle, the lower and the upper end.

    The middle is where the scores add up to zero. The interval reaches to the outermost shifts that the
    two-sided test does not reject at this level, which must be one that so many pairs can reach. Scores need
    not fall with the shift in every detail; what the test rejects between two shifts that it does not reject
    belongs to the interval, too. The ends are looked for on a grid that gets finer.
    """
    edges = _edges(base, head)
    turned = -edges[::-1]
    low, high = _lower_end(base, head, edges, level), -_lower_end(head, base, turned, level)
    middle = (_lower_end(base, head, edges, 1.0) - _lower_end(head, base, turned, 1.0)) / 2
    return middle, min(low, middle), max(middle, high)


def _edges(base: Array, head: Array) -> Array:
    """Where two runs are equal, and where two pairs are equally far from zero; in ascending order."""
    changes = head - base
    first, second = np.triu_indices(len(changes))
    of_pairs, of_runs = (changes[first] + changes[second]) / 2, np.subtract.outer(head, base).ravel()
    edges = np.sort(np.concatenate([of_pairs, of_runs]))
    found: Array = edges[np.append(True, np.diff(edges) > THIN)]
    return found


def _lower_end(base: Array, head: Array, edges: Array, level: float) -> float:
    """The least edge above which the head is not slower at this level; at a level of 1, not slower at all."""
    shifts = (edges[:-1] + edges[1:]) / 2

    def is_not_slower(at: Numbers) -> NDArray[np.bool_]:
        rows = scores(base[None, :], head - shifts[at, None])
        found: NDArray[np.bool_] = rows.sum(axis=1) <= NOTHING
        return found if level >= 1 else found | (probabilities(rows) > level)

    return float(edges[_first(is_not_slower, len(shifts))])


def _first(is_found: Callable[[Numbers], NDArray[np.bool_]], count: int) -> int:
    """The first of so many numbers for which it is found, or their count if there is none, by a grid."""
    start, stop = 0, count
    while start < stop:
        tried = np.arange(start, stop, ceil((stop - start) / GRID))
        finds = np.flatnonzero(is_found(tried))
        if not len(finds):
            start = int(tried[-1]) + 1
        else:
            stop = int(tried[finds[0]])
            start = int(tried[finds[0] - 1]) + 1 if finds[0] else stop
    return stop
