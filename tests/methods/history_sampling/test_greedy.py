"""The greedy policy against a plain loop over its formula."""

from __future__ import annotations

from itertools import pairwise
from math import log, sqrt

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.history_sampling.greedy import GreedyPolicy
from tests.methods.history_sampling.made_series import (
    FEW_EXAMPLES,
    SOME_EXAMPLES,
    assert_valid,
    facts_of,
    planner_of,
    play,
    position_of,
    series_facts,
    some_facts,
    some_series_facts,
)


def by_a_plain_loop(values: list[float], count: int) -> list[int]:
    """The note: halve the gap with the largest w (max(|dlog| - tau, 0) / 4 + kappa sqrt(w / n))."""
    steps = len(values)
    measured = sorted({0, steps - 1})
    while len(measured) < min(count, steps):
        best, best_score = -1, -1.0
        for first, last in pairwise(measured):
            width = last - first
            if width < 2:
                continue
            rise = abs(log(values[last]) - log(values[first]))
            score = width * (max(rise - 0.02, 0.0) / 4 + 0.02 * sqrt(width / steps))
            if score > best_score:  # the earliest of equals
                best, best_score = (first + last) // 2, score
        measured = sorted([*measured, best])
    return measured


@SOME_EXAMPLES
@given(
    values=st.lists(st.sampled_from([1.0, 1.01, 1.5, 2.0]) | st.floats(0.5, 5.0), min_size=2, max_size=60),
    count=st.integers(2, 30),
)
def test_one_at_a_time_it_follows_the_formula(values, count):
    planner = planner_of(GreedyPolicy(), 1, len(values), allowance=count)

    asked = play(planner, lambda _, position, run: values[position], batch=1)

    assert sorted(position_of(request.point) for request in asked) == by_a_plain_loop(values, count)


@SOME_EXAMPLES
@given(facts=some_facts, at_most=st.integers(0, 12))
def test_picks_are_valid_and_one_a_gap(facts, at_most):
    picks = GreedyPolicy().choose(facts, at_most)

    assert_valid(picks, facts, at_most)
    for at, series in enumerate(facts.series):
        chosen = [pick.step for pick in picks if pick.series == at]
        gaps = [int(np.searchsorted(series.known, step)) for step in chosen]
        if len(series.known) > 1:
            assert len(set(gaps)) == len(gaps)


@FEW_EXAMPLES
@given(seed=st.integers(0, 20), batch=st.integers(1, 9), failing=st.sets(st.integers(0, 29)))
def test_without_a_limit_everything_is_measured_once(seed, batch, failing):
    rng = np.random.default_rng(seed)
    values = rng.uniform(1, 2, 30)

    asked = play(
        planner_of(GreedyPolicy(), 2, 30), lambda _, at, run: values[at], batch=batch, failing=failing
    )

    assert sorted((request.point.benchmark, position_of(request.point)) for request in asked) == [
        (name, position) for name in "01" for position in range(30)
    ]


def test_what_lies_beyond_the_outermost_samples_is_not_forgotten():
    """Two inner steps are known, from a twin or an earlier campaign; the last step fails."""
    facts = facts_of(series_facts(30, {4: 0.0, 9: 0.0}, failing=[29]))

    assert {pick.step for pick in GreedyPolicy().choose(facts, 9)} >= {0, 28}


@SOME_EXAMPLES
@given(series=some_series_facts())
def test_the_nearest_sample_is_the_guess(series):
    (inferred,) = GreedyPolicy().infer(facts_of(series))

    if inferred is None:
        assert not len(series.measured)
        return
    for step in range(series.steps):
        distances = np.abs(series.measured - step)
        assert inferred.mean[step] in series.logs[distances == distances.min()]
    for shift in inferred.shifts:
        assert 0 < shift.earliest <= shift.step <= shift.latest < series.steps
