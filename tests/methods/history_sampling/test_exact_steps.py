"""Where counted repeats agree, two neighbours that are known and differ are a change, always."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.core.findings.histories import Known
from sonde.methods.history_sampling.bisecting import Bisecting
from sonde.methods.history_sampling.greedy import GreedyPolicy
from sonde.methods.history_sampling.planner import HistoryPlanner
from sonde.methods.history_sampling.shared_changes.policy import SharedChanges
from sonde.methods.history_sampling.widest_gap import WidestGap
from tests.methods.history_sampling.made_series import (
    made_series,
    play,
    position_of,
    result_of,
)
from tests.values import failed

NOISE = 0.001
policies = pytest.mark.parametrize(
    "policy", [SharedChanges(), GreedyPolicy(), WidestGap()], ids=["shared-changes", "greedy", "paper"]
)


def planner_over(kinds, policy, *, magnitude=0.0, noise=NOISE) -> HistoryPlanner:
    series = made_series(len(kinds), kinds=kinds, counted_noise=noise, magnitude=magnitude)
    return HistoryPlanner([series], len(kinds), policy)


def told(kinds, logs, policy, *, known=None, failing=frozenset(), runs=2, **how) -> HistoryPlanner:
    """A planner that knows the values of some revisions, and that some fail."""
    planner = planner_over(kinds, policy, **how)
    for at in range(len(kinds)) if known is None else known:
        point = made_series(len(kinds)).point(at)
        is_failure = kinds[at] in failing
        planner.tell([failed(point) if is_failure else result_of(point, [exp(logs[kinds[at]])] * runs)])
    return planner


def changes_of(planner: HistoryPlanner):
    (history,) = planner.histories()
    return history.changes


@st.composite
def some_histories(draw):
    """Kinds of 2 to 50 revisions, the log of each kind's value, those that fail, and what is measured."""
    kinds = draw(st.lists(st.integers(0, 12), min_size=2, max_size=50))
    levels = st.integers(-200, 200).map(lambda number: number / 40)  # 2.5 % apart at least, if they differ
    logs = draw(st.lists(levels, min_size=13, max_size=13))
    failing = draw(st.sets(st.integers(0, 12), max_size=3))
    known = draw(st.sets(st.integers(0, len(kinds) - 1), min_size=1))
    return kinds, logs, frozenset(failing), sorted(known)


def true_changes(kinds, logs, failing, known) -> list[tuple[int, int]]:
    """Between which neighbours that are measured or proven the value differs: the range after the first."""
    valued = {kinds[at] for at in known} - failing
    places = [at for at, kind in enumerate(kinds) if kind in valued]
    return [
        (before + 1, after) for before, after in pairwise(places) if logs[kinds[before]] != logs[kinds[after]]
    ]


@policies
@settings(max_examples=60)
@given(history=some_histories(), runs=st.integers(1, 3))
def test_every_step_is_reported_at_its_revisions_and_no_other(policy, history, runs):
    kinds, logs, failing, known = history

    found = changes_of(told(kinds, logs, policy, known=known, failing=failing, runs=runs))

    expected = true_changes(kinds, logs, failing, known)
    assert [(change.earliest, change.latest) for change in found] == expected
    assert all(change.earliest <= change.position <= change.latest for change in found)
    for change in found:
        height = logs[kinds[change.latest]] - logs[kinds[change.earliest - 1]]
        assert change.effect == pytest.approx(height)
        assert change.effect_low == pytest.approx(height)
        assert change.effect_high == pytest.approx(height)


@policies
@settings(max_examples=30)
@given(history=some_histories())
def test_exact_ends_at_single_revisions_but_where_those_between_fail(policy, history):
    kinds, logs, failing, known = history
    planner = told(kinds, logs, Bisecting(policy), known=known, failing=failing)

    def value(_, position, __):
        return exp(logs[kinds[position]])

    play(planner, value, failing=[at for at, kind in enumerate(kinds) if kind in failing])

    for change in changes_of(planner):
        assert set(kinds[change.earliest : change.latest]) <= failing


@policies
def test_two_distinct_builds_in_eight_revisions_are_a_change(policy):
    planner = told([0, 0, 0, 0, 1, 1, 1, 1], [0.0, log(3.95)], policy, known=[0, 4], magnitude=0.01)

    (change,) = changes_of(planner)

    assert (change.position, change.is_exact) == (4, True)
    assert change.effect == pytest.approx(log(3.95))


@policies
def test_what_matters_less_is_left_out(policy):
    kinds = list(range(6))

    found = changes_of(told(kinds, [0.0, 0.009, 0.018, 0.05, 0.05, 0.045], policy, magnitude=0.01))

    assert [change.position for change in found] == [3]


@policies
def test_drift_and_small_neighbours_are_no_part_of_a_size(policy):
    logs = [0.0005 * at + 0.04 * (at >= 10) for at in range(20)]

    (change,) = changes_of(told(list(range(20)), logs, policy, magnitude=0.01))

    assert change.position == 10
    assert change.effect == pytest.approx(0.0405)


def test_its_interval_comes_from_the_scatter_of_both_sides():
    planner = planner_over([0, 1], SharedChanges())
    series = made_series(2)
    planner.tell([result_of(series.point(0), [1.0, 1.0002]), result_of(series.point(1), [1.05, 1.0504])])

    (change,) = changes_of(planner)

    assert exp(change.effect) == pytest.approx(sqrt(1.05 * 1.0504 / 1.0002))
    assert change.effect_low < log(1.05 / 1.0002)  # two runs each have not seen the extremes
    assert change.effect_high > log(1.0504 / 1.0)


