"""The signed-rank test and its intervals, beside the enumeration of all signs."""

from __future__ import annotations

from itertools import product
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wilcoxon

from sonde.numerics import signed_rank
from sonde.numerics.signed_rank import interval, least_probability, probability, walsh_averages

values = st.lists(st.integers(-50, 50).map(lambda number: number / 7), min_size=1, max_size=9)


def of_all_signs(size):
    """How often each number of Walsh averages, or fewer, is positive, if each rank has a drawn sign."""
    sums = sorted(
        sum(rank for rank, is_up in enumerate(signs, start=1) if is_up)
        for signs in product((False, True), repeat=size)
    )
    return [sum(each <= limit for each in sums) / len(sums) for limit in range(size * (size + 1) // 2 + 1)]


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_the_distribution_is_that_of_all_signs(size):
    assert signed_rank._cumulated(size) == pytest.approx(of_all_signs(size))


def test_the_probability_is_that_of_scipy():
    rng = np.random.default_rng(1)
    for size in (6, 10, 25, 40):
        drawn = rng.normal(0.3, 1, size)
        assert probability(walsh_averages(drawn)) == pytest.approx(wilcoxon(drawn, method="exact").pvalue)


@given(values)
def test_ties_and_zeros_never_make_it_less_probable_than_among_all_signs(drawn):
    given_probability = probability(walsh_averages(drawn))
    others = [
        probability(walsh_averages([value * sign for value, sign in zip(drawn, signs, strict=True)]))
        for signs in product((-1, 1), repeat=len(drawn))
    ]

    as_extreme = sum(other <= given_probability for other in others) / len(others)
    assert as_extreme <= given_probability + 1e-12


@given(values, st.sampled_from([0.001, 0.05, 0.2, 0.5]), st.integers(-60, 60).map(lambda number: number / 7))
def test_an_interval_excludes_what_the_test_rejects(drawn, level, location):
    low, high = interval(walsh_averages(drawn), level)
    is_rejected = probability(walsh_averages([value - location for value in drawn])) <= level

    # The same numbers, less a location, may be rounded to another order.
    assert (
        is_rejected == (not low <= location <= high) or min(abs(low - location), abs(high - location)) < 1e-9
    )


@given(values, st.sampled_from([0.01, 0.1, 0.3]))
def test_a_stricter_level_gives_a_wider_interval(drawn, level):
    averages = walsh_averages(drawn)
    strict, loose = interval(averages, level), interval(averages, 2 * level)

    assert strict[0] <= loose[0] <= signed_rank.estimate(averages) <= loose[1] <= strict[1]


def test_few_values_cannot_reach_a_strict_level():
    averages = walsh_averages([1.0, 2.0, 3.0, 4.0, 5.0])

    assert probability(averages) == least_probability(5) == 1 / 16
    assert interval(averages, 0.05) == (-inf, inf)
    assert interval(averages, 1 / 16) == (1.0, 5.0)


def test_the_series_for_many_values_is_near_the_exact_distribution(monkeypatch):
    size = signed_rank.MOST_EXACT
    exact = signed_rank._cumulated(size)
    monkeypatch.setattr(signed_rank, "MOST_EXACT", size - 1)

    for share in (1e-5, 0.001, 0.02, 0.2, 0.49):
        at = int(np.searchsorted(exact, share))
        assert signed_rank._at_most(size, at) == pytest.approx(exact[at], rel=0.02)
        assert signed_rank._most_outside(size, share) == pytest.approx(at - 1, abs=3)
