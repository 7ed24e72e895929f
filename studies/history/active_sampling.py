"""Active sampling with any kernel, as in section III of the paper: measure where the variance is largest.

Values are divided by the mean of those that were measured. Kernels have that mean, a constant, and a noise
that is fitted with their hyperparameters by marginal likelihood after every sample, as GPy does. One row has
what GPy begins with and what explains the paper's figures: a mean of zero and a lengthscale of one revision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sonde.numerics.gaussian_processes.brownian import BrownianMotion, FreeStart
from sonde.numerics.gaussian_processes.brownian_fit import fit_variance, fit_variance_and_noise
from sonde.numerics.gaussian_processes.dense import GaussianProcess, fit_with_noise
from sonde.numerics.gaussian_processes.kernels import (
    Kernel,
    Matern32,
    Matern52,
    RadialBasis,
    RationalQuadratic,
)
from sonde.numerics.gaussian_processes.observations import Array, Observations

BROWNIAN = "Brownian"
EXACT_BROWNIAN = "Brownian, no noise"
UNINFORMED = "RBF, zero mean, from 1 revision"
REACH = 0.1  # of the history: the lengthscale that a fit begins with
NOISE = 0.01  # of the variance: the noise that a fit begins with
TINY = 1e-12  # the variance where all samples are equal


@dataclass(frozen=True)
class Course:
    """Estimates of all revisions after so many samples."""

    mean: Array
    deviation: Array  # relative to the mean of the samples


Estimate = Callable[[Observations, Array], tuple[Array, Array]]  # means and variances on a grid


def dense(kernel: Callable[[float], Kernel], mean: float = 1.0, reach: float = REACH) -> Estimate:
    """Estimates by a kernel that is given the lengthscale to begin with; `reach` is that over the history."""

    def estimate(seen: Observations, grid: Array) -> tuple[Array, Array]:
        lengthscale = reach * len(grid) if reach else 1.0
        start = GaussianProcess(kernel(lengthscale), NOISE, mean)
        is_flat = float(np.ptp(seen.values)) == 0
        process = GaussianProcess(start.kernel, NOISE, mean) if is_flat else fit_with_noise(start, seen)
        posterior = process.condition(seen)
        return posterior.mean(grid), posterior.variance(grid) * (TINY if is_flat else 1.0)

    return estimate


def brownian(seen: Observations, grid: Array) -> tuple[Array, Array]:
    """The fast Brownian motion with a free start and a fitted noise."""
    posterior = fit_variance_and_noise(seen, FreeStart()).condition(seen)
    return posterior.mean(grid), posterior.variance(grid)


def exact_brownian(seen: Observations, grid: Array) -> tuple[Array, Array]:
    """The fast Brownian motion without noise: lines between samples."""
    variance = fit_variance(seen, 0.0, FreeStart()).variance
    posterior = BrownianMotion(variance, 0.0, FreeStart()).condition(seen)
    return posterior.mean(grid), posterior.variance(grid)


KERNELS: Mapping[str, Estimate] = {
    "RBF": dense(lambda reach: RadialBasis(1.0, reach)),
    "RQ": dense(lambda reach: RationalQuadratic(1.0, reach, 1.0)),
    BROWNIAN: brownian,
    "Matern 3/2": dense(lambda reach: Matern32(1.0, reach)),
    "Matern 5/2": dense(lambda reach: Matern52(1.0, reach)),
    EXACT_BROWNIAN: exact_brownian,
    UNINFORMED: dense(lambda reach: RadialBasis(1.0, reach), mean=0.0, reach=0.0),
}


def sample_actively(estimate: Estimate, values: Sequence[float], sizes: Sequence[int]) -> tuple[Course, ...]:
    """The courses after each of the sizes, which increase; both ends and the middle are measured first."""
    true = np.array(values)
    grid = np.arange(len(true), dtype=np.float64)
    measured = [0, len(true) // 2, len(true) - 1]
    courses: list[Course] = []
    while True:
        unit = float(true[measured].mean())
        mean, variance = estimate(Observations.of(measured, true[measured] / unit), grid)
        courses += [Course(mean * unit, np.sqrt(variance))] * sizes.count(len(measured))
        if len(measured) >= sizes[-1]:
            return tuple(courses)
        variance[measured] = -1.0
        measured.append(int(np.argmax(variance)))  # eq. 9, over what is not measured
