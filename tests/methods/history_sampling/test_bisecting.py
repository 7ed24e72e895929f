"""Narrowing changes down to one revision."""

from __future__ import annotations

from math import ceil, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.points import Request
from sonde.methods.history_sampling.bisecting import Bisecting
from sonde.methods.history_sampling.greedy import GreedyPolicy
from sonde.methods.history_sampling.planner import HistoryPlanner
from sonde.methods.history_sampling.shared_changes.policy import SharedChanges
from sonde.methods.history_sampling.widest_gap import WidestGap
from tests.methods.history_sampling.made_series import (
    FEW_EXAMPLES,
    SOME_EXAMPLES,
    Value,
    assert_valid,
    facts_of,
    made_series,
    noisy,
    play,
    position_of,
    result_of,
    series_facts,
    some_facts,
    stepped,
)

policies = pytest.mark.parametrize(
    "policy", [SharedChanges(), GreedyPolicy(), WidestGap()], ids=["shared-changes", "greedy", "paper"]
)

STRIDE = 20


def begun(policy, planted: int, factor: float = 1.5, names: str = "0") -> tuple[HistoryPlanner, Value]:
    """A planner that knows every twentieth revision of 200."""
    value = noisy({name: stepped(200, {planted: factor}) for name in names}, 0.003, planted)
    planner = HistoryPlanner([made_series(200, name) for name in names], 200, Bisecting(policy))
    for name, places in ((name, [*range(0, 200, STRIDE), 199]) for name in names):
        series = made_series(200, name)
        planner.tell([result_of(series.point(at), [value(name, at, 0)]) for at in places])
    return planner, value


@FEW_EXAMPLES
@given(planted=st.integers(45, 155), factor=st.sampled_from([0.6, 1.2, 3.0]), batch=st.integers(1, 4))
def test_it_ends_at_exactly_the_planted_revision(planted, factor, batch):
    planner, value = begun(SharedChanges(), planted, factor)

    asked = play(planner, value, batch=batch)

    assert len(asked) <= ceil(log2(STRIDE))
    (history,) = planner.histories()
    (change,) = history.changes
    assert change.is_exact
    assert change.position == planted


@FEW_EXAMPLES
@given(planted=st.integers(45, 155), data=st.data())
def test_where_revisions_fail_it_comes_as_near_as_can_be(planted, data):
    first = STRIDE * ((planted - 1) // STRIDE)
    failing = data.draw(st.sets(st.integers(first + 1, first + STRIDE - 1), max_size=12))
    planner, value = begun(SharedChanges(), planted)

    asked = play(planner, value, batch=1, failing=failing)

    (history,) = planner.histories()
    (change,) = history.changes
    assert change.earliest <= planted <= change.latest
    tried = {position_of(request.point) for request in asked}
    left = set(range(change.earliest, change.latest))
    assert left <= tried & failing
    assert len(tried - failing) <= STRIDE - 1 - len(failing)


@policies
def test_series_that_change_together_are_bisected_at_the_same_revisions(policy):
    planner, value = begun(policy, 107, names="012")

    asked = play(planner, value, batch=6)

    places = [{position_of(each.point) for each in asked if each.point.benchmark == name} for name in "012"]
    assert places[0]
    if isinstance(policy, SharedChanges):
        assert places[0] == places[1] == places[2]


@policies
@pytest.mark.parametrize("batch", [1, 7])
def test_no_revision_is_asked_for_twice(policy, batch):
    planner, value = begun(policy, 107, factor=4.0)

    asked = play(planner, value, batch=batch)

    assert len({request.point for request in asked}) == len(asked)
    (history,) = planner.histories()
    assert any(change.position == 107 and change.is_exact for change in history.changes)


def test_nothing_is_asked_for_without_a_change():
    planner, value = begun(SharedChanges(), 200)

    assert play(planner, value) == []
    assert planner.finished == "nothing more is worth measuring"


@policies
@SOME_EXAMPLES
@given(facts=some_facts, at_most=st.integers(0, 9))
def test_picks_are_valid(policy, facts, at_most):
    assert_valid(Bisecting(policy).choose(facts, at_most), facts, at_most)


@policies
def test_an_allowance_is_kept(policy):
    logs = {step: 0.5 * (step >= 60) + float(np.sin(step)) / 500 for step in range(0, 101, 10)}

    assert Bisecting(policy).choose(facts_of(series_facts(101, logs)), 3)
    assert list(Bisecting(policy).choose(facts_of(series_facts(101, logs, allowance=0)), 3)) == []


def test_both_sides_are_repeated_until_the_step_is_clear_of_noise():
    """Levels tell that something changed; the two revisions themselves must show it."""
    rng = np.random.default_rng(5)
    course, noise = stepped(40, {20: 1.15}), rng.normal(0.0, 0.1, (40, 64))
    series = made_series(40, most_runs=64)
    planner = HistoryPlanner([series], 40, Bisecting(SharedChanges()))
    for at in range(40):
        planner.tell([result_of(series.point(at), [course[at] * np.exp(noise[at, 0])])])

    asked: list[Request] = []
    while requests := planner.ask(4):
        asked += requests
        for request in requests:
            at = position_of(request.point)
            values = [course[at] * float(np.exp(noise[at, run])) for run in range(request.runs)]
            planner.tell([result_of(request.point, values)])

    (history,) = planner.histories()
    for change in history.changes:
        most = {position_of(each.point): each.runs for each in asked}
        sides = change.position - 1, change.position
        assert change.is_clear or all(most.get(at, 1) == 64 for at in sides)


def two_levels(series, runs, step=1.2):
    """A planner that knows every revision of twelve, by so many runs each."""
    planner = HistoryPlanner([series], 12, Bisecting(SharedChanges()))
    for at in range(12):
        level = (1.0 if at < 6 else step) * (1 + 0.002 * (at % 3))
        planner.tell([result_of(series.point(at), [level] * runs)])
    return planner


def test_a_step_is_not_called_exact_on_one_run_and_gets_another_one_on_both_sides():
    series = made_series(12, most_runs=4)
    planner = two_levels(series, runs=1)

    (before,) = planner.histories()
    asked = planner.ask(8)

    assert [(change.position, change.is_exact) for change in before.changes] == [(6, False)]
    assert sorted(asked, key=lambda each: position_of(each.point)) == [
        Request(series.point(5), 2),
        Request(series.point(6), 2),
    ]
    planner.tell([result_of(series.point(5), [1.0, 1.001]), result_of(series.point(6), [1.2, 1.201])])
    (after,) = planner.histories()
    assert [(change.position, change.is_exact) for change in after.changes] == [(6, True)]


def test_a_recorded_value_that_cannot_be_repeated_may_be_exact():
    (history,) = two_levels(made_series(12, most_runs=1), runs=1).histories()

    assert [(change.position, change.is_exact) for change in history.changes] == [(6, True)]
