"""Brownian motion in linear time equals the dense process, and without noise is a bridge."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.numerics.gaussian_processes.brownian import BrownianMotion, FreeStart, StartAt
from sonde.numerics.gaussian_processes.dense import GaussianProcess
from sonde.numerics.gaussian_processes.kernels import Brownian
from sonde.numerics.gaussian_processes.observations import Observations
from tests.numerics.gaussian_processes.strategies import (
    GRID,
    MODERATE,
    SOME_EXAMPLES,
    VALUES,
    exact_observations,
    noisy_observations,
)


def assert_same_posterior(motion, process, observations):
    ours, theirs = motion.condition(observations), process.condition(observations)
    x = np.append(GRID, observations.positions)
    np.testing.assert_allclose(ours.mean(x), theirs.mean(x), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(ours.variance(x), theirs.variance(x), rtol=1e-8, atol=1e-8)


@SOME_EXAMPLES
@given(variance=MODERATE, noise=MODERATE, mean=VALUES, observations=noisy_observations())
def test_with_noise_it_equals_the_dense_process(variance, noise, mean, observations):
    motion = BrownianMotion(variance, noise, StartAt(mean))
    process = GaussianProcess(Brownian(variance), noise, mean)

    assert_same_posterior(motion, process, observations)
    assert motion.log_marginal_likelihood(observations) == pytest.approx(
        process.log_marginal_likelihood(observations), rel=1e-8, abs=1e-8
    )


@SOME_EXAMPLES
@given(variance=MODERATE, mean=VALUES, observations=exact_observations())
def test_without_noise_it_equals_the_dense_process(variance, mean, observations):
    motion = BrownianMotion(variance, 0.0, StartAt(mean))
    process = GaussianProcess(Brownian(variance), 0.0, mean)

    assert_same_posterior(motion, process, observations)
    assert motion.log_marginal_likelihood(observations) == pytest.approx(
        process.log_marginal_likelihood(observations), rel=1e-8, abs=1e-8
    )


@SOME_EXAMPLES
@given(variance=MODERATE, noise=MODERATE, observations=noisy_observations())
def test_a_free_start_is_the_limit_of_a_vague_one(variance, noise, observations):
    """A start that is known, but long before, is vague at the first observation."""
    long_before = 1e9
    shifted = Observations.of(
        observations.positions + long_before, observations.values, observations.relative_noise
    )
    free = BrownianMotion(variance, noise, FreeStart()).condition(observations)
    vague = BrownianMotion(variance, noise, StartAt(0.0)).condition(shifted)

    np.testing.assert_allclose(free.mean(GRID), vague.mean(GRID + long_before), atol=1e-4)
    np.testing.assert_allclose(free.variance(GRID), vague.variance(GRID + long_before), atol=1e-4)


@SOME_EXAMPLES
@given(variance=MODERATE, observations=exact_observations(), is_free=st.booleans())
def test_without_noise_gaps_are_bridges(variance, observations, is_free):
    start = FreeStart() if is_free else StartAt(1.0)
    posterior = BrownianMotion(variance, 0.0, start).condition(observations)
    x, y = observations.positions, observations.values
    part = np.linspace(0.0, 1.0, 7)
    for left, right in pairwise(x):
        inside = left + part * (right - left)
        np.testing.assert_allclose(posterior.mean(inside), np.interp(inside, x, y), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(
            posterior.variance(inside), variance * part * (1 - part) * (right - left), atol=1e-9
        )
    np.testing.assert_array_equal(posterior.mean(x), y)
    np.testing.assert_array_equal(posterior.variance(x), 0.0)


@SOME_EXAMPLES
@given(variance=MODERATE, mean=VALUES, observations=exact_observations())
def test_without_noise_the_ends_are_as_documented(variance, mean, observations):
    first, last = observations.positions[[0, -1]]
    before = np.linspace(0.0, first, 5)
    after = last + np.linspace(0.0, 9.0, 5)
    free = BrownianMotion(variance, 0.0, FreeStart()).condition(observations)
    known = BrownianMotion(variance, 0.0, StartAt(mean)).condition(observations)

    np.testing.assert_array_equal(free.mean(before), observations.values[0])
    np.testing.assert_allclose(free.variance(before), variance * (first - before), atol=1e-12)
    line = mean + (observations.values[0] - mean) * before / first
    np.testing.assert_allclose(known.mean(before), line, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(
        known.variance(before), variance * before * (first - before) / first, atol=1e-9
    )
    for posterior in (free, known):
        np.testing.assert_array_equal(posterior.mean(after), observations.values[-1])
        np.testing.assert_allclose(posterior.variance(after), variance * (after - last), atol=1e-12)


@SOME_EXAMPLES
@given(variance=MODERATE, observations=exact_observations(least=2))
def test_a_free_start_at_an_exact_observation_is_the_kernel_counted_from_it(variance, observations):
    first, mean = observations.positions[0], observations.values[0]
    free = BrownianMotion(variance, 0.0, FreeStart())
    rest = Observations.of(observations.positions[1:] - first, observations.values[1:])
    process = GaussianProcess(Brownian(variance), 0.0, float(mean))

    np.testing.assert_allclose(
        free.condition(observations).variance(GRID + first), process.condition(rest).variance(GRID), atol=1e-7
    )
    assert free.log_marginal_likelihood(observations) == pytest.approx(
        process.log_marginal_likelihood(rest), rel=1e-7, abs=1e-7
    )


@SOME_EXAMPLES
@given(variance=MODERATE, noise=MODERATE, observations=noisy_observations(), shift=st.integers(-99, 99))
def test_with_a_free_start_only_distances_matter(variance, noise, observations, shift):
    motion = BrownianMotion(variance, noise, FreeStart())
    moved = Observations.of(
        observations.positions + shift, observations.values + shift, observations.relative_noise
    )

    np.testing.assert_allclose(
        motion.condition(moved).mean(GRID + shift),
        motion.condition(observations).mean(GRID) + shift,
        atol=1e-8,
    )
    assert motion.log_marginal_likelihood(moved) == pytest.approx(
        motion.log_marginal_likelihood(observations), rel=1e-7, abs=1e-7
    )


@SOME_EXAMPLES
@given(variance=MODERATE, noise=MODERATE, value=VALUES, repeats=st.integers(1, 9))
def test_repeats_equal_one_observation_of_their_mean(variance, noise, value, repeats):
    motion = BrownianMotion(variance, noise, FreeStart())
    values = value + np.arange(repeats)
    each = Observations.of([5.0, *[7.0] * repeats], [1.0, *values])
    merged = Observations.of([5.0, 7.0], [1.0, float(np.mean(values))], [1.0, 1 / repeats])

    np.testing.assert_allclose(motion.condition(each).mean(GRID), motion.condition(merged).mean(GRID))
    np.testing.assert_allclose(motion.condition(each).variance(GRID), motion.condition(merged).variance(GRID))


@SOME_EXAMPLES
@given(noise=MODERATE, observations=noisy_observations())
def test_with_next_to_no_growth_a_free_start_gives_the_weighted_mean(noise, observations):
    weights = 1 / observations.relative_noise
    posterior = BrownianMotion(1e-12, noise, FreeStart()).condition(observations)

    np.testing.assert_allclose(
        posterior.mean(GRID), np.average(observations.values, weights=weights), atol=1e-6
    )
    np.testing.assert_allclose(posterior.variance(GRID), noise / np.sum(weights), rtol=1e-6)


def test_one_observation_of_a_free_start_has_no_steps():
    motion = BrownianMotion(2.0, 0.5, FreeStart())
    observations = Observations.of([3.0], [7.0])
    posterior = motion.condition(observations)

    assert motion.log_marginal_likelihood(observations) == 0.0
    assert posterior.mean([0.0, 3.0, 9.0]).tolist() == [7.0, 7.0, 7.0]
    assert posterior.variance([0.0, 3.0, 9.0]).tolist() == [6.5, 0.5, 12.5]


def test_an_exact_observation_may_share_its_position_with_noisy_ones():
    observations = Observations.of([1.0, 2.0, 2.0, 2.0], [0.0, 5.0, 6.0, 7.0], [1.0, 1.0, 0.0, 1.0])
    posterior = BrownianMotion(1.0, 1.0, FreeStart()).condition(observations)

    assert posterior.mean([2.0]).tolist() == [6.0]
    assert posterior.variance([2.0]).tolist() == [0.0]


def test_exact_observations_at_one_position_contradict():
    observations = Observations.of([1.0, 2.0, 2.0], [1.0, 2.0, 3.0])
    motion = BrownianMotion(1.0, 0.0, FreeStart())

    with pytest.raises(ValueError, match="share position 2"):
        motion.condition(observations)
    with pytest.raises(ValueError, match="share position 2"):
        motion.log_marginal_likelihood(observations)


def test_a_known_start_cannot_be_observed_exactly():
    with pytest.raises(ValueError, match="share position 0; a known start counts as one"):
        BrownianMotion(1.0, 0.0, StartAt(3.0)).condition(Observations.of([0.0], [4.0]))


def test_positions_before_a_known_start_are_refused():
    motion = BrownianMotion(1.0, 1.0, StartAt(0.0))

    with pytest.raises(ValueError, match="Position -1 is negative"):
        motion.condition(Observations.of([-1.0], [1.0]))
    with pytest.raises(ValueError, match="Position -1 is negative"):
        motion.condition(Observations.of([1.0], [1.0])).mean([-1.0])


def test_a_likelihood_that_is_not_finite_is_an_error():
    with pytest.raises(ValueError, match="likelihood is -inf"):
        BrownianMotion(1e-300, 0.0, FreeStart()).log_marginal_likelihood(
            Observations.of([1.0, 2.0], [0.0, 1e100])
        )


@pytest.mark.parametrize(
    ("variance", "noise"), [(0.0, 1.0), (-1.0, 1.0), (np.nan, 1.0), (1.0, -1.0), (1.0, np.inf)]
)
def test_hyperparameters_are_checked(variance, noise):
    with pytest.raises(ValueError, match="variance is"):
        BrownianMotion(variance, noise, FreeStart())
