"""What the default policy promises, whatever its constants: valid picks, good estimates, honest bands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.findings.histories import SeriesHistory
from sonde.methods.history_sampling.facts import Array, Pick, SubjectFacts
from sonde.methods.history_sampling.shared_changes.policy import SharedChanges
from tests.methods.history_sampling.made_series import (
    FEW_EXAMPLES,
    SOME_EXAMPLES,
    assert_valid,
    facts_of,
    noisy,
    planner_of,
    play,
    position_of,
    series_facts,
    some_facts,
    stepped,
)


def values_of(history: SeriesHistory) -> Array:
    return np.array([estimate.value for estimate in history.estimates if estimate is not None])


def crowded(picks: list[Pick], facts: SubjectFacts) -> list[Pick]:
    """Picks between two samples between which something is pending or picked already."""
    taken = {at: series.pending.tolist() for at, series in enumerate(facts.series)}
    found = []
    for pick in picks:
        measured = facts.series[pick.series].measured
        if pick.step in measured:  # another run of a sample lies in no gap
            continue
        gap = np.searchsorted(measured, pick.step)
        if any(np.searchsorted(measured, other) == gap for other in taken[pick.series]):
            found.append(pick)
        taken[pick.series].append(pick.step)
    return found


@SOME_EXAMPLES
@given(facts=some_facts, at_most=st.integers(0, 20))
def test_picks_are_open_allowed_and_no_step_is_picked_twice(facts, at_most):
    assert_valid(SharedChanges().choose(facts, at_most), facts, at_most)


@SOME_EXAMPLES
@given(facts=some_facts, at_most=st.integers(1, 20))
def test_nothing_is_picked_where_something_is_pending_once_a_series_has_begun(facts, at_most):
    has_begun = [len(one.known) >= 3 and len(one.measured) > 0 for one in facts.series]

    picks = [pick for pick in SharedChanges().choose(facts, at_most) if has_begun[pick.series]]

    assert not crowded(picks, facts)


@SOME_EXAMPLES
@given(facts=some_facts)
def test_the_same_facts_give_the_same_picks_the_best_first(facts):
    picks = SharedChanges().choose(facts, 6)

    assert list(picks) == list(SharedChanges().choose(facts, 6))
    gains = [pick.gain for pick in picks]
    assert gains == sorted(gains, reverse=True)


@FEW_EXAMPLES
@given(
    seed=st.integers(0, 50),
    count=st.integers(1, 6),
    length=st.integers(1, 60),
    allowance=st.integers(1, 12),
    batch=st.integers(1, 9),
    failing=st.sets(st.integers(0, 59), max_size=20),
)
def test_it_ends_and_keeps_to_its_allowance(seed, count, length, allowance, batch, failing):
    rng = np.random.default_rng(seed)
    truth = {
        str(at): stepped(length, {int(place): 1.4 for place in rng.integers(1, max(2, length), 3)})
        for at in range(count)
    }

    planner = planner_of(SharedChanges(), count, length, allowance, seed)
    asked = play(planner, noisy(truth, 0.02, seed), batch=batch, failing=failing)

    points = [request.point for request in asked]
    assert len(set(points)) == len(points)
    for at in range(count):
        own = sum(point.benchmark == str(at) for point in points)
        assert own == min(allowance, length)


@pytest.mark.parametrize("batch", [1, 2, 5])
@pytest.mark.parametrize("count", [1, 8])
def test_the_first_samples_spread_over_the_history_whatever_the_batch(batch, count):
    """Three samples leave no gap of three quarters of the history, in any batch."""
    planner = planner_of(SharedChanges(), count, 200, allowance=3)

    asked = play(planner, lambda *_: 1.0, batch=batch)

    for at in range(count):
        places = [position_of(each.point) for each in asked if each.point.benchmark == str(at)]
        gaps = np.diff([0, *sorted(places), 199])
        assert max(gaps) < 150


def test_a_failed_first_sample_is_replaced_nearby():
    facts = facts_of(series_facts(101, {0: 0.0, 100: 0.0}, failing=[50]))

    (pick,) = SharedChanges().choose(facts, 1)

    assert 25 <= pick.step <= 75


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_change_that_all_series_share_is_found_from_few_samples(seed):
    truth = {str(at): stepped(400, {233: 1.3}, level=1.0 + at) for at in range(20)}
    planner = planner_of(SharedChanges(), 20, 400, allowance=8, seed=seed)

    play(planner, noisy(truth, 0.01, seed), batch=6)

    errors = [
        np.mean(np.abs(values_of(history) / truth[history.benchmark] - 1)) for history in planner.histories()
    ]
    assert np.mean(errors) < 0.02
    found = [change for history in planner.histories() for change in history.changes]
    assert 0.8 * 20 <= len(found) <= 1.1 * 20
    assert np.median([abs(change.position - 233) for change in found]) <= 10
    assert np.median([change.effect for change in found]) == pytest.approx(np.log(1.3), rel=0.15)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("deviation", [0.0, 0.01])
def test_in_constant_series_nothing_changes(seed, deviation):
    truth = {str(at): stepped(300, {}, level=2.0) for at in range(10)}
    planner = planner_of(SharedChanges(), 10, 300, allowance=15, seed=seed)

    play(planner, noisy(truth, deviation, seed), batch=8)

    assert sum(len(history.changes) for history in planner.histories()) == 0
    for history in planner.histories():
        assert values_of(history) == pytest.approx(2.0, rel=4 * deviation + 1e-6)


def test_noise_gives_at_most_one_false_change_in_five_series():
    truth = {str(at): stepped(300, {}, level=2.0) for at in range(10)}
    found = 0
    for seed in range(3):
        planner = planner_of(SharedChanges(), 10, 300, allowance=15, seed=seed)
        play(planner, noisy(truth, 0.02, seed), batch=8)
        found += sum(len(history.changes) for history in planner.histories())

    assert found <= 0.2 * 3 * len(truth)


def test_a_lone_spike_is_no_change():
    rng = np.random.default_rng(3)
    logs = {step: float(rng.normal(0, 0.01)) for step in range(0, 200, 5)}
    logs[100] = 0.5

    (inferred,) = SharedChanges().infer(facts_of(series_facts(200, logs)))

    assert inferred is not None
    assert inferred.shifts == ()
    beside = np.array([step for step in range(90, 110) if step != 100])
    assert np.abs(inferred.mean[beside]).max() < 0.05


def test_a_change_among_as_many_samples_is_one():
    rng = np.random.default_rng(3)
    logs = {step: float(rng.normal(0, 0.01)) + 0.5 * (step >= 100) for step in range(0, 200, 5)}

    (inferred,) = SharedChanges().infer(facts_of(series_facts(200, logs)))

    assert inferred is not None
    (shift,) = inferred.shifts
    assert (shift.earliest, shift.latest) == (96, 100)


@pytest.mark.parametrize("seed", [0])
def test_nine_of_ten_new_values_lie_within_the_bands(seed):
    rng = np.random.default_rng(seed)
    shared = [int(place) for place in rng.integers(20, 280, 2)]
    truth = {str(at): stepped(300, dict.fromkeys(shared, 1.25)) for at in range(40)}
    planner = planner_of(SharedChanges(), 40, 300, allowance=20, seed=seed)

    play(planner, noisy(truth, 0.02, seed), batch=12)

    within = []
    for history in planner.histories():
        new = truth[history.benchmark] * np.exp(rng.normal(0, 0.02, 300))
        for estimate, value in zip(history.estimates, new, strict=True):
            assert estimate is not None
            within.append(estimate.low <= value <= estimate.high)
    assert 0.80 <= np.mean(within) <= 0.98


@SOME_EXAMPLES
@given(facts=some_facts)
def test_answers_are_in_order_whatever_is_known(facts):
    for series, inferred in zip(facts.series, SharedChanges().infer(facts), strict=True):
        if inferred is None:
            assert not len(series.measured)
            continue
        assert len(inferred.mean) == len(inferred.low) == len(inferred.high) == series.steps
        assert np.isfinite([inferred.low, inferred.mean, inferred.high]).all()
        assert (inferred.low <= inferred.mean).all()
        assert (inferred.mean <= inferred.high).all()
        np.testing.assert_allclose(inferred.mean[series.measured], series.logs)
        edges = [0]
        for shift in inferred.shifts:
            assert edges[-1] < shift.earliest <= shift.step <= shift.latest < series.steps
            assert shift.low <= shift.high
            edges.append(shift.latest)


def test_series_of_which_nothing_is_known_do_not_disturb_the_others():
    nothing, something = series_facts(50, {}, failing=range(50)), series_facts(50, {0: 0.0, 49: 0.4})
    facts = facts_of(nothing, something)

    inferred = SharedChanges().infer(facts)

    assert inferred[0] is None
    assert inferred[1] is not None
    assert {pick.series for pick in SharedChanges().choose(facts, 5)} == {1}
