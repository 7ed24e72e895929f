"""How strongly each pair speaks for a slower head: what the test of a ratio adds up.

Two scores are added, each scaled to the same length:

1. the signed rank of the logarithm of head / base (Wilcoxon), which listens to every pair alike;
2. the difference of log(rank / (N + 1)) of its two runs among all N runs, head and base together, which
   listens to the fastest runs: what disturbs a run makes it slower, so that these tell most about the program
   (I. R. Savage: Contributions to the Theory of Rank Order Statistics. 1956, turned to the lower tail).

If head and base of a pair change places, its score changes sign and nothing else changes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def scores(base: Array, head: Array) -> Array:
    """Of all pairs, row by row, from logarithms; a single row stands beside every row of the other side."""
    base, head = np.broadcast_arrays(base, head)
    change = head - base
    by_pair = np.sign(change) * mid_ranks(np.abs(change))
    pairs = change.shape[1]
    speed = np.log(mid_ranks(np.hstack([base, head])) / (2 * pairs + 1))
    return _scaled(by_pair) + _scaled(speed[:, pairs:] - speed[:, :pairs])


def mid_ranks(rows: Array) -> Array:
    """From 1 on, within each row; tied values share the mean of their ranks."""
    order = np.argsort(rows, axis=1)
    ascending = np.take_along_axis(rows, order, axis=1)
    numbers = np.arange(rows.shape[1])
    is_step = ascending[:, 1:] != ascending[:, :-1]
    places = np.broadcast_to(numbers + 1.0, rows.shape)
    if not is_step.all():
        edge = np.ones((len(rows), 1), dtype=bool)
        first = np.maximum.accumulate(np.where(np.hstack([edge, is_step]), numbers, 0), axis=1)
        last = np.where(np.hstack([is_step, edge]), numbers, len(numbers))
        places = (first + np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]) / 2 + 1
    ranks = np.empty(rows.shape)
    np.put_along_axis(ranks, order, places, axis=1)
    return ranks


def _scaled(rows: Array) -> Array:
    """To a length of 1, or 0 if there is none."""
    lengths = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    scaled: Array = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return scaled
