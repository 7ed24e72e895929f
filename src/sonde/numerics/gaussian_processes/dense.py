"""A Gaussian process with any kernel, in time cubic in the observations: the oracle of `brownian.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isfinite, log, pi

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_solve, cholesky, solve_triangular
from scipy.optimize import minimize

from sonde.numerics.gaussian_processes.kernels import Kernel, log_hyperparameters, with_log_hyperparameters
from sonde.numerics.gaussian_processes.observations import (
    Array,
    Observations,
    one_row,
    require_noise_at_duplicates,
)

MOST_ITERATIONS = 1000  # of a fit; section IV.B
LOG_REACH = 25.0  # a fit changes no hyperparameter by more than a factor of exp(25) = 7e10
JITTERS = (0.0, 1e-12, 1e-10, 1e-8, 1e-6)  # relative to the mean variance of the observations


@dataclass(frozen=True)
class GaussianProcess:
    """Values that are jointly Gaussian, eq. 7, around a constant mean, each observed with noise.

    A noise variance of 0 means that observations are exact.
    """

    kernel: Kernel
    noise_variance: float = 0.0  # of an observation whose relative noise is 1
    mean: float = 0.0

    def __post_init__(self) -> None:
        if not (isfinite(self.noise_variance) and self.noise_variance >= 0):
            raise ValueError(f"The noise variance is {self.noise_variance}, and not 0 or a positive number.")
        if not isfinite(self.mean):
            raise ValueError(f"The mean is {self.mean}, and not a finite number.")

    def condition(self, observations: Observations) -> Posterior:
        """What is known of the process after these observations."""
        factor = self._factor(observations)
        weights: Array = cho_solve((factor, True), observations.values - self.mean)
        return Posterior(self, observations, factor, weights)

    def log_marginal_likelihood(self, observations: Observations) -> float:
        """Logarithm of the density of the observed values; raises ValueError if it is not finite."""
        log_determinant, square = self._determinant_and_square(observations)
        likelihood = -0.5 * (square + log_determinant + observations.values.size * log(2 * pi))
        if not isfinite(likelihood):
            raise ValueError(f"The likelihood of {self} is {likelihood}. Rescale values or positions.")
        return likelihood

    def best_scaled(self, observations: Observations) -> GaussianProcess:
        """Kernel and noise times the one factor that makes the observations most likely.

        Of values that all equal the mean that factor is 0; then the process stays as it is.
        """
        _, square = self._determinant_and_square(observations)
        scale = square / observations.values.size or 1.0
        kernel = replace(self.kernel, variance=scale * self.kernel.variance)
        return replace(self, kernel=kernel, noise_variance=scale * self.noise_variance)

    def _determinant_and_square(self, observations: Observations) -> tuple[float, float]:
        """Logarithm of the determinant of the covariance C of the values y, and (y - mu)' C^-1 (y - mu)."""
        factor = self._factor(observations)
        whitened = solve_triangular(factor, observations.values - self.mean, lower=True)
        with np.errstate(over="ignore"):  # infinite is answer enough
            square = float(whitened @ whitened)
        return 2 * float(np.sum(np.log(np.diag(factor)))), square

    def _factor(self, observations: Observations) -> Array:
        """Lower triangular L with L L' = K(x, x) + noise."""
        require_noise_at_duplicates(observations, self.noise_variance)
        x = observations.positions
        noise = self.noise_variance * observations.relative_noise
        known = x[self.kernel.diagonal(x) + noise == 0]
        if known.size:
            raise ValueError(
                f"The value at position {known[0]:g} is known already. Give it noise, or omit it."
            )
        covariance = self.kernel.covariance(x, x)
        for jitter in JITTERS:
            added = noise + jitter * np.mean(np.diag(covariance))
            try:
                factor: Array = cholesky(covariance + np.diag(added), lower=True)
            except LinAlgError:
                continue
            return factor
        raise ValueError(
            f"The covariance of {self} at the observations is not positive definite. Give it more noise."
        )


@dataclass(frozen=True, eq=False)
class Posterior:
    """A Gaussian process after observations."""

    prior: GaussianProcess
    observations: Observations
    factor: Array  # of the covariance of the observations, lower triangular
    weights: Array  # K(x, x)^-1 (y - mu)

    def mean(self, positions: ArrayLike) -> Array:
        """m_* at each position."""
        x = one_row(positions, "positions")
        cross = self.prior.kernel.covariance(x, self.observations.positions)
        return self.prior.mean + cross @ self.weights  # eq. 8

    def variance(self, positions: ArrayLike) -> Array:
        """sigma_*^2 at each position: of the value itself, without the noise of observing it."""
        x = one_row(positions, "positions")
        cross = self.prior.kernel.covariance(self.observations.positions, x)
        whitened = solve_triangular(self.factor, cross, lower=True)
        explained: Array = np.sum(whitened**2, axis=0)
        return np.maximum(self.prior.kernel.diagonal(x) - explained, 0.0)  # eq. 8; rounding can go below 0


def fit(process: GaussianProcess, observations: Observations) -> GaussianProcess:
    """The process with the kernel's hyperparameters of largest marginal likelihood; noise and mean stay.

    It searches from the given hyperparameters, and never returns anything less likely than these.
    """

    def build(logarithms: Array) -> GaussianProcess:
        return replace(process, kernel=with_log_hyperparameters(process.kernel, logarithms))

    return _most_likely(build, log_hyperparameters(process.kernel), observations)


def fit_with_noise(process: GaussianProcess, observations: Observations) -> GaussianProcess:
    """As `fit`, and the noise variance too, which must be positive to begin with.

    It begins with the best scale of kernel and noise, since from a bad one it may end with all noise.
    """
    if process.noise_variance == 0:
        raise ValueError("The noise variance to begin with is 0. Give a positive guess, or use `fit`.")
    process = process.best_scaled(observations)

    def build(logarithms: Array) -> GaussianProcess:
        kernel = with_log_hyperparameters(process.kernel, logarithms[:-1])
        return replace(process, kernel=kernel, noise_variance=float(np.exp(logarithms[-1])))

    start = np.append(log_hyperparameters(process.kernel), log(process.noise_variance))
    return _most_likely(build, start, observations)


def _most_likely(
    build: Callable[[Array], GaussianProcess], start: Array, observations: Observations
) -> GaussianProcess:
    def loss(logarithms: Array) -> float:
        return -build(logarithms).log_marginal_likelihood(observations)

    found = minimize(
        loss,
        start,
        method="L-BFGS-B",
        jac="3-point",
        bounds=[(each - LOG_REACH, each + LOG_REACH) for each in start],
        options={"maxiter": MOST_ITERATIONS},
    )
    return build(found.x if found.fun <= loss(start) else start)
