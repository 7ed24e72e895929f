"""Which end a probe is like, and where the level steps most."""

from __future__ import annotations

from itertools import pairwise, product
from math import inf, nan
from operator import mul

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.comparison.bisecting import (
    RangeEnd,
    is_step,
    largest_step,
    leanings,
    log_ratios,
    most_probes,
    side_of,
)

levels = st.lists(st.floats(-5, 5), min_size=2, max_size=30)
sizes = st.floats(1e-200, 3) | st.sampled_from([1e-3, 1e-2, 1e3])
differences = st.lists(st.builds(mul, sizes, st.sampled_from([-1, 1, 1, 0])), max_size=40)


@given(levels=levels)
def test_no_step_is_larger_than_the_largest(levels):
    at = largest_step(levels)

    sign = 1 if levels[-1] >= levels[0] else -1
    heights = [sign * (after - before) for before, after in pairwise(levels)]
    assert heights[at] == max(heights)
    assert all(height < heights[at] for height in heights[at + 1 :])


def test_a_range_that_got_faster_is_searched_for_its_largest_fall():
    assert largest_step([2.0, 2.5, 1.0, 1.0, 1.2]) == 1


def test_of_several_equal_steps_the_last_one_made_the_end_what_it_is():
    assert largest_step([0.0, 1.0, 0.0, 0.0, 1.0, 1.0]) == 3


@pytest.mark.parametrize(("revisions", "halvings"), [(1, 1), (2, 1), (3, 2), (1000, 10)])
def test_a_search_may_take_twice_as_many_probes_as_halving(revisions, halvings):
    assert most_probes(revisions) == 2 * halvings + 2


@given(leaning=differences, error=st.sampled_from([0.2, 0.05, 0.001]))
def test_the_other_way_round_it_is_the_other_end(leaning, error):
    other = {RangeEnd.OLD: RangeEnd.NEW, RangeEnd.NEW: RangeEnd.OLD, None: None}

    assert side_of([-each for each in leaning], error) is other[side_of(leaning, error)]


@given(leaning=differences, more=differences, factor=st.sampled_from([2**-20, 0.5, 2**20]))
def test_an_answer_stands_whatever_comes_later_and_whatever_the_unit(leaning, more, factor):
    side = side_of(leaning, 0.05)

    assert side_of([factor * each for each in leaning], 0.05) is side
    if side is not None:
        assert side_of([*leaning, *more], 0.05) is side


@given(leaning=differences)
def test_a_smaller_error_never_answers_earlier(leaning):
    if side_of(leaning, 0.05) is None:
        assert side_of(leaning, 0.01) is None


def test_ten_pairs_that_agree_decide_and_no_pairs_do_not():
    assert side_of([0.1] * 10, 0.005) is RangeEnd.NEW
    assert side_of([-0.1] * 10, 0.005) is RangeEnd.OLD
    assert side_of([0.1] * 5, 0.005) is None
    assert side_of([0.0] * 100, 0.005) is None
    assert side_of([], 0.05) is None


@given(sizes=st.lists(st.floats(0.01, 100), min_size=1, max_size=9), error=st.sampled_from([0.3, 0.1, 0.05]))
def test_over_all_signs_at_most_the_error_is_answered_wrongly(sizes, error):
    """The slow twin of Ville's inequality: with nothing to tell, all signs are equally likely."""
    answers = [
        side_of([sign * size for sign, size in zip(signs, sizes, strict=True)], error)
        for signs in product((1, -1), repeat=len(sizes))
    ]

    assert answers.count(RangeEnd.NEW) <= error * len(answers)
    assert answers.count(RangeEnd.OLD) <= error * len(answers)


@pytest.mark.parametrize("tail", ["normal", "heavy", "bursts"])
def test_noise_takes_more_pairs_but_makes_no_more_errors(tail):
    rng = np.random.default_rng(8)
    error, searches = 0.05, 100
    pairs: dict[float, list[int]] = {}
    for deviation in (0.01, 0.04):
        wrong = 0
        for _ in range(searches):
            logs = noise(rng, tail, deviation, (4, 200))
            leaning = leanings((0.05 + logs[0] - logs[1]).tolist(), (logs[2] - logs[3]).tolist())
            counts = range(5, 201, 5)
            needed = next((count for count in counts if side_of(leaning[:count], error)), 200)
            wrong += side_of(leaning, error) is RangeEnd.OLD
            pairs.setdefault(deviation, []).append(needed)
        assert wrong <= error * searches
    assert np.mean(pairs[0.01]) < 20
    assert np.mean(pairs[0.01]) < np.mean(pairs[0.04]) < 90


def noise(rng: np.random.Generator, tail: str, deviation: float, shape: tuple[int, int]) -> np.ndarray:
    if tail == "heavy":
        return deviation * rng.standard_t(2.5, shape) / 2
    if tail == "bursts":  # now and then, everything takes much longer
        return deviation * rng.normal(size=shape) + 0.5 * (rng.random(shape) < 0.05)
    return deviation * rng.normal(size=shape)


@given(leaning=differences, error=st.sampled_from([0.2, 0.01]))
def test_who_knows_that_there_is_a_change_is_told_no_later(leaning, error):
    slower = [0.1 + abs(each) for each in leaning]

    sooner, later = side_of(slower, error, 0.1), side_of(slower, error)

    assert later in (None, RangeEnd.NEW)
    assert later is None or sooner is later


def test_a_change_that_is_known_takes_less_than_half_of_the_pairs_in_much_noise():
    rng = np.random.default_rng(5)
    pairs = {0.0: 0, 0.05: 0}
    for _ in range(60):
        leaning = (0.05 + 0.08 * rng.normal(size=300)).tolist()
        for change in pairs:
            counts = range(3, 301, 3)
            pairs[change] += next((n for n in counts if side_of(leaning[:n], 0.01, change)), 300)

    assert pairs[0.05] < pairs[0.0] / 2


@given(changes=differences, whole=st.sampled_from([-0.5, 0.5]))
def test_a_step_has_the_direction_of_the_whole_change(changes, whole):
    mirrored = [-change for change in changes]

    assert is_step(mirrored, 0.05, -whole) is is_step(changes, 0.05, whole)


def test_a_step_is_there_or_not_or_it_is_not_clear():
    up = [0.05, 0.06, 0.04] * 4

    assert is_step(up, 0.05, 0.05) is True
    assert is_step(up, 0.05, -0.05) is False
    assert is_step([0.01, -0.01] * 30, 0.05, 0.05) is False
    assert is_step(up[:3], 0.05, 0.05) is None


def test_values_without_a_logarithm_are_left_out():
    assert log_ratios([(1.0, 1.0), (0.0, 1.0), (1.0, -1.0), (1.0, inf), (nan, 1.0)]) == (0.0,)
