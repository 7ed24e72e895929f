"""Segmentation from the top: split where that helps most, again and again.

As `ruptures.Binseg(model="l2")`, which RQ3 of the paper on performance histories uses. It is greedy: an early
split is never taken back, so a short excursion inside a long segment can be missed.
"""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import ArrayLike

from sonde.numerics.segmentation.series import Sums, checked_series, checked_weights
from sonde.numerics.segmentation.stopping import Grid, NumberOfChanges, Penalty, Stop

RUPTURES_GRID = Grid()


def split_from_top(values: ArrayLike, stop: Stop, grid: Grid = RUPTURES_GRID) -> tuple[int, ...]:
    """The changes, in order. Of equally good splits, the later one of the earlier segment is made."""
    series = checked_series(values)
    sums = Sums.of(series, checked_weights(None, len(series)))
    changes: list[int] = []
    splits: list[tuple[float, int, int, int]] = []
    _add_best_split(splits, sums, 0, sums.length, grid)
    while splits:
        loss, start, change, end = heapq.heappop(splits)
        match stop:
            case Penalty(cost) if -loss <= cost:
                break
            case NumberOfChanges(number) if len(changes) >= number:
                break
        changes.append(change)
        _add_best_split(splits, sums, start, change, grid)
        _add_best_split(splits, sums, change, end, grid)
    return tuple(sorted(changes))


def _add_best_split(
    splits: list[tuple[float, int, int, int]], sums: Sums, start: int, end: int, grid: Grid
) -> None:
    """Push (minus its gain, start, change, end), so that the heap gives the largest gain first."""
    changes = np.arange(start, end, grid.step)
    changes = changes[(changes - start >= grid.shortest) & (end - changes >= grid.shortest)]
    if len(changes):
        loss = sums.cost(start, changes) + sums.cost(changes, end) - sums.cost(start, end)
        best = len(loss) - 1 - int(np.argmin(loss[::-1]))
        heapq.heappush(splits, (float(loss[best]), start, int(changes[best]), end))
