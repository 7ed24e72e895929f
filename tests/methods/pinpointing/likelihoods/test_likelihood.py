"""Equations 3 to 5, against their slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.pinpointing.likelihoods.likelihood import differ, likelihoods, raw_likelihoods
from tests.methods.pinpointing.likelihoods import slow_twin

STEPS = 30

levels = st.sampled_from([1.0, 1.02, 1.05, 2.0, 1e-12, 1e12]) | st.floats(0.5, 2.0)
some_values = st.dictionaries(st.integers(0, STEPS - 1), levels, max_size=14)
thresholds = st.sampled_from([0.01, 0.05, 0.5])


def arrays(pi):
    measured = sorted(pi)
    return np.array(measured, dtype=np.int64), np.array([pi[step] for step in measured], dtype=np.float64)


@given(pi=some_values, threshold=thresholds)
def test_it_is_the_sum_over_all_pairs_around_a_step(pi, threshold):
    measured, values = arrays(pi)
    fast = raw_likelihoods(measured, values, STEPS, threshold)

    slow = [slow_twin.raw_likelihood(v, pi, threshold) for v in range(STEPS)]
    np.testing.assert_allclose(fast, slow, rtol=1e-9, atol=1e-15)


@given(pi=some_values, threshold=thresholds)
def test_it_is_normalised_and_never_negative_or_nan(pi, threshold):
    measured, values = arrays(pi)
    fast = likelihoods(measured, values, STEPS, threshold)

    np.testing.assert_allclose(fast, slow_twin.likelihood(pi, STEPS, threshold), rtol=1e-9, atol=1e-15)
    assert np.all(fast >= 0)
    assert fast.sum() == pytest.approx(1) or not fast.any()


@given(one=levels, other=levels, threshold=thresholds)
def test_a_difference_counts_in_both_directions_alike(one, other, threshold):
    first, second = np.array([one]), np.array([other])

    assert differ(first, second, threshold) == differ(second, first, threshold)
    assert bool(differ(first, second, threshold)[0]) == bool(slow_twin.theta(one, other, threshold))


def test_between_the_samples_around_a_change_it_is_highest():
    measured = np.array([10, 20, 30, 40, 50, 60])
    values = np.array([1.0, 1.0, 1.0, 2.0, 2.0, 2.0])

    found = likelihoods(measured, values, 70, 0.05)

    assert set(np.flatnonzero(found == found.max())) == set(range(31, 40))


def test_a_change_between_two_measured_neighbours_shows_at_both():
    found = likelihoods(np.arange(20), np.where(np.arange(20) < 10, 1.0, 2.0), 20, 0.05)

    assert found[9] == pytest.approx(found[10])
    assert set(np.argsort(found)[-2:]) == {9, 10}


def test_without_a_difference_or_a_pair_nothing_is_likely():
    assert not likelihoods(np.array([1, 5, 9]), np.ones(3), 10, 0.05).any()
    assert not likelihoods(np.array([5]), np.ones(1), 10, 0.05).any()
    assert not likelihoods(np.array([], dtype=np.int64), np.ones(0), 10, 0.05).any()
