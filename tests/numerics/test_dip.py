"""The dip test."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from sonde.numerics.dip import LEAST_VALUES, SURE, SUSPECTED, dip, has_several_modes

values = st.lists(st.integers(0, 30).map(float), min_size=2, max_size=9)


def dip_by_definition(given_values) -> float:
    """By linear programs, one for each place of the mode: convex before it, concave after it."""
    x, counts = np.unique(given_values, return_counts=True)
    upper = np.cumsum(counts) / len(given_values)
    lower = upper - counts / len(given_values)
    return min(distance_with_mode(x, lower, upper, mode) for mode in range(len(x)))


def distance_with_mode(x, lower, upper, mode) -> float:
    size = len(x)  # variables: the limits from the left, those from the right, the distance
    rows, limits, equal = [], [], []

    def add(limit, **terms):
        row = np.zeros(2 * size + 1)
        for name, factor in terms.items():
            row[-1 if name == "distance" else int(name[1:]) + size * (name[0] == "r")] += factor
        rows.append(row)
        limits.append(limit)

    for at in range(size):
        for side, height in (("l", lower[at]), ("r", upper[at])):
            add(-height, **{f"{side}{at}": -1, "distance": -1})
            add(height, **{f"{side}{at}": 1, "distance": -1})
        add(0, **{f"l{at}": 1, f"r{at}": -1})
        if at != mode:  # it is continuous but at its mode
            equal.append(np.eye(2 * size + 1)[at] - np.eye(2 * size + 1)[size + at])
    for at in range(size - 1):
        add(0, **{f"r{at}": 1, f"l{at + 1}": -1})
    for (first, second), sign in [
        *((pair, 1) for pair in pairwise(range(mode))),
        *((pair, -1) for pair in pairwise(range(mode, size - 1))),
    ]:
        row = np.zeros(2 * size + 1)
        for at, factor in ((first, sign), (second, -sign)):
            row[at + 1] += factor / (x[at + 1] - x[at])
            row[size + at] -= factor / (x[at + 1] - x[at])
        rows.append(row)
        limits.append(0)
    cost = np.eye(2 * size + 1)[-1]
    found = linprog(
        cost,
        A_ub=np.array(rows),
        b_ub=limits,
        A_eq=np.array(equal) if equal else None,
        b_eq=np.zeros(len(equal)) if equal else None,
        bounds=(0, 1),
    )
    return float(found.fun)


@settings(max_examples=40, deadline=None)
@given(given_values=values)
def test_it_is_the_distance_of_the_definition(given_values):
    assert dip(given_values) == pytest.approx(dip_by_definition(given_values), abs=1e-9)


@given(given_values=values, factor=st.sampled_from([-3.0, -1.0, 0.5, 8.0]), shift=st.integers(-5, 5))
def test_neither_scale_nor_place_nor_direction_matters(given_values, factor, shift):
    other = [factor * each + shift for each in given_values]

    assert dip(other) == pytest.approx(dip(given_values))


@pytest.mark.parametrize("level", [SURE, SUSPECTED])
@pytest.mark.parametrize("size", [LEAST_VALUES, 11, 17, 25, 50, 90])
def test_uniform_values_seem_to_have_several_modes_as_rarely_as_the_level_says(size, level):
    rng = np.random.default_rng(size)
    draws = 600

    wrong = sum(has_several_modes(rng.random(size).tolist(), level) for _ in range(draws))

    assert wrong <= level * draws + 3 * (level * draws) ** 0.5


@pytest.mark.parametrize(("few", "many"), [(4, 6), (5, 5), (8, 12), (10, 30)])
def test_two_groups_far_apart_have_several_modes(few, many):
    rng = np.random.default_rng(few)
    drawn = [*rng.normal(0, 1, many), *rng.normal(20, 1, few)]

    assert has_several_modes(drawn)


def test_few_values_tell_nothing():
    assert not has_several_modes([0.0] * 3 + [9.0] * 4)
