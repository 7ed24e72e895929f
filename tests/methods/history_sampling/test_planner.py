"""What the planner promises whatever the policy: twins, failures, allowances, stopping, and the answer."""

from __future__ import annotations

from math import exp, inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.campaign.budget import Share
from sonde.core.findings.histories import Known
from sonde.core.results import Measurement, Result, Twin
from sonde.methods.history_sampling.at_random import AtRandom
from sonde.methods.history_sampling.greedy import GreedyPolicy
from sonde.methods.history_sampling.planner import HistoryPlanner
from sonde.methods.history_sampling.policies import POLICIES
from sonde.methods.history_sampling.shared_changes.policy import SharedChanges
from sonde.methods.history_sampling.stopping import ErrorBelow, NoMoreThanNoise
from sonde.methods.history_sampling.together import MeetingPolicy
from sonde.methods.history_sampling.widest_gap import WidestGap
from tests.methods.history_sampling.made_series import (
    FEW_EXAMPLES,
    made_series,
    noisy,
    planner_of,
    play,
    position_of,
    result_of,
    stepped,
)
from tests.values import failed, measured, point

policies = pytest.mark.parametrize(
    "policy",
    [*(make() for make in POLICIES.values()), MeetingPolicy(SharedChanges()), MeetingPolicy(WidestGap())],
    ids=[*POLICIES, "shared-changes-together", "paper-together"],
)


def flat(*_: object) -> float:
    return 1.0


# Twins


@policies
@FEW_EXAMPLES
@given(kinds=st.lists(st.sampled_from("abcdef"), min_size=1, max_size=15))
def test_nothing_is_measured_that_is_proven_equal(policy, kinds):
    series = made_series(len(kinds), kinds=kinds)
    planner = HistoryPlanner([series], len(kinds), policy)

    asked = [position_of(request.point) for request in play(planner, flat, batch=1)]

    assert sorted(kinds[position] for position in asked) == sorted(set(kinds))
    (history,) = planner.histories()
    assert history.measured == len(set(kinds))
    assert history.proven == len(kinds) - len(set(kinds))


def test_successive_twins_are_one_step_and_far_ones_are_known_together():
    series = made_series(7, kinds="aabbbca")
    planner = HistoryPlanner([series], 7, WidestGap())

    planner.tell([result_of(series.point(1), [2.0])])

    (facts,) = planner.facts().series
    assert facts.places.tolist() == [0, 2, 5, 6]
    assert facts.measured.tolist() == [0, 3]
    assert facts.is_open.tolist() == [False, True, True, False]
    (history,) = planner.histories()
    known = [estimate.known for estimate in history.estimates if estimate is not None]
    assert known == [
        Known.PROVEN,
        Known.MEASURED,
        *[Known.ESTIMATED] * 4,
        Known.PROVEN,
    ]


def test_a_result_that_the_executor_shared_is_proven_and_takes_no_allowance():
    series = made_series(5)
    planner = HistoryPlanner([series], 5, WidestGap(), allowance=lambda _: 2)
    shared = result_of(series.point(2), [1.0]).outcome
    assert isinstance(shared, Measurement)

    twin = Twin(series.point(0), "same build outputs")
    planner.tell([Result(series.point(2), Measurement(shared.samples, twin))])

    assert planner.facts().series[0].allowance == 2
    (history,) = planner.histories()
    assert (history.measured, history.proven) == (0, 1)


# Failures, and values that are none


@policies
@FEW_EXAMPLES
@given(failing=st.sets(st.integers(0, 24)), batch=st.integers(1, 6), seed=st.integers(0, 5))
def test_what_failed_is_never_asked_for_again(policy, failing, batch, seed):
    truth = {str(at): stepped(25, {11: 1.5}) for at in range(3)}

    asked = play(planner_of(policy, 3, 25, seed=seed), noisy(truth, 0.01, seed), batch=batch, failing=failing)

    points = [request.point for request in asked]
    assert len(set(points)) == len(points) == 3 * 25


@pytest.mark.parametrize("policy", [WidestGap(), GreedyPolicy()], ids=["paper", "greedy"])
def test_the_nearest_open_revision_takes_the_place_of_a_failed_one(policy):
    planner = planner_of(policy, 1, 21, allowance=6)

    asked = [position_of(each.point) for each in play(planner, flat, batch=1, failing={0, 20, 10})]

    assert asked in ([0, 1, 20, 19, 10, 9], [0, 20, 1, 19, 10, 9])


