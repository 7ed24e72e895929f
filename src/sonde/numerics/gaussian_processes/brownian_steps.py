"""The steps between successive observations of a Brownian motion, whose covariance is tridiagonal.

A step is the growth of the motion over its width, and the noise at its end less the noise at its beginning;
so a step covaries with its neighbours only. Noise of 0 and widths of 0 need no care.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log, pi

import numpy as np
from scipy.linalg.lapack import dpttrf, dpttrs

from sonde.numerics.gaussian_processes.observations import Array, Observations


@dataclass(frozen=True, eq=False)
class ObservationSteps:
    """Differences of successive observations."""

    sizes: Array  # of values
    widths: Array  # of positions
    relative_noise: Array  # at both ends of each step, so one more than there are steps

    @classmethod
    def between(cls, observations: Observations) -> ObservationSteps:
        """The steps between these observations."""
        return cls(np.diff(observations.values), np.diff(observations.positions), observations.relative_noise)

    def log_density(self, variance: float, noise_variance: float) -> float:
        """Logarithm of the density of the sizes; raises ValueError if it is not finite."""
        if self.sizes.size == 0:
            return 0.0
        log_determinant, square = self.determinant_and_square(variance, noise_variance)
        density = -0.5 * (self.sizes.size * log(2 * pi) + log_determinant + square)
        if not isfinite(density):
            raise ValueError(
                f"With variance {variance} and noise {noise_variance} the likelihood is {density}. "
                "Rescale values or positions."
            )
        return density

    def determinant_and_square(self, variance: float, noise_variance: float) -> tuple[float, float]:
        """Logarithm of the determinant of the covariance C of the sizes s, and s' C^-1 s."""
        noise = noise_variance * self.relative_noise
        diagonal = variance * self.widths + noise[:-1] + noise[1:]
        beside = -noise[1 : max(diagonal.size, 2)]  # scipy wants one even where there is none, and ignores it
        # `solveh_banded` does the same, but keeps the pivots to itself
        pivots, multipliers, failed_row = dpttrf(diagonal, beside)
        if failed_row:
            raise ValueError(
                f"With variance {variance} and noise {noise_variance} the covariance is singular. "
                "Merge observations that are close, or give them noise."
            )
        solved, _ = dpttrs(pivots, multipliers, self.sizes)
        with np.errstate(over="ignore"):  # infinite is answer enough
            square = float(self.sizes @ solved)
        return float(np.sum(np.log(pivots))), square