def varying(level: float, rng: np.random.Generator) -> list[float]:
    """Runs that mostly take the least, and now and then more, as those of jq do."""
    more = 3e-4 * rng.poisson(1.0, 8) + 1e-6 * rng.random(8)
    return [float(level * (1 + each)) for each in more]


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), step=st.sampled_from([-0.05, 0.02, 0.07]))
def test_both_neighbours_of_a_varying_change_are_repeated_and_they_alone(seed, step):
    rng = np.random.default_rng(seed)
    runs = [varying(exp(step * (at >= 5)), rng) for at in range(10)]
    series = made_series(10, runs=2, most_runs=8, counted_noise=NOISE, magnitude=0.01)
    planner = HistoryPlanner([series], 10, Bisecting(SharedChanges()))
    planner.tell([result_of(series.point(at), runs[at][:2]) for at in range(10)])

    asked = play(planner, lambda _, position, run: runs[position][run])

    (change,) = changes_of(planner)
    assert {position_of(request.point) for request in asked} <= {4, 5}
    reach = (change.effect_high - change.effect_low) / 2
    most = {position_of(request.point): request.runs for request in asked}
    assert reach <= NOISE or most == {4: 8, 5: 8}
    assert change.effect == pytest.approx(step, abs=NOISE)


def test_runs_that_agree_are_not_repeated_for_others_that_vary():
    series = made_series(6, runs=2, most_runs=8, counted_noise=NOISE, magnitude=0.01)
    planner = HistoryPlanner([series], 6, Bisecting(SharedChanges()))
    spread = {1: 3e-4}
    planner.tell(
        [
            result_of(series.point(at), [level, level * (1 + spread.get(at, 0))])
            for at, level in enumerate([1.0, 1.0, 1.0, 1.05, 1.05, 1.05])
        ]
    )

    assert planner.ask(8) == []
    (change,) = changes_of(planner)
    assert change.effect_low == change.effect_high == change.effect


def test_where_runs_vary_a_single_one_is_repeated():
    series = made_series(6, runs=2, most_runs=8, counted_noise=NOISE, magnitude=0.01)
    planner = HistoryPlanner([series], 6, Bisecting(SharedChanges()))
    for at, values in enumerate([[1.0], [1.0, 1.0003], [1.0], [1.05], [1.05], [1.05]]):
        planner.tell([result_of(series.point(at), values)])

    assert sorted((position_of(each.point), each.runs) for each in planner.ask(8)) == [(2, 2), (3, 2)]


def _run_of(runs: Sequence[Sequence[float]], _: str, position: int, run: int) -> float:
    return runs[position][run]


def test_intervals_hold_what_measuring_again_shows():
    """Nearly nine times out of ten, for runs that are as lopsided as those of jq."""
    rng, held, histories, times = np.random.default_rng(1), 0, 100, 20
    for _ in range(histories):
        runs = [varying(level, rng) for level in (1.0, 1.0, 1.07, 1.07)]
        series = made_series(4, runs=2, most_runs=8, counted_noise=NOISE, magnitude=0.01)
        planner = HistoryPlanner([series], 4, Bisecting(SharedChanges()))
        planner.tell([result_of(series.point(at), runs[at][:2]) for at in range(4)])
        play(planner, partial(_run_of, runs))
        (change,) = changes_of(planner)
        for _ in range(times):
            sides = (np.log(varying(level, rng)[:2]).mean() for level in (1.07, 1.0))
            held += change.effect_low <= next(sides) - next(sides) <= change.effect_high

    assert 0.84 <= held / (histories * times) <= 0.95


def test_a_measured_value_that_is_exact_has_no_band():
    planner = told([0, 1, 2, 3, 3], [0.0, 0.3, 0.6, 0.9], SharedChanges(), known=[0, 2, 3])

    (history,) = planner.histories()

    for at in (0, 2, 3, 4):
        estimate = history.estimates[at]
        assert estimate is not None
        assert estimate.known in (Known.MEASURED, Known.PROVEN)
        assert estimate.low == estimate.high == estimate.value


def test_where_repeats_disagree_their_noise_decides():
    """Runs that scatter by 20 % cannot show a step of 2 %, however few revisions there are."""
    planner = planner_over([0, 1, 2, 3], SharedChanges(), magnitude=0.01)
    series = made_series(4)
    for at, level in enumerate([1.0, 1.0, 1.02, 1.02]):
        planner.tell([result_of(series.point(at), [level, 1.2 * level])])

    assert changes_of(planner) == ()


def test_the_noise_comes_from_repeats_and_never_from_the_series():
    """A series of steps looks like noise; repeats say that it is none, though they differ a little."""
    logs = [0.0, 0.3, 0.1, 0.5, 0.2, 0.6, 0.0, 0.4]
    planner = planner_over(list(range(8)), SharedChanges(), magnitude=0.01)
    series = made_series(8)
    for at, level in enumerate(logs):
        planner.tell([result_of(series.point(at), [exp(level), 1.002 * exp(level)])])

    assert [change.position for change in changes_of(planner)] == list(range(1, 8))


def test_one_revision_whose_runs_disagree_takes_nothing_from_the_others():
    """Its neighbours are no change, for its runs reach to both of them; a step elsewhere is one."""
    planner = planner_over(list(range(6)), SharedChanges(), magnitude=0.01)
    series = made_series(6)
    for at, level in enumerate([1.0, 1.0, 1.0, 1.05, 1.05, 1.05]):
        spread = 0.05 if at == 1 else 0.0
        planner.tell([result_of(series.point(at), [level - spread, level + 1.5 * spread])])

    assert [change.position for change in changes_of(planner)] == [3]