@pytest.mark.parametrize("value", [0.0, -1.0, nan, inf])
def test_a_value_without_a_logarithm_is_no_value(value):
    series = made_series(9)
    planner = HistoryPlanner([series], 9, WidestGap(), allowance=lambda _: 3)

    planner.tell([result_of(series.point(4), [value]), result_of(series.point(0), [1.0])])

    (facts,) = planner.facts().series
    assert facts.measured.tolist() == [0]
    assert not facts.is_open[4]
    assert facts.allowance == 1
    (history,) = planner.histories()
    assert history.failed == (4,)
    assert all(request.point != series.point(4) for request in planner.ask(9))


@given(
    values=st.lists(st.sampled_from([1.0, 1.2, 0.0, nan]), min_size=1, max_size=4),
    twins=st.lists(st.sampled_from([1.0, 0.0, -1.0]), min_size=1, max_size=2),
    data=st.data(),
)
def test_the_order_of_telling_does_not_matter_for_values_that_are_none(values, twins, data):
    """An executor tells of each sample as it comes; who resumes is told of the last only."""
    series = made_series(6, kinds="abacde")
    straight, shuffled, resumed = (
        HistoryPlanner([series], 6, WidestGap(), allowance=lambda _: 4) for _ in range(3)
    )
    growing = [result_of(series.point(0), values[: end + 1]) for end in range(len(values))]
    twin = result_of(series.point(2), twins)

    straight.tell([*growing, twin])
    shuffled.tell(data.draw(st.permutations([*growing, twin])))
    resumed.tell([growing[-1], twin])

    def seen(planner: HistoryPlanner) -> tuple[object, ...]:
        (facts,) = planner.facts().series
        return facts.measured.tolist(), facts.is_open.tolist(), facts.allowance, facts.runs.tolist()

    assert seen(straight) == seen(shuffled) == seen(resumed)
    assert list(straight.ask(3)) == list(shuffled.ask(3)) == list(resumed.ask(3))


# Allowances


@policies
@pytest.mark.parametrize("batch", [1, 3, 16])
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 40])
def test_an_allowance_of_four_is_used_up_and_never_exceeded(policy, length, batch):
    planner = planner_of(policy, 2, length, allowance=4)

    asked = play(planner, flat, batch=batch)

    assert len({request.point for request in asked}) == len(asked) == 2 * min(4, length)
    for history in planner.histories():
        assert history.measured == min(4, length)
        assert not history.changes


@policies
@pytest.mark.parametrize("batch", [1, 16])
@pytest.mark.parametrize("length", [1, 2, 3, 30])
def test_an_allowance_counts_failures(policy, length, batch):
    planner = planner_of(policy, 2, length, allowance=4)

    asked = play(planner, flat, batch=batch, failing=range(length))

    assert len({request.point for request in asked}) == len(asked) == 2 * min(4, length)
    for history in planner.histories():
        assert history.measured == history.proven == 0
        assert set(history.estimates) == {None}
        assert len(history.failed) == min(4, length)


@policies
@pytest.mark.parametrize("batch", [1, 5])
def test_a_wide_gap_in_which_nothing_can_be_measured_does_not_stop_it(policy, batch):
    truth = {str(at): stepped(100, {50: 2.0}) for at in range(2)}
    planner = planner_of(policy, 2, 100)

    asked = play(planner, noisy(truth, 0.005, 1), batch=batch, failing=range(5, 95))

    assert len(asked) == 200
    for history in planner.histories():
        assert history.measured == 10
        assert history.failed == tuple(range(5, 95))
        for change in history.changes:
            assert change.earliest <= 50 <= change.latest
        values = [estimate.value for estimate in history.estimates if estimate is not None]
        assert np.median(values[:5]) == pytest.approx(1.0, rel=0.03)
        assert np.median(values[95:]) == pytest.approx(2.0, rel=0.03)


@policies
def test_nothing_to_plan_is_no_riddle(policy):
    planner = HistoryPlanner([], 0, policy)

    assert planner.finished
    assert list(planner.ask(3)) == []
    assert planner.histories() == ()


