"""Sums with drawn signs, beside the enumeration of all signs and beside drawing them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, wilcoxon

from sonde.numerics import sign_flips
from sonde.numerics.sign_flips import least_probability, probabilities

values = st.lists(st.integers(-20, 20).map(lambda number: number / 7), min_size=1, max_size=9)


def probability(values):
    return float(probabilities(np.array([values], dtype=float))[0])


def all_sums(values):
    """With all signs."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    return sums


@given(values)
def test_few_values_are_tried_with_all_signs(drawn):
    sums = [
        abs(sum(value * sign for value, sign in zip(drawn, signs, strict=True)))
        for signs in product((-1, 1), repeat=len(drawn))
    ]
    as_far = sum(each >= abs(sum(drawn)) - 1e-9 for each in sums)

    assert probability(drawn) == pytest.approx(as_far / len(sums))


@given(values, st.sampled_from([1e-9, 3.0, 1e9]))
def test_neither_sign_nor_unit_nor_order_nor_zeros_matter(drawn, unit):
    turned = [-value * unit for value in reversed(drawn)]

    assert probability([*turned, 0.0, 0.0]) == pytest.approx(probability(drawn))


def test_nothing_is_as_far_as_can_be_expected():
    assert probability([0.0] * 30) == 1
    assert probability([1.0, -1.0]) == 1
    assert probability(np.arange(1, 21).tolist() + (-np.arange(1, 21)).tolist()) == 1


@pytest.mark.parametrize("count", [1, 5, 16, 17, 40, 300])
def test_if_all_signs_agree_it_is_the_least_probability(count):
    sizes = np.random.default_rng(1).random(count) + 0.01

    assert probability(sizes) == pytest.approx(least_probability(count), rel=1e-12)
    assert probability(-sizes) == pytest.approx(least_probability(count), rel=1e-12)


@pytest.mark.parametrize("count", [17, 40])
def test_if_all_signs_but_one_agree_it_is_not_below_what_these_two_sums_have(count):
    sizes = np.random.default_rng(1).random(count) + 0.5
    sizes[3] = -0.1

    assert least_probability(count - 1) <= probability(sizes) <= least_probability(count - 6)


@pytest.mark.parametrize("positive", [20, 23, 27, 32, 40])
def test_values_of_one_size_are_a_sign_test(positive):
    drawn = [0.3] * positive + [-0.3] * (40 - positive) + [0.0] * 5

    assert probability(drawn) == pytest.approx(binomtest(positive, 40).pvalue)


@given(st.lists(st.sampled_from([-3.1, -2.0, 0.0, 1.0, 2.0, 3.1]), min_size=17, max_size=19))
def test_values_of_few_sizes_are_enumerated(drawn):
    sums = np.abs(all_sums(drawn))

    assert probability(drawn) == pytest.approx(np.mean(sums >= abs(sum(drawn)) - 1e-9))


def test_signed_ranks_are_wilcoxons():
    rng = np.random.default_rng(1)
    for count, error in ((10, 1e-9), (16, 1e-9), (25, 0.05), (60, 0.02)):
        drawn = rng.normal(0.4, 1, count)
        ranks = np.sign(drawn) * (np.argsort(np.argsort(np.abs(drawn))) + 1)
        assert probability(ranks) == pytest.approx(wilcoxon(drawn, method="exact").pvalue, rel=error)


@pytest.mark.parametrize("count", [17, 19])
@pytest.mark.parametrize("seed", range(5))
def test_saddlepoints_are_near_the_enumeration(count, seed):
    """Sizes as scores have them: ranks, and now and then a larger one."""
    rng = np.random.default_rng(seed)
    sizes = rng.random(count) + rng.exponential(0.5, count)
    signs = rng.choice([-1, 1], (2**12, count))
    signs[: 2**11, rng.random(count) < 0.6] = 1  # for sums that are far out
    rows = signs * sizes
    sums = np.sort(np.abs(all_sums(sizes)))
    exact = 1 - np.searchsorted(sums, np.abs(rows.sum(axis=1)) - 1e-9) / len(sums)
    error = np.abs(probabilities(rows) / exact - 1)

    assert error[exact > 0.002].max() < 0.05
    assert error[exact > 0.0002].max() < 0.2
    assert np.mean(exact < 0.02) > 0.01


def test_saddlepoints_are_near_what_is_drawn():
    rng = np.random.default_rng(2)
    sizes = rng.random(40) + rng.exponential(0.5, 40)
    rows = rng.choice([-1, 1], (200_000, 40)) * sizes
    sums = np.sort(np.abs(rows.sum(axis=1)))
    chosen = rows[:5000]
    drawn = 1 - np.searchsorted(sums, np.abs(chosen.sum(axis=1))) / len(sums)
    found = probabilities(chosen)

    assert found == pytest.approx(drawn, rel=0.03, abs=0.003)
    likely = drawn > 0.005
    assert found[likely] == pytest.approx(drawn[likely], rel=0.1)


def test_there_is_no_step_where_the_series_ends():
    weights = np.full((3, 50), 50**-0.5)
    z = sign_flips.NEAR_ZERO * np.array([0.0, 1 - 1e-9, 1 + 1e-9])
    at_zero, within, beyond = sign_flips._tails(weights, z)

    assert at_zero == 1
    assert within == pytest.approx(beyond, abs=1e-7)


@given(st.integers(0, 10_000), st.sampled_from([3, 16, 17, 40]))
def test_a_sum_that_is_farther_from_zero_is_less_probable(seed, count):
    rng = np.random.default_rng(seed)
    sizes, sign = rng.random(count), rng.choice([-1, 1], count)
    rows = np.array([np.where(np.arange(count) < number, 1, sign) * sizes for number in range(count + 1)])
    order = np.argsort(np.abs(rows.sum(axis=1)))
    found = probabilities(rows)[order]

    assert np.all(np.diff(found) <= 1e-9)


def test_rows_do_not_know_of_each_other():
    rng = np.random.default_rng(4)
    rows = rng.normal(0.3, 1, (30, 20))
    rows[:10, 8:] = 0.0
    rows[10:15] = np.sign(rows[10:15])

    alone = [probability(row) for row in rows]
    assert probabilities(rows) == pytest.approx(alone, rel=1e-9)
