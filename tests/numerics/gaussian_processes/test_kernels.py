"""Kernels are those of the literature, and are kernels."""

import numpy as np
import pytest
from hypothesis import given
from sklearn.gaussian_process import kernels as sklearn_kernels

from sonde.numerics.gaussian_processes.kernels import (
    Brownian,
    Matern32,
    Matern52,
    RadialBasis,
    RationalQuadratic,
    log_hyperparameters,
    with_log_hyperparameters,
)
from tests.numerics.gaussian_processes.strategies import KERNELS, MODERATE, POSITIONS, SOME_EXAMPLES, rows


@SOME_EXAMPLES
@given(x=rows(POSITIONS), y=rows(POSITIONS), variance=MODERATE, lengthscale=MODERATE, alpha=MODERATE)
def test_stationary_kernels_are_those_of_scikit_learn(x, y, variance, lengthscale, alpha):
    for ours, theirs in (
        (RadialBasis(variance, lengthscale), sklearn_kernels.RBF(lengthscale)),
        (
            RationalQuadratic(variance, lengthscale, alpha),
            sklearn_kernels.RationalQuadratic(lengthscale, alpha),
        ),
        (Matern32(variance, lengthscale), sklearn_kernels.Matern(lengthscale, nu=1.5)),
        (Matern52(variance, lengthscale), sklearn_kernels.Matern(lengthscale, nu=2.5)),
    ):
        np.testing.assert_allclose(
            ours.covariance(x, y), variance * theirs(x[:, None], y[:, None]), rtol=1e-9, atol=1e-12
        )


@SOME_EXAMPLES
@given(x=rows(POSITIONS), y=rows(POSITIONS), variance=MODERATE)
def test_the_brownian_covariance_is_the_smaller_position(x, y, variance):
    expected = [[variance * min(one, other) for other in y] for one in x]

    np.testing.assert_array_equal(Brownian(variance).covariance(x, y), expected)


@SOME_EXAMPLES
@given(kernel=KERNELS, x=rows(POSITIONS))
def test_covariances_are_symmetric_and_positive_semidefinite(kernel, x):
    covariance = kernel.covariance(x, x)

    np.testing.assert_array_equal(covariance, covariance.T)
    assert np.min(np.linalg.eigvalsh(covariance)) >= -1e-12 * x.size * max(np.max(covariance), 1.0)


@SOME_EXAMPLES
@given(kernel=KERNELS, x=rows(POSITIONS))
def test_the_diagonal_is_that_of_the_covariance(kernel, x):
    np.testing.assert_array_equal(kernel.diagonal(x), np.diag(kernel.covariance(x, x)))


@SOME_EXAMPLES
@given(kernel=KERNELS)
def test_hyperparameters_survive_their_logarithms(kernel):
    again = with_log_hyperparameters(kernel, log_hyperparameters(kernel))

    assert type(again) is type(kernel)
    np.testing.assert_allclose(log_hyperparameters(again), log_hyperparameters(kernel), atol=1e-14)


@SOME_EXAMPLES
@given(x=rows(POSITIONS), variance=MODERATE, lengthscale=MODERATE)
def test_a_rational_quadratic_of_large_alpha_is_a_radial_basis(x, variance, lengthscale):
    np.testing.assert_allclose(
        RationalQuadratic(variance, lengthscale, 1e12).covariance(x, x),
        RadialBasis(variance, lengthscale).covariance(x, x),
        atol=1e-8,
    )


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, np.inf])
def test_hyperparameters_must_be_positive(value):
    with pytest.raises(ValueError, match="Matern32: lengthscale is"):
        Matern32(1.0, value)


def test_brownian_positions_are_not_negative():
    with pytest.raises(ValueError, match="Position -1 is negative"):
        Brownian(1.0).covariance(np.array([-1.0]), np.array([1.0]))
