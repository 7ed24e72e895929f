"""Equation 6, against its slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.pinpointing.likelihoods.peaks import local_maxima, peak_threshold, peaks
from tests.methods.pinpointing.likelihoods import slow_twin

some_heights = st.lists(st.integers(0, 4), min_size=1, max_size=25)


def normalised(heights):
    values = np.array(heights, dtype=np.float64)
    return values / values.sum() if values.any() else values


@given(heights=some_heights, factor=st.sampled_from([0.0, 0.5, 1.0, 3.0]))
def test_the_threshold_and_the_peaks_are_those_of_the_twin(heights, factor):
    p = normalised(heights)

    assert peak_threshold(p, factor) == pytest.approx(slow_twin.peak_threshold(p.tolist(), factor))
    if all(abs(value - peak_threshold(p, factor)) > 1e-9 for value in p):  # else rounding decides
        assert peaks(p, factor).tolist() == slow_twin.peaks(p.tolist(), factor)


@pytest.mark.parametrize(
    ("heights", "tops"),
    [
        ([0, 1, 0, 2, 0], [1, 3]),
        ([2, 1, 0, 1, 2], [0, 4]),
        ([0, 3, 3, 3, 0], [2]),
        ([0, 3, 3, 0], [2]),
        ([0, 1, 1, 2, 1], [3]),
        ([5], [0]),
    ],
)
def test_a_flat_top_is_one_maximum_in_its_middle(heights, tops):
    assert local_maxima(np.array(heights, dtype=np.float64)).tolist() == tops


def test_a_likelihood_of_nothing_has_no_peaks():
    assert not len(peaks(np.zeros(20), 3.0))
