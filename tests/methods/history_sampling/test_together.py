"""One list of revisions for all series."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.history_sampling.at_random import AtRandom
from sonde.methods.history_sampling.facts import SubjectFacts
from sonde.methods.history_sampling.greedy import GreedyPolicy
from sonde.methods.history_sampling.planner import HistoryPlanner
from sonde.methods.history_sampling.shared_changes.policy import SharedChanges
from sonde.methods.history_sampling.together import MeetingPolicy
from sonde.methods.history_sampling.widest_gap import WidestGap
from tests.methods.history_sampling.made_series import (
    FEW_EXAMPLES,
    SOME_EXAMPLES,
    assert_valid,
    facts_of,
    made_series,
    noisy,
    play,
    position_of,
    series_facts,
    some_facts,
    stepped,
)

policies = pytest.mark.parametrize(
    "policy",
    [SharedChanges(), GreedyPolicy(), WidestGap(), AtRandom()],
    ids=["shared-changes", "greedy", "paper", "random"],
)


def built(facts: SubjectFacts) -> set[int]:
    return {int(place) for series in facts.series for place in series.places[series.known]}


@policies
@SOME_EXAMPLES
@given(facts=some_facts, at_most=st.integers(0, 12), more=st.integers(0, 5))
def test_picks_are_valid_and_no_more_places_are_built_than_allowed(policy, facts, at_most, more):
    before = built(facts)
    together = MeetingPolicy(policy, len(before) + more)

    picks = together.choose(facts, at_most)

    assert_valid(picks, facts, at_most)
    visited = {int(facts.series[pick.series].places[pick.step]) for pick in picks}
    assert len(visited | before) <= len(before) + more


@policies
@FEW_EXAMPLES
@given(
    seed=st.integers(0, 20),
    most_places=st.integers(3, 30),
    batch=st.integers(1, 12),
    gaps=st.lists(st.sets(st.integers(0, 59), max_size=30), min_size=4, max_size=4),
)
def test_few_places_are_built_though_series_lack_some_revisions(policy, seed, most_places, batch, gaps):
    series = []
    for at, missing in enumerate(gaps):
        positions = [place for place in range(60) if place not in missing]
        series.append(made_series(len(positions), str(at), positions=positions))
    truth = {str(at): stepped(60, {31: 1.4}) for at in range(4)}
    planner = HistoryPlanner(series, 60, MeetingPolicy(policy, most_places), seed, lambda _: 12)

    asked = play(planner, noisy(truth, 0.01, seed), batch=batch)

    assert len({position_of(request.point) for request in asked}) <= most_places
    assert len({request.point for request in asked}) == len(asked)


@policies
def test_series_meet_at_the_same_revisions(policy):
    truth = {str(at): stepped(400, {233: 1.3}, level=1.0 + at) for at in range(10)}
    series = [made_series(400, str(at)) for at in range(10)]

    def places(chosen) -> int:
        planner = HistoryPlanner(series, 400, chosen, allowance=lambda _: 8)
        asked = play(planner, noisy(truth, 0.01, 0), batch=16)
        assert len(asked) == 80
        return len({position_of(request.point) for request in asked})

    assert places(MeetingPolicy(policy)) <= places(policy)


@pytest.mark.parametrize("most_places", [2, 2**62])
def test_a_series_that_fails_at_a_built_revision_is_measured_beside_it(most_places):
    """The other series was measured at 50; this one fails there, so its demand must not be moved there."""
    measured = {0: 0.0, 50: 0.0, 100: 0.0}
    done = replace(series_facts(101, measured), allowance=0)
    stuck = series_facts(101, {0: 0.0, 100: 0.0}, failing=[50])
    facts = facts_of(done, stuck)

    picks = MeetingPolicy(WidestGap(), max(most_places, 4)).choose(facts, 1)

    assert [pick.series for pick in picks] == [1]
    assert 0 < picks[0].step < 100


@policies
def test_what_it_makes_of_the_facts_is_what_the_policy_makes(policy):
    facts = facts_of(series_facts(40, {0: 0.0, 20: 0.4, 39: 0.4}))

    (own,), (other,) = MeetingPolicy(policy).infer(facts), policy.infer(facts)

    assert own is not None
    assert other is not None
    np.testing.assert_array_equal(own.mean, other.mean)
