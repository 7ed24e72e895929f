"""The upper bound of a share."""

from __future__ import annotations

from itertools import pairwise
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from sonde.numerics.shares import most_share

counts = st.integers(1, 300).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole)))
confidences = st.sampled_from([0.5, 0.9, 0.95, 0.99])


@pytest.mark.parametrize(
    ("part", "whole", "bound"),
    [
        (0, 84, 0.035),  # 1 - 0.05 ** (1 / 84)
        (0, 59, 0.0495),  # 59 without a find: the known number for 95 % and 5 %
        (0, 1, 0.95),
        (0, 2, 0.7764),
        (1, 10, 0.3942),  # Clopper and Pearson's own charts are of this kind
        (3, 3, 1.0),
        (0, 0, 1.0),
    ],
)
def test_known_bounds(part, whole, bound):
    assert most_share(part, whole, 0.95) == pytest.approx(bound, abs=6e-5)


@given(counted=counts, confidence=confidences)
def test_it_is_the_bound_of_scipy(counted, confidence):
    part, whole = counted
    exact = binomtest(part, whole, alternative="less").proportion_ci(confidence, method="exact").high

    assert most_share(part, whole, confidence) == pytest.approx(exact, abs=1e-9)


@given(counted=counts.filter(lambda counted: counted[0] < counted[1]), confidence=confidences)
def test_at_the_bound_so_few_are_counted_as_seldom_as_it_says(counted, confidence):
    part, whole = counted
    share = most_share(part, whole, confidence)
    chance = sum(comb(whole, k) * share**k * (1 - share) ** (whole - k) for k in range(part + 1))

    assert chance == pytest.approx(1 - confidence, rel=1e-6)


@pytest.mark.parametrize("shares", [(0.0, 0.0, 0.4), (0.02, 0.3, 0.1), (0.5, 0.5, 0.01)])
def test_it_covers_the_mean_of_shares_that_differ(shares):
    """All outcomes of 30 counts, 10 with each of the shares, by convolution."""
    chances = [1.0]
    for share in shares * 10:
        padded = [0.0, *chances, 0.0]
        chances = [share * before + (1 - share) * at for before, at in pairwise(padded)]
    mean = sum(shares) / len(shares)
    covered = sum(chance for part, chance in enumerate(chances) if most_share(part, 30, 0.95) >= mean)

    assert sum(chances) == pytest.approx(1.0)
    assert covered >= 0.95
