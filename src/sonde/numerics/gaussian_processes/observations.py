"""What a Gaussian process is conditioned on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Observations:
    """Values at positions, sorted by position; several may share one.

    Make them with `Observations.of`, which sorts and checks.
    """

    positions: Array
    values: Array
    relative_noise: Array  # times the noise variance of a process: the variance of each value

    @classmethod
    def of(cls, positions: ArrayLike, values: ArrayLike, relative_noise: ArrayLike = 1.0) -> Observations:
        """Observations in any order.

        Give 1 / repeats as the relative noise of a mean of repeats. Where the variance of each value is
        known, give these variances, and a process with a noise variance of 1.
        """
        place = one_row(positions, "positions")
        value = one_row(values, "values")
        noise = np.asarray(relative_noise, dtype=np.float64)
        if place.size == 0:
            raise ValueError("No observation is given; a posterior needs one at least.")
        if place.size != value.size:
            raise ValueError(f"There are {place.size} positions and {value.size} values. Give each one.")
        if noise.ndim > 1 or noise.size not in {1, place.size}:
            raise ValueError(
                f"There are {place.size} observations and {noise.size} noises. Give one, or each one."
            )
        if not np.all(np.isfinite(noise)) or np.any(noise < 0):
            raise ValueError("A relative noise is negative or not finite.")
        order = np.argsort(place, kind="stable")
        return cls(place[order], value[order], np.broadcast_to(noise, place.shape)[order])


def one_row(numbers: ArrayLike, name: str) -> Array:
    """The numbers as a new array of one dimension; raises ValueError if they are no such, or not finite."""
    row = np.array(numbers, dtype=np.float64)
    if row.ndim != 1:
        raise ValueError(f"The {name} have {row.ndim} dimensions instead of one.")
    if not np.all(np.isfinite(row)):
        raise ValueError(f"The {name} are not all finite.")
    return row


def require_noise_at_duplicates(observations: Observations, noise_variance: float) -> None:
    """Raise ValueError if two observations without noise share a position, since their values contradict."""
    noiseless = observations.positions[noise_variance * observations.relative_noise == 0]
    repeated = noiseless[1:][np.diff(noiseless) == 0]
    if repeated.size:
        raise ValueError(
            f"Two observations without noise share position {repeated[0]:g}; a known start counts as one. "
            "Give a noise, or omit one."
        )
