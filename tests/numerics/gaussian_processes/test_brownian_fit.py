"""The likeliest Brownian motion: at least as likely as what the dense fit finds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.numerics.gaussian_processes.brownian import BrownianMotion, FreeStart, StartAt
from sonde.numerics.gaussian_processes.brownian_fit import fit_variance, fit_variance_and_noise
from sonde.numerics.gaussian_processes.dense import GaussianProcess, fit, fit_with_noise
from sonde.numerics.gaussian_processes.kernels import Brownian
from sonde.numerics.gaussian_processes.observations import Observations
from tests.numerics.gaussian_processes.strategies import (
    FEW_EXAMPLES,
    GRID,
    MODERATE,
    SOME_EXAMPLES,
    VALUES,
    exact_observations,
    noisy_observations,
)


def is_moving(observations, mean):
    return np.ptp(np.append(observations.values, mean)) > 1e-3 and observations.positions[-1] > 1e-3


def repeats_a_value(observations, mean):
    """Then the likelihood grows without bound as the noise vanishes, and each fit stops where it likes."""
    widths = np.diff(observations.positions, prepend=0.0)
    sizes = np.diff(observations.values, prepend=mean)
    return np.any((widths < 1e-2) & (np.abs(sizes) < 1e-2))


@FEW_EXAMPLES
@given(noise=MODERATE, mean=VALUES, observations=noisy_observations())
def test_the_variance_is_as_likely_as_that_of_the_dense_fit(noise, mean, observations):
    if not is_moving(observations, mean):
        return
    ours = fit_variance(observations, noise, StartAt(mean))
    theirs = fit(GaussianProcess(Brownian(1.0), noise, mean), observations)

    assert ours.noise_variance == noise
    assert ours.log_marginal_likelihood(observations) >= theirs.log_marginal_likelihood(observations) - 1e-2


@FEW_EXAMPLES
@given(mean=VALUES, observations=noisy_observations(least=3))
def test_variance_and_noise_are_as_likely_as_those_of_the_dense_fit(mean, observations):
    if not is_moving(observations, mean) or repeats_a_value(observations, mean):
        return
    ours = fit_variance_and_noise(observations, StartAt(mean))
    theirs = fit_with_noise(GaussianProcess(Brownian(1.0), 1.0, mean), observations)

    assert ours.log_marginal_likelihood(observations) >= theirs.log_marginal_likelihood(observations) - 1e-2


@SOME_EXAMPLES
@given(mean=VALUES, observations=exact_observations(least=2), factor=st.sampled_from([0.9, 1.1]))
def test_without_noise_the_variance_is_the_mean_square_of_scaled_steps(mean, observations, factor):
    if not is_moving(observations, mean):
        return
    fitted = fit_variance(observations, 0.0, StartAt(mean))
    widths = np.diff(observations.positions, prepend=0.0)
    sizes = np.diff(observations.values, prepend=mean)
    other = BrownianMotion(factor * fitted.variance, 0.0, fitted.start)

    assert fitted.variance == pytest.approx(np.mean(sizes**2 / widths))
    assert other.log_marginal_likelihood(observations) < fitted.log_marginal_likelihood(observations)


@pytest.mark.parametrize("noise", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_a_long_series_gives_its_hyperparameters_back(noise, scale):
    rng = np.random.default_rng(1)
    positions = np.cumsum(rng.uniform(0.0, 2.0, 10_000))
    repeats = rng.integers(1, 4, positions.size)
    motion = np.cumsum(rng.normal(0.0, np.sqrt(np.diff(positions, prepend=0.0))))
    values = scale * (motion + rng.normal(0.0, np.sqrt(noise / repeats)))
    fitted = fit_variance_and_noise(Observations.of(positions, values, 1 / repeats), FreeStart())

    assert fitted.variance == pytest.approx(scale**2, rel=0.15)
    assert fitted.noise_variance == pytest.approx(noise * scale**2, rel=0.1, abs=0.02 * scale**2)


def test_the_scale_of_values_and_positions_does_not_matter():
    rng = np.random.default_rng(2)
    positions, values = np.arange(50.0), np.cumsum(rng.normal(size=50)) + rng.normal(size=50)
    fitted = fit_variance_and_noise(Observations.of(positions, values), FreeStart())
    scaled = fit_variance_and_noise(Observations.of(1000 * positions, 1e-4 * values), FreeStart())

    assert scaled.noise_variance == pytest.approx(1e-8 * fitted.noise_variance, rel=1e-4)
    assert scaled.variance == pytest.approx(1e-11 * fitted.variance, rel=1e-4)


def test_pure_noise_has_next_to_no_growth():
    rng = np.random.default_rng(3)
    fitted = fit_variance_and_noise(Observations.of(np.arange(500.0), rng.normal(size=500)), FreeStart())

    assert fitted.noise_variance == pytest.approx(1.0, rel=0.15)
    assert 500 * fitted.variance < 0.1


@pytest.mark.parametrize("value", [0.0, 5.0, -1e-9])
@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_constant_values_give_a_tiny_variance(value, noise):
    observations = Observations.of(np.arange(6.0), np.full(6, value))
    for fitted in (
        fit_variance(observations, noise, FreeStart()),
        fit_variance_and_noise(observations, FreeStart()),
    ):
        posterior = fitted.condition(observations)

        assert 0 < fitted.variance < 1e-4
        np.testing.assert_allclose(posterior.mean(GRID), value)
        assert np.all(np.isfinite(posterior.variance(GRID)))


@pytest.mark.parametrize("positions", [[3.0], [3.0, 3.0, 3.0]])
def test_one_position_tells_no_variance(positions):
    observations = Observations.of(positions, np.arange(len(positions)))
    with pytest.raises(ValueError, match="at one position"):
        fit_variance(observations, 1.0, FreeStart())
    with pytest.raises(ValueError, match="at one position"):
        fit_variance_and_noise(observations, FreeStart())


def test_exact_observations_have_no_noise_to_fit():
    with pytest.raises(ValueError, match="no noise to fit"):
        fit_variance_and_noise(Observations.of([1.0, 2.0], [1.0, 2.0], 0.0), FreeStart())
