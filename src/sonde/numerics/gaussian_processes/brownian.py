"""Brownian motion, exactly and in linear time: what `dense.py` gives with the Brownian kernel.

What equals what:

- `StartAt(mean)` is the kernel sigma^2 min(x, y) around that mean: the value at position 0 is the mean. GPy's
  `Brownian` is `StartAt(0)` where positions are not negative, but GPy adds 1e-8 to every noise variance.
- `FreeStart()` assumes nothing before the first observation. Where that one is exact, it is the kernel with
  positions counted from there, and its value as the mean.
- Without noise the two differ only before the first observation: `StartAt` gives a bridge from (0, mean), and
  `FreeStart` the first value with a variance of sigma^2 times the distance. In a gap of width w between
  observations both give the line that joins them, with the variance sigma^2 t (1 - t) w at the part t of the
  gap, and after the last one its value, with a variance of sigma^2 times the distance.
- With noise the two differ everywhere, and the less the farther from the start.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite

import numpy as np
from numpy.typing import ArrayLike

from sonde.numerics.gaussian_processes.brownian_steps import ObservationSteps
from sonde.numerics.gaussian_processes.kernels import require_positions_from_zero
from sonde.numerics.gaussian_processes.observations import (
    Array,
    Observations,
    one_row,
    require_noise_at_duplicates,
)


@dataclass(frozen=True)
class StartAt:
    """The value at position 0 is known, and no position is negative."""

    value: float


@dataclass(frozen=True)
class FreeStart:
    """Nothing is known before the first observation, and positions may be negative."""


Start = StartAt | FreeStart


@dataclass(frozen=True)
class BrownianMotion:
    """A value that changes by independent steps, observed with noise, or exactly if that is 0."""

    variance: float  # sigma^2, a unit of position
    noise_variance: float  # of an observation whose relative noise is 1
    start: Start

    def __post_init__(self) -> None:
        if not (isfinite(self.variance) and self.variance > 0):
            raise ValueError(f"The variance is {self.variance}, and not a positive number.")
        if not (isfinite(self.noise_variance) and self.noise_variance >= 0):
            raise ValueError(f"The noise variance is {self.noise_variance}, and not 0 or a positive number.")

    def condition(self, observations: Observations) -> BrownianPosterior:
        """What is known of the motion after these observations."""
        seen = with_start(observations, self.start)
        require_noise_at_duplicates(seen, self.noise_variance)
        noise = self.noise_variance * seen.relative_noise
        growth = self.variance * np.diff(seen.positions)
        left = _beliefs(seen.values, noise, growth)
        right = _beliefs(seen.values[::-1], noise[::-1], growth[::-1])
        return BrownianPosterior(
            self, seen.positions, left, OneSidedMoments(right.mean[::-1], right.variance[::-1])
        )

    def log_marginal_likelihood(self, observations: Observations) -> float:
        """Logarithm of the density of the observed values; raises ValueError if it is not finite.

        With a free start it is the density of the steps between observations: the first value has none.
        """
        seen = with_start(observations, self.start)
        require_noise_at_duplicates(seen, self.noise_variance)
        return ObservationSteps.between(seen).log_density(self.variance, self.noise_variance)


@dataclass(frozen=True, eq=False)
class OneSidedMoments:
    """Mean and variance of the value at each observation, from it and all observations on one side of it."""

    mean: Array
    variance: Array


@dataclass(frozen=True, eq=False)
class BrownianPosterior:
    """A Brownian motion after observations."""

    prior: BrownianMotion
    positions: Array  # of the observations, and of a known start
    from_left: OneSidedMoments
    from_right: OneSidedMoments

    def mean(self, positions: ArrayLike) -> Array:
        """Mean at each position, which may be in any order."""
        left, right = self._neighbours(positions)
        return left.mean + _weight_of_right(left, right) * (right.mean - left.mean)

    def variance(self, positions: ArrayLike) -> Array:
        """Variance at each position: of the value itself, without the noise of observing it."""
        left, right = self._neighbours(positions)
        weight = _weight_of_right(left, right)
        return np.multiply(
            weight, right.variance, out=left.variance.copy(), where=np.isfinite(right.variance)
        )

    def _neighbours(self, positions: ArrayLike) -> tuple[OneSidedMoments, OneSidedMoments]:
        """What either side tells about each position; of no observation, an infinite variance."""
        x = one_row(positions, "positions")
        if isinstance(self.prior.start, StartAt):
            require_positions_from_zero(x)
        index = np.searchsorted(self.positions, x, side="right")
        beyond = np.append(self.positions, self.positions[-1])[index] - x
        past = x - np.insert(self.positions, 0, self.positions[0])[index]
        growth = self.prior.variance
        left = OneSidedMoments(
            np.insert(self.from_left.mean, 0, 0.0)[index],
            np.insert(self.from_left.variance, 0, inf)[index] + growth * past,
        )
        right = OneSidedMoments(
            np.append(self.from_right.mean, 0.0)[index],
            np.append(self.from_right.variance, inf)[index] + growth * beyond,
        )
        return left, right


def with_start(observations: Observations, start: Start) -> Observations:
    """The observations, before which a known start stands as an exact one."""
    if isinstance(start, FreeStart):
        return observations
    require_positions_from_zero(observations.positions)
    return Observations(
        np.insert(observations.positions, 0, 0.0),
        np.insert(observations.values, 0, start.value),
        np.insert(observations.relative_noise, 0, 0.0),
    )


def _beliefs(values: Array, noise: Array, growth: Array) -> OneSidedMoments:
    """A Kalman filter. It only adds and multiplies positive variances, so small ones stay exact."""
    mean, variance = float(values[0]), float(noise[0])
    means, variances = [mean], [variance]
    for value, its_noise, step in zip(values[1:].tolist(), noise[1:].tolist(), growth.tolist(), strict=True):
        predicted = variance + step
        weight_of_past = its_noise / (predicted + its_noise)
        mean = value + weight_of_past * (mean - value)
        variance = weight_of_past * predicted
        means.append(mean)
        variances.append(variance)
    return OneSidedMoments(np.array(means), np.array(variances))


def _weight_of_right(left: OneSidedMoments, right: OneSidedMoments) -> Array:
    both = left.variance + right.variance
    return np.divide(left.variance, both, out=np.ones_like(both), where=np.isfinite(left.variance))
