"""The dense process is eq. 8, and fits find likelier hyperparameters."""

from dataclasses import replace
from math import log, pi

import numpy as np
import pytest
from hypothesis import given

from sonde.numerics.gaussian_processes.dense import GaussianProcess, fit, fit_with_noise
from sonde.numerics.gaussian_processes.kernels import (
    Brownian,
    Matern32,
    Matern52,
    RadialBasis,
    RationalQuadratic,
)
from sonde.numerics.gaussian_processes.observations import Observations
from tests.numerics.gaussian_processes.strategies import (
    FEW_EXAMPLES,
    GRID,
    KERNELS,
    MODERATE,
    SOME_EXAMPLES,
    VALUES,
    exact_observations,
    noisy_observations,
)

UNIT_KERNELS = (
    RadialBasis(1.0, 1.0),
    RationalQuadratic(1.0, 1.0, 1.0),
    Brownian(1.0),
    Matern32(1.0, 1.0),
    Matern52(1.0, 1.0),
)


def equation_8(process, observations, x):
    """Letter by letter, where K(x, x) includes the noise."""
    kernel, at = process.kernel, observations.positions
    noise = np.diag(process.noise_variance * observations.relative_noise)
    inverse = np.linalg.inv(kernel.covariance(at, at) + noise)
    to_seen = kernel.covariance(x, at)
    mean = process.mean + to_seen @ inverse @ (observations.values - process.mean)
    variance = np.diag(kernel.covariance(x, x)) - np.diag(to_seen @ inverse @ kernel.covariance(at, x))
    return mean, variance


def density(process, observations):
    """Of a multivariate normal distribution, letter by letter."""
    at, distance = observations.positions, observations.values - process.mean
    covariance = process.kernel.covariance(at, at)
    covariance += np.diag(process.noise_variance * observations.relative_noise)
    square = distance @ np.linalg.inv(covariance) @ distance
    return -0.5 * (square + np.linalg.slogdet(covariance)[1] + at.size * log(2 * pi))


