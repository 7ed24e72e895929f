"""The density of peaks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from sonde.methods.pinpointing.likelihoods.candidates import bandwidth, candidate_steps, density

STEPS = 120

some_peaks = st.lists(st.lists(st.integers(0, STEPS - 1), max_size=5), max_size=8)


def as_arrays(peaks):
    return [np.array(each, dtype=np.int64) for each in peaks]


@given(peaks=st.lists(st.integers(0, STEPS - 1), min_size=1, max_size=20), width=st.floats(1, 12))
def test_it_is_the_mean_of_a_normal_density_at_each_peak(peaks, width):
    found = density(np.array(peaks), STEPS, width)

    expected = norm.pdf(np.arange(STEPS)[:, None], np.array(peaks), width).mean(axis=1)
    np.testing.assert_allclose(found, expected, atol=1e-7 / width)


@given(peaks=some_peaks, width=st.floats(1, 12))
def test_candidates_are_steps_in_order_and_there_are_some_if_there_are_peaks(peaks, width):
    found = candidate_steps(as_arrays(peaks), STEPS, width)

    assert found == sorted(set(found))
    assert all(0 <= step < STEPS for step in found)
    assert bool(found) == any(peaks)


def test_peaks_of_one_change_are_one_candidate_and_those_of_two_are_two():
    peaks = as_arrays([[30, 80], [28, 83], [31], [33, 81]])

    first, second = candidate_steps(peaks, STEPS, 5.0)

    assert abs(first - 30) <= 1
    assert abs(second - 81) <= 1


def test_the_same_peak_of_all_is_the_candidate():
    assert candidate_steps(as_arrays([[7], [7], [7]]), STEPS, 1.0) == [7]
    assert candidate_steps(as_arrays([[7]]), 8, 9.6) == [7]


def test_the_bandwidth_is_the_deviation_within_a_gap():
    assert bandwidth([100 / 3]) == pytest.approx(9.62, abs=0.01)
    assert bandwidth([1.0, 1.0]) == 1
    assert bandwidth([]) == 1
