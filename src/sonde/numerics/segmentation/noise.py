"""How much successive values of a series differ without any change."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from sonde.numerics.segmentation.series import checked_series, checked_weights

# Median of the absolute value of a standard normal variable.
MEDIAN_OF_NORMAL = 0.6745

# Measuring does not give the very same value nine times in ten. Where successive values repeat that often the
# metric is exact, and those that differ do so by changes, not by noise.
EXACT_SHARE = 0.9


def estimate_noise(logs: ArrayLike, floor: float, weights: ArrayLike | None = None) -> float:
    """Standard deviation of one value of a series of logs, of weight 1, but at least `floor`.

    From the median of the absolute first differences, so that changes count little as long as they are few.
    Differences of exactly zero are left out: recordings fill what is missing with the value before.
    """
    if not floor > 0:
        raise ValueError(f"The floor of the noise is {floor}, but it has to be positive.")
    series = checked_series(logs)
    variance = 1 / checked_weights(weights, len(series))
    differences = np.diff(series) / np.sqrt((variance[1:] + variance[:-1]) / 2)
    differing = np.abs(differences[differences != 0])
    if len(differing) <= (1 - EXACT_SHARE) * len(differences):
        return floor
    return max(floor, float(np.median(differing)) / (MEDIAN_OF_NORMAL * sqrt(2)))