@SOME_EXAMPLES
@given(kernel=KERNELS, noise=MODERATE, mean=VALUES, observations=noisy_observations())
def test_the_posterior_is_equation_8(kernel, noise, mean, observations):
    process = GaussianProcess(kernel, noise, mean)
    posterior = process.condition(observations)
    expected_mean, expected_variance = equation_8(process, observations, GRID)

    np.testing.assert_allclose(posterior.mean(GRID), expected_mean, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(posterior.variance(GRID), expected_variance, rtol=1e-8, atol=1e-8)


@SOME_EXAMPLES
@given(kernel=KERNELS, noise=MODERATE, mean=VALUES, observations=noisy_observations())
def test_the_likelihood_is_that_of_a_normal_distribution(kernel, noise, mean, observations):
    process = GaussianProcess(kernel, noise, mean)

    assert process.log_marginal_likelihood(observations) == pytest.approx(
        density(process, observations), rel=1e-8, abs=1e-8
    )


@SOME_EXAMPLES
@given(kernel=KERNELS, noise=MODERATE, observations=noisy_observations())
def test_observing_never_adds_variance(kernel, noise, observations):
    variance = GaussianProcess(kernel, noise).condition(observations).variance(GRID)

    assert np.all(variance >= 0)
    assert np.all(variance <= kernel.diagonal(GRID) + 1e-9)


@SOME_EXAMPLES
@given(variance=MODERATE, lengthscale=MODERATE, observations=exact_observations())
def test_without_noise_the_posterior_goes_through_the_observations(variance, lengthscale, observations):
    for kernel in (Brownian(variance), Matern32(variance, lengthscale)):
        posterior = GaussianProcess(kernel).condition(observations)

        np.testing.assert_allclose(posterior.mean(observations.positions), observations.values, atol=1e-6)
        np.testing.assert_allclose(posterior.variance(observations.positions), 0.0, atol=1e-6)


@FEW_EXAMPLES
@given(kernel=KERNELS, observations=noisy_observations())
def test_a_fit_is_not_less_likely_than_its_beginning(kernel, observations):
    process = GaussianProcess(kernel, 1.0, float(np.mean(observations.values)))
    fitted, fitted_with_noise = fit(process, observations), fit_with_noise(process, observations)
    likelihoods = [
        each.log_marginal_likelihood(observations) for each in (process, fitted, fitted_with_noise)
    ]

    assert min(likelihoods[1:]) >= likelihoods[0]
    assert (fitted.noise_variance, fitted.mean) == (process.noise_variance, process.mean)


@pytest.mark.parametrize("kernel", UNIT_KERNELS)
def test_a_fit_is_at_least_as_likely_as_the_process_that_made_the_values(kernel):
    rng = np.random.default_rng(1)
    x = np.linspace(0.5, 30.0, 60)
    truth = GaussianProcess(replace(kernel, variance=49.0), 1.0)
    covariance = truth.kernel.covariance(x, x) + np.eye(x.size)
    observations = Observations.of(x, np.linalg.cholesky(covariance) @ rng.standard_normal(x.size))
    fitted = fit_with_noise(GaussianProcess(kernel, 0.1), observations)

    assert fitted.log_marginal_likelihood(observations) >= truth.log_marginal_likelihood(observations)
    assert 15 < fitted.kernel.variance < 150  # 49, from one sample of the process


@pytest.mark.parametrize("kernel", UNIT_KERNELS)
@pytest.mark.parametrize("values", [[3.0], [3.0, 3.0, 3.0, 3.0], [0.0, 0.0, 0.0]])
def test_one_observation_and_constant_values_can_be_fitted(kernel, values):
    observations = Observations.of(np.arange(1.0, len(values) + 1), values)
    for fitted in (
        fit(GaussianProcess(kernel), observations),
        fit_with_noise(GaussianProcess(kernel, 0.1), observations),
    ):
        posterior = fitted.condition(observations)

        assert np.all(np.isfinite(posterior.mean(GRID)))
        assert np.all(np.isfinite(posterior.variance(GRID)))


def test_jitter_helps_where_smooth_kernels_are_singular():
    x = np.linspace(0.0, 1.0, 30)
    posterior = GaussianProcess(RadialBasis(1.0, 5.0)).condition(Observations.of(x, np.sin(x)))

    np.testing.assert_allclose(posterior.mean(x), np.sin(x), atol=1e-4)


def test_duplicates_need_noise():
    observations = Observations.of([1.0, 2.0, 2.0], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="share position 2"):
        GaussianProcess(Matern32(1.0, 1.0)).condition(observations)

    posterior = GaussianProcess(Matern32(1.0, 1.0), 1e-6).condition(observations)
    assert posterior.mean([2.0])[0] == pytest.approx(2.5, abs=1e-4)


def test_what_is_known_already_cannot_be_observed_exactly():
    with pytest.raises(ValueError, match="position 0 is known already"):
        GaussianProcess(Brownian(1.0)).condition(Observations.of([0.0, 1.0], [5.0, 5.0]))


def test_a_likelihood_that_is_not_finite_is_an_error():
    with pytest.raises(ValueError, match="is -inf"):
        GaussianProcess(Brownian(1e-300)).log_marginal_likelihood(Observations.of([1.0], [1e100]))


def test_noise_to_fit_needs_a_positive_guess():
    with pytest.raises(ValueError, match="begin with is 0"):
        fit_with_noise(GaussianProcess(Brownian(1.0)), Observations.of([1.0], [1.0]))


@pytest.mark.parametrize(("noise", "mean"), [(-1.0, 0.0), (np.nan, 0.0), (0.0, np.inf)])
def test_noise_and_mean_are_checked(noise, mean):
    with pytest.raises(ValueError, match="and not"):
        GaussianProcess(Brownian(1.0), noise, mean)
