"""Series of numbers, checked, and what any stretch of them costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[np.float64]
Positions: TypeAlias = NDArray[np.intp]


def checked_series(values: ArrayLike) -> Array:
    """`values` as a new array of one dimension, which may be empty.

    Raises ValueError where a value is missing or infinite: no segmentation can tell what it would have been.
    """
    series = np.array(values, dtype=np.float64)
    if series.ndim != 1:
        raise ValueError(f"The series has {series.ndim} dimensions. Give it as one row of numbers.")
    if not np.isfinite(series).all():
        position = int(np.flatnonzero(~np.isfinite(series))[0])
        raise ValueError(f"Value {position} of the series is {series[position]}. Leave such values out.")
    return series


def checked_weights(weights: ArrayLike | None, length: int) -> Array:
    """`weights` as a new array; None stands for a weight of 1 everywhere.

    Raises ValueError unless there is one for each value, all of them positive.
    """
    if weights is None:
        return np.ones(length)
    checked = checked_series(weights)
    if len(checked) != length:
        raise ValueError(f"There are {length} values, but {len(checked)} weights. Give one for each value.")
    if (checked <= 0).any():
        position = int(np.flatnonzero(checked <= 0)[0])
        raise ValueError(f"Weight {position} is {checked[position]}. Leave out values that do not count.")
    return checked


@dataclass(frozen=True)
class Sums:
    """Sums over the first values of a series, from none of them to all."""

    weight: Array
    value: Array  # of weight * value, about the mean of the series
    square: Array

    @classmethod
    def of(cls, series: Array, weights: Array) -> Sums:
        """The mean is taken off first, lest small squares drown in the sums of large ones."""
        centred = series - np.average(series, weights=weights) if len(series) else series
        return cls(_running(weights), _running(weights * centred), _running(weights * centred**2))

    @property
    def length(self) -> int:
        """How many values the series has."""
        return len(self.weight) - 1

    def cost(self, start: int | Positions, end: int | Positions) -> Array:
        """Squared deviation of `values[start:end]` from their mean, weighted; arrays give many at once."""
        weight = self.weight[end] - self.weight[start]
        value = self.value[end] - self.value[start]
        square = self.square[end] - self.square[start]
        return np.maximum(square - value**2 / weight, 0.0)

    def segments(self, changes: tuple[int, ...]) -> tuple[Array, Array]:
        """The weight of each segment, and its mean about the mean of the series."""
        edges = np.array([0, *changes, self.length])
        weight = np.diff(self.weight[edges])
        return weight, np.diff(self.value[edges]) / weight


def _running(values: Array) -> Array:
    return np.concatenate(([0.0], np.cumsum(values)))
