"""How likely a configuration changes at each step: section 3.2."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def likelihoods(measured: Integers, values: Floats, steps: int, threshold: float) -> Floats:
    """p(v) of eq. 5 for each of `steps` steps, from the steps `measured`, in order; it sums to 1.

    All are zero where no two values differ by the threshold.
    """
    raw = raw_likelihoods(measured, values, steps, threshold)
    total = raw.sum()
    return raw / total if total > 0 else raw


def raw_likelihoods(measured: Integers, values: Floats, steps: int, threshold: float) -> Floats:
    """p'(v) of eq. 4 on the sampled steps T: pairs with a < v < b, as printed.

    So the pair of two neighbouring steps counts nowhere: no v lies between them. Their change shows in the
    pairs around them, as much at the one as at the other.

    p' is constant between two samples and sums a rectangle of the matrix of pairs, so the sums over all
    rectangles [first..i] x [j..last] hold every value: O(T² + V), and without differences that cancel.
    """
    count = len(measured)
    if count < 2:
        return np.zeros(steps)
    at = measured.astype(np.float64)
    distances = at[None, :] - at[:, None]
    weights = np.zeros((count, count))
    pairs = (distances > 0) & differ(values[:, None], values[None, :], threshold)
    weights[pairs] = distances[pairs] ** -2.0
    rectangles = np.zeros((count + 1, count + 1))  # [i, j]: the sum over the pairs with a < i and b >= j
    rectangles[1:, :-1] = weights.cumsum(axis=0)[:, ::-1].cumsum(axis=1)[:, ::-1]
    ordinals = np.arange(count)
    raw = np.zeros(steps)
    between = rectangles[ordinals[1:], ordinals[1:]]
    raw[measured[0] + 1 : measured[-1] + 1] = np.repeat(between, np.diff(measured))
    raw[measured] = rectangles[ordinals, ordinals + 1]
    return raw


def differ(one: Floats, other: Floats, threshold: float) -> NDArray[np.bool_]:
    """θ of eq. 3, with τ relative to the smaller value, as 4.2.2 has a relative one.

    So it is the same in both directions: the larger one is at least 1 + threshold times the smaller one.
    """
    return np.abs(one - other) >= threshold * np.minimum(one, other)
