"""Where to measure between two levels, against plain loops over everything that may happen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.history_sampling.facts import Array
from sonde.methods.history_sampling.shared_changes.splitting import (
    LARGEST_ERROR,
    MOST_CANDIDATES,
    best_split,
    relative_error,
    switching_step,
)
from tests.methods.history_sampling.made_series import SOME_EXAMPLES

LEVELS = st.floats(-1.5, 1.5)


@st.composite
def some_locations(draw, least=2, most=25):
    shares = draw(st.lists(st.floats(0.0, 1.0) | st.just(0.0), min_size=least, max_size=most))
    shares[draw(st.integers(0, len(shares) - 1))] += 1.0
    return np.array(shares) / sum(shares)


def error_of(predicted: float, true: float) -> float:
    return min(abs(float(np.exp(predicted - true)) - 1), LARGEST_ERROR)


def least_error(location: Array, before: float, after: float) -> float:
    """Of the better one of two guesses at each step; `location` need not sum to 1."""
    total = 0.0
    for step in range(len(location) - 1):
        guesses = []
        for guess in (before, after):
            expected = 0.0
            for change, probability in enumerate(location):
                true = after if change <= step else before
                expected += probability * error_of(guess, true)
            guesses.append(expected)
        total += min(guesses)
    return total


def error_left(location: Array, measured: int, before: float, after: float) -> float:
    """The sample shows whether the change was at the measured step or before it."""
    steps = np.arange(len(location))
    return sum(
        least_error(np.where(is_possible, location, 0.0), before, after)
        for is_possible in (steps <= measured, steps > measured)
    )


@SOME_EXAMPLES
@given(location=some_locations(), before=LEVELS, after=LEVELS)
def test_the_best_split_is_the_best_of_all(location, before, after):
    split = best_split(location, before, after)

    now = least_error(location, before, after)
    left = [error_left(location, step, before, after) for step in range(len(location) - 1)]
    assert now - left[split.step] == pytest.approx(split.gain, abs=1e-9)
    assert left[split.step] == pytest.approx(min(left), abs=1e-6)


@SOME_EXAMPLES
@given(location=some_locations(MOST_CANDIDATES + 10, MOST_CANDIDATES + 40), before=LEVELS, after=LEVELS)
def test_the_split_of_a_wide_gap_is_nearly_as_good(location, before, after):
    split = best_split(location, before, after)

    assert 0 <= split.step < len(location) - 1
    gains = [gain_at(location, step, before, after) for step in range(len(location) - 1)]
    assert gains[split.step] == pytest.approx(split.gain, abs=1e-9)
    assert split.gain >= 0.9 * max(gains) - 1e-9


def gain_at(location: Array, measured: int, before: float, after: float) -> float:
    """As the loops above, with sums over the place of the change."""
    is_after = np.cumsum(location)[:-1]
    wrongly_after, wrongly_before = error_of(after, before), error_of(before, after)
    reached, step = is_after[measured], np.arange(len(is_after))
    now = np.minimum((1 - is_after) * wrongly_after, is_after * wrongly_before)
    early = np.minimum((reached - is_after) * wrongly_after, is_after * wrongly_before)
    late = np.minimum((1 - is_after) * wrongly_after, (is_after - reached) * wrongly_before)
    return float(now.sum() - early[step < measured].sum() - late[step > measured].sum())


@given(steps=st.integers(2, 300), level=LEVELS, rise=st.floats(0.0001, 0.001))
def test_the_middle_is_best_where_all_places_are_alike(steps, level, rise):
    """A small rise costs about the same whether it is guessed too early or too late."""
    split = best_split(np.full(steps, 1 / steps), level, level + rise)

    assert abs(split.step - (steps - 1) / 2) <= 1 + 0.03 * steps


@given(location=some_locations(), before=LEVELS, after=LEVELS)
def test_measuring_never_adds_to_the_error(location, before, after):
    assert best_split(location, before, after).gain >= -1e-9


@given(location=some_locations(), before=LEVELS, after=LEVELS)
def test_the_switch_has_the_least_expected_error(location, before, after):
    is_after = np.cumsum(location)

    def expected(switch: int) -> float:
        errors = (
            (1 - is_after[step]) * abs(np.expm1(after - before))
            if step >= switch
            else is_after[step] * abs(np.expm1(before - after))
            for step in range(len(location) - 1)
        )
        return float(sum(errors))

    switch = switching_step(location, before, after)

    assert 0 <= switch < len(location)
    assert expected(switch) == pytest.approx(min(map(expected, range(len(location)))), abs=1e-9)


@given(predicted=st.floats(-900, 900), true=st.floats(-900, 900))
def test_a_relative_error_has_a_ceiling_and_never_overflows(predicted, true):
    error = relative_error(predicted, true)

    assert 0 <= error <= LARGEST_ERROR
    assert relative_error(true, true) == 0
