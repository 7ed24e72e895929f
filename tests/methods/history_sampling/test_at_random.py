"""The random baseline."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.history_sampling.at_random import AtRandom
from tests.methods.history_sampling.made_series import (
    SOME_EXAMPLES,
    assert_valid,
    planner_of,
    play,
    position_of,
    some_facts,
)


def order(seed: int, steps: int, batch: int, series: int = 1) -> list[tuple[str, int]]:
    planner = planner_of(AtRandom(), series, steps, seed=seed)
    asked = play(planner, lambda *_: 1.0, batch=batch)
    return [(request.point.benchmark, position_of(request.point)) for request in asked]


@SOME_EXAMPLES
@given(seed=st.integers(0, 99), steps=st.integers(1, 40), batch=st.integers(1, 9), series=st.integers(1, 3))
def test_every_step_is_reached_exactly_once(seed, steps, batch, series):
    asked = order(seed, steps, batch, series)

    assert sorted(asked) == [(str(at), step) for at in range(series) for step in range(steps)]


@SOME_EXAMPLES
@given(seed=st.integers(0, 99), steps=st.integers(1, 40), batch=st.integers(1, 9))
def test_the_same_seed_gives_the_same_order_whatever_the_batch(seed, steps, batch):
    assert order(seed, steps, batch) == order(seed, steps, 1)


def test_seeds_and_series_differ_and_no_step_is_preferred():
    firsts = [order(seed, 20, 1)[0] for seed in range(120)]

    assert len(set(firsts)) >= 18
    asked = order(0, 20, 1, series=2)
    own = [[step for name, step in asked if name == series] for series in "01"]
    assert own[0] != own[1]


@SOME_EXAMPLES
@given(facts=some_facts, at_most=st.integers(0, 12))
def test_picks_are_valid_and_nothing_open_is_left_out(facts, at_most):
    picks = AtRandom().choose(facts, at_most)

    assert_valid(picks, facts, at_most)
    able = [min(series.allowance, int(np.sum(series.is_open))) for series in facts.series]
    assert len(picks) == min(at_most, sum(able))
