"""The noise of a series."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.numerics.segmentation.noise import estimate_noise
from tests.numerics.segmentation.series import some_series


@given(seed=st.integers(0, 50), noise=st.sampled_from([0.01, 0.1]))
def test_it_is_the_standard_deviation_of_normal_noise(seed, noise):
    logs = np.random.default_rng(seed).normal(3, noise, 2_000)

    assert estimate_noise(logs, floor=1e-6) == pytest.approx(noise, rel=0.15)


@given(seed=st.integers(0, 50))
def test_changes_and_filled_values_hardly_matter(seed):
    rng = np.random.default_rng(seed)
    logs = rng.normal(0, 0.02, 2_000) + np.repeat(rng.normal(0, 1, 40), 50)
    filled = np.repeat(logs, rng.integers(1, 5, 2_000))

    assert estimate_noise(filled, floor=1e-6) == pytest.approx(0.02, rel=0.25)


@given(seed=st.integers(0, 50))
def test_it_is_that_of_weight_1(seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 10, 2_000)
    logs = rng.normal(0, 0.05 / np.sqrt(weights))

    assert estimate_noise(logs, 1e-6, weights) == pytest.approx(0.05, rel=0.15)


@given(logs=some_series(), shift=st.floats(-10, 10), scale=st.floats(0.1, 10))
def test_it_scales_with_the_series(logs, shift, scale):
    moved = estimate_noise(shift + scale * logs, floor=1e-9 * scale)

    assert moved == pytest.approx(scale * estimate_noise(logs, floor=1e-9), rel=1e-6)


@pytest.mark.parametrize("logs", [[], [1.0], [2.0] * 50, [2.0] * 30 + [3.0] * 30 + [2.5] * 30])
def test_an_exact_metric_has_the_noise_of_the_floor(logs):
    assert estimate_noise(logs, floor=0.01) == 0.01


def test_a_floor_of_nothing_is_refused():
    with pytest.raises(ValueError) as refusal:
        estimate_noise([1.0, 2.0], floor=0.0)

    assert str(refusal.value) == "The floor of the noise is 0.0, but it has to be positive."
