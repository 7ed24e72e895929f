"""Changes where a cumulative sum of deviations exceeds a threshold: CUSUM, as in section II of the paper.

The paper is "Accurate modeling of performance histories for evolving software systems" (ASE 2019). Read
letter by letter, its eq. 2 and 3 add up the measurements themselves; then any series of positive values
raises alarm after alarm. As the text says, s_t must be the deviation between successive measurements,
y_t - y_(t-1); eq. 5 and 6 speak of the measurements y.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sonde.numerics.segmentation.series import Array, checked_series

RANGE_SHARE = 0.05  # eq. 5
DEVIATIONS = 5.0  # eq. 6
SMALLEST_WINDOW = 2
WINDOWS = 100  # sizes that the search tries: every percent of the series


@dataclass(frozen=True)
class CusumChanges:
    """What CUSUM finds with one window."""

    window: int
    threshold: float
    changes: tuple[int, ...]


def detect_by_cusum(values: ArrayLike) -> tuple[int, ...]:
    """The changes at the window in the middle of the longest plateau; none where no window gives any."""
    plateau = find_plateau(values)
    return plateau[(len(plateau) - 1) // 2].changes if plateau else ()


def find_plateau(values: ArrayLike) -> tuple[CusumChanges, ...]:
    """The range of windows, the largest first, in which the number of changes stays the same.

    The search of section II: the window shrinks from the whole series to two values, by one percent of the
    series at a time (by one value in a short series). A plateau is a run of windows, without a gap, that give
    the same number of changes, one at least. The longest is taken; of equally long ones that of the larger
    windows, for a smaller window is more prone to false alarms. It is empty where no window gives a change.
    """
    series = checked_series(values)
    sizes = np.unique(np.linspace(SMALLEST_WINDOW, max(len(series), SMALLEST_WINDOW), WINDOWS).round())
    windows = [int(size) for size in sizes[::-1] if size <= len(series)]
    found = _with_windows(series, windows)
    plateaus = [tuple(run) for number, run in groupby(found, lambda each: len(each.changes)) if number]
    return max(plateaus, key=len, default=())


def detect_with_window(values: ArrayLike, window: int) -> CusumChanges:
    """Eq. 1 to 6 for one size of the sliding window, from 2 to the length of the series."""
    series = checked_series(values)
    if not SMALLEST_WINDOW <= window <= len(series):
        raise ValueError(
            f"A window of {window} values does not fit a series of {len(series)}. "
            f"Choose one from {SMALLEST_WINDOW} to the length of the series."
        )
    return _with_windows(series, [window])[0]


def _with_windows(series: Array, windows: list[int]) -> list[CusumChanges]:
    if not windows:
        return []
    drift = RANGE_SHARE * float(np.ptp(series))  # eq. 5
    thresholds = DEVIATIONS * _mean_deviations(series, windows)  # eq. 6
    alarms = _alarms(np.diff(series), drift, thresholds)
    return [
        CusumChanges(window, float(threshold), tuple(int(at) + 1 for at in np.flatnonzero(alarms[:, column])))
        for column, (window, threshold) in enumerate(zip(windows, thresholds, strict=True))
    ]


def _alarms(deviations: Array, drift: float, thresholds: Array) -> NDArray[np.bool_]:
    """Whether either sum exceeds each threshold, eq. 1 to 4; a row a deviation, a column a threshold."""
    alarms = np.zeros((len(deviations), len(thresholds)), dtype=np.bool_)
    rise = np.zeros(len(thresholds))  # g+, eq. 1
    fall = np.zeros(len(thresholds))  # g-, eq. 1
    limits = np.where(thresholds > 0, thresholds, np.inf)  # eq. 4: h > 0
    for at, deviation in enumerate(deviations.tolist()):
        rise = np.maximum(rise + (deviation - drift), 0.0)  # eq. 2
        fall = np.maximum(fall - (deviation + drift), 0.0)  # eq. 3
        has_risen, has_fallen = rise > limits, fall > limits
        alarms[at] = has_risen | has_fallen
        rise[has_risen] = 0.0  # eq. 4: the other sum goes on
        fall[has_fallen] = 0.0
    return alarms


def _mean_deviations(series: Array, windows: list[int]) -> Array:
    """For each size, the mean of the standard deviations of all windows of that size.

    Eq. 6 as printed sums a deviation that does not depend on i over i, and divides by one window too few.
    The sums are of centred values in extended precision, since the variance is a small difference of them.
    """
    centred = (series - np.mean(series)).astype(np.longdouble)
    sums = np.concatenate(([0], np.cumsum(centred)))
    squares = np.concatenate(([0], np.cumsum(centred**2)))
    deviations = []
    for window in windows:
        means = (sums[window:] - sums[:-window]) / window
        variances = (squares[window:] - squares[:-window]) / window - means**2
        deviations.append(float(np.sqrt(np.maximum(variances, 0)).mean()))
    return np.array(deviations)