@policies
@given(share=st.floats(0.01, 1.0), length=st.integers(1, 40))
@FEW_EXAMPLES
def test_a_share_of_the_revisions_is_the_allowance_of_each_series(policy, share, length):
    series = [made_series(length, "0"), made_series(max(1, length // 2), "1")]
    planner = HistoryPlanner(series, length, policy, allowance=Share(share).points)

    asked = play(planner, flat)

    for one in series:
        taken = sum(request.point.benchmark == one.benchmark for request in asked)
        assert taken == Share(share).points(len(one.revisions))


# Stopping


@pytest.mark.parametrize("policy", [WidestGap(), SharedChanges()], ids=["paper", "shared-changes"])
def test_for_eq_10_one_revision_of_each_series_is_repeated_first(policy):
    series = [made_series(50, name) for name in "01"]
    planner = HistoryPlanner(series, 50, policy, stopping=NoMoreThanNoise(runs=7))

    asked = planner.ask(12)

    for name in "01":
        runs = [request.runs for request in asked if request.point.benchmark == name]
        assert runs[0] == 7
        assert set(runs[1:]) == {1}


def test_for_eq_10_the_repeats_are_asked_for_again_if_the_first_revision_fails():
    planner = HistoryPlanner([made_series(50)], 50, WidestGap(), stopping=NoMoreThanNoise(runs=7))
    (first,) = planner.ask(1)
    planner.tell([failed(first.point)])

    (second,) = planner.ask(1)

    assert second.runs == 7
    assert [request.runs for request in planner.ask(2)] == [1, 1]


def test_for_eq_10_what_an_earlier_campaign_measured_once_does_not_stand_for_the_repeats():
    series = made_series(50)
    planner = HistoryPlanner([series], 50, WidestGap(), stopping=NoMoreThanNoise(runs=7))
    planner.tell([result_of(series.point(0), [1.0])])

    assert [request.runs for request in planner.ask(2)] == [7, 1]


def test_eq_10_ends_it_when_no_variance_exceeds_that_of_the_repeats():
    truth = {"pack": 1.0 + 0.4 * np.sin(np.arange(300) / 40)}
    planner = HistoryPlanner([made_series(300)], 300, WidestGap(), stopping=NoMoreThanNoise())
    value = noisy(truth, 0.05, 3)
    reasons = []
    while planner.finished is None:
        reasons.append(is_as_certain_as_noise(planner))
        for request in planner.ask(1):
            values = [value("pack", position_of(request.point), run) for run in range(request.runs)]
            planner.tell([result_of(request.point, values)])

    assert planner.finished == "every revision is as certain as the noise allows"
    assert not any(reasons)
    assert is_as_certain_as_noise(planner)
    (history,) = planner.histories()
    assert 2 < history.measured < 300


def is_as_certain_as_noise(planner: HistoryPlanner) -> bool:
    """Eq. 10, from the bands of the answer, whose ends are 1.6449 deviations away."""
    (history,) = planner.histories()
    if history.measured < 2:
        return False
    estimates = [estimate for estimate in history.estimates if estimate is not None]
    deviations = [(np.log(each.high) - np.log(each.low)) / 2 / 1.6449 for each in estimates]
    (facts,) = planner.facts().series
    threshold = np.var([np.log(noisy_run(run)) for run in range(5)], ddof=1)
    return bool(len(facts.measured) and max(deviations) ** 2 <= threshold)


def noisy_run(run: int) -> float:
    """The repeats at the first revision that the policy asks for."""
    return noisy({"pack": 1.0 + 0.4 * np.sin(np.arange(300) / 40)}, 0.05, 3)("pack", 0, run)


def test_one_revision_is_not_enough_to_stop():
    """A band around a single sample has no width: nothing is known of how fast the course moves."""
    for stopping in (NoMoreThanNoise(), ErrorBelow(0.02)):
        planner = HistoryPlanner([made_series(50)], 50, WidestGap(), stopping=stopping)
        (first,) = planner.ask(1)
        planner.tell([result_of(first.point, [1.0, 1.1, 1.0, 1.2, 1.0])])

        assert planner.finished is None


@pytest.mark.parametrize("seed", range(6))
def test_eq_10_does_not_end_before_there_is_anything_to_estimate_from(seed):
    """Both ends are alike, and half of what lies between them takes half more."""
    value = noisy({"pack": stepped(300, {80: 1.5, 200: 1 / 1.5})}, 0.01, seed)
    planner = HistoryPlanner([made_series(300)], 300, WidestGap(), stopping=NoMoreThanNoise())

    play(planner, value)

    (history,) = planner.histories()
    middle = history.estimates[140]
    assert history.measured >= 5
    assert middle is not None
    assert middle.value == pytest.approx(1.5, rel=0.05)


def test_an_expected_error_that_is_small_enough_ends_it():
    truth = {str(at): stepped(60, {25: 1.3}) for at in range(2)}
    series = [made_series(60, str(at)) for at in range(2)]

    def measured_until(error: float) -> tuple[int, str | None]:
        stopping = ErrorBelow(error)
        planner = HistoryPlanner(series, 60, SharedChanges(), allowance=lambda _: 30, stopping=stopping)
        return len(play(planner, noisy(truth, 0.01, 2))), planner.finished

    few, reason = measured_until(0.10)
    more, _ = measured_until(0.02)
    all_of_them, other_reason = measured_until(1e-9)

    assert few <= more < all_of_them == 2 * 30
    assert "the expected error is" in str(reason)
    assert "expected error" not in str(other_reason)


# The answer


@policies
@FEW_EXAMPLES
@given(seed=st.integers(0, 30), gaps=st.sets(st.integers(0, 59), max_size=30), share=st.floats(0.1, 1.0))
def test_histories_are_told_in_positions_of_the_history(policy, seed, gaps, share):
    rng = np.random.default_rng(seed)
    positions = [place for place in range(60) if place not in gaps]
    kinds = np.cumsum(rng.uniform(size=len(positions)) < 0.7).tolist()
    one = made_series(len(positions), "0", kinds=kinds, positions=positions)
    other = made_series(60, "1")
    planner = HistoryPlanner([one, other], 60, policy, allowance=Share(share).points)
    truth = {name: stepped(60, {20: 1.4, 45: 0.8}) for name in "01"}

    asked = play(planner, noisy(truth, 0.01, seed))

    for series, history in zip((one, other), planner.histories(), strict=True):
        assert len(history.estimates) == 60
        told = [at for at, estimate in enumerate(history.estimates) if estimate is not None]
        assert told == list(series.positions)
        for change in history.changes:
            assert change.earliest <= change.position <= change.latest
            assert {change.earliest, change.position, change.latest} <= set(series.positions)
            assert change.effect == pytest.approx(np.log(change.after / change.before))
            assert change.effect_low <= change.effect <= change.effect_high
        own = {position_of(each.point) for each in asked if each.point.benchmark == series.benchmark}
        kind_of = dict(zip(series.positions, series.kinds, strict=True))
        proven = {kind_of[position] for position in own}
        for position in told:
            estimate = history.estimates[position]
            assert estimate is not None
            assert 0 < estimate.low <= estimate.value <= estimate.high
            known = Known.PROVEN if kind_of[position] in proven else Known.ESTIMATED
            assert estimate.known is (Known.MEASURED if position in own else known)
        assert history.measured == len(own)


@policies
def test_a_measured_value_is_told_as_it_is(policy):
    truth = {"0": stepped(40, {17: 1.5})}
    planner = planner_of(policy, 1, 40, allowance=10)

    asked = play(planner, noisy(truth, 0.02, 4))

    (history,) = planner.histories()
    for request in asked:
        estimate = history.estimates[position_of(request.point)]
        assert estimate is not None
        expected = noisy(truth, 0.02, 4)("0", position_of(request.point), 0)
        assert estimate.value == pytest.approx(expected, rel=1e-6)


def test_the_median_of_several_runs_counts():
    series = made_series(3, runs=3)
    planner = HistoryPlanner([series], 3, AtRandom())

    planner.tell([result_of(series.point(0), [1.0, 9.0, 2.0])])

    (facts,) = planner.facts().series
    assert facts.runs.tolist() == [3]
    assert exp(float(facts.logs[0])) == pytest.approx(2.0)


def test_points_of_others_are_ignored():
    planner = planner_of(WidestGap(), 1, 5)

    planner.tell([measured(point(0, "elsewhere"), 1), failed(point(77, "0"))])

    assert planner.facts().samples == 0
