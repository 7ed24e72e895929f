"""Figures of the normal distribution."""

from statistics import NormalDist

import pytest

from sonde.numerics.normal import NORMAL_95


def test_ninety_percent_lie_within_both_sides():
    assert NormalDist().cdf(NORMAL_95) - NormalDist().cdf(-NORMAL_95) == pytest.approx(0.9, abs=1e-5)
