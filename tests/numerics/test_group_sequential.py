"""Boundaries and levels of repeated looks, beside published constants and drawn walks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.numerics.group_sequential import Spending, boundaries, errors, levels, power_spending

# C. Jennison, B. W. Turnbull: Group Sequential Methods, Tables 2.1 and 2.3, for an error of .05
POCOCK = {2: 2.178, 3: 2.289, 4: 2.361, 5: 2.413, 10: 2.555, 20: 2.672}
OBRIEN_FLEMING = {2: 1.977, 3: 2.004, 4: 2.024, 5: 2.040, 10: 2.087, 20: 2.126}
ROUNDED = 0.0002  # of an error, from constants with three digits


def evenly(looks):
    return [number / looks for number in range(1, looks + 1)]


@pytest.mark.parametrize("looks", POCOCK)
def test_pococks_constants_spend_the_whole_error(looks):
    assert errors(evenly(looks), [POCOCK[looks]] * looks)[-1] == pytest.approx(0.05, abs=ROUNDED)


@pytest.mark.parametrize("looks", OBRIEN_FLEMING)
def test_the_constants_of_obrien_and_fleming_spend_the_whole_error(looks):
    limits = [OBRIEN_FLEMING[looks] / share**0.5 for share in evenly(looks)]

    assert errors(evenly(looks), limits)[-1] == pytest.approx(0.05, abs=ROUNDED)


def test_a_single_look_is_the_usual_test():
    assert boundaries([1.0], [0.05])[0] == pytest.approx(1.959964, abs=1e-5)
    assert levels([1.0], [0.01])[0] == pytest.approx(0.01, rel=1e-5)


rising = st.lists(st.integers(1, 200), min_size=1, max_size=8, unique=True).map(
    lambda sizes: [size / max(sizes) for size in sorted(sizes)]
)


@settings(max_examples=25)
@given(rising, st.floats(1e-4, 0.3), st.floats(0.5, 3))
def test_boundaries_spend_what_was_to_be_spent(shares, error, power):
    spent = power_spending(shares, error, power)

    assert errors(shares, boundaries(shares, spent)) == pytest.approx(spent, rel=1e-4, abs=1e-9)


@settings(max_examples=25)
@given(rising, st.floats(1e-4, 0.3), st.floats(0.5, 3))
def test_a_level_is_at_least_what_its_look_spends(shares, error, power):
    spent = power_spending(shares, error, power)
    alone = [now - before for before, now in zip((0.0, *spent), spent, strict=False)]

    for level, part in zip(levels(shares, spent), alone, strict=True):
        assert part * (1 - 1e-4) <= level + 1e-12
        assert level <= error * (1 + 1e-4)


def test_drawn_walks_cross_the_boundaries_as_often_as_planned():
    shares = [0.15, 0.25, 0.375, 0.625, 1.0]
    spent = power_spending(shares, 0.2, 1.5)
    steps = np.sqrt(np.diff([0, *shares]))
    walks = np.cumsum(np.random.default_rng(5).normal(size=(200_000, 5)) * steps, axis=1) / np.sqrt(shares)
    is_beyond = np.abs(walks) > boundaries(shares, spent)

    crossed = np.maximum.accumulate(is_beyond, axis=1).mean(axis=0)
    assert crossed == pytest.approx(spent, abs=0.004)


SHARES = (0.15, 0.25, 0.375, 0.625, 1.0)
SPENDING = Spending(SHARES, 1.5, exact=(0.05,))


@given(st.integers(0, 4), st.floats(1e-8, 0.6))
def test_levels_and_errors_are_two_ways_of_the_same_road(look, error):
    assert SPENDING.error(look, SPENDING.level(look, error)) == pytest.approx(error, rel=1e-6)


@given(st.integers(0, 4), st.floats(1e-7, 0.5))
def test_levels_between_the_knots_are_near_the_true_ones(look, error):
    true = levels(SHARES, power_spending(SHARES, error, 1.5))[look]

    assert SPENDING.level(look, error) == pytest.approx(true, rel=0.02)


def test_the_error_asked_for_has_no_approximation():
    true = levels(SHARES, power_spending(SHARES, 0.05, 1.5))

    assert [SPENDING.level(look, 0.05) for look in range(5)] == pytest.approx(true, rel=1e-9)


@given(st.integers(0, 4), st.floats(0, 1), st.floats(0, 1))
def test_what_is_less_probable_needs_less_error(look, one, other):
    assert SPENDING.error(look, min(one, other)) <= SPENDING.error(look, max(one, other))
    assert SPENDING.error(look, one) >= one * 0.999


def test_looks_come_one_after_the_other():
    with pytest.raises(ValueError, match="one after the other"):
        Spending([0.5, 0.5, 1.0], 1.0)
