from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sonde.campaign.budget import Points, RunBudget, Seconds, Share, Unlimited
from sonde.campaign.estimates import enough_for, pace_after, pace_of, points_allowed
from sonde.core.findings.plans import Effort, Pace
from sonde.core.results import Cost

HUNDRED = Effort(builds=20, runs=200, pace=Pace(3.0, 0.5))  # that 100 points take: 160 s


def test_a_run_takes_until_the_next_start_and_pauses_between_commands_do_not_count():
    day = 86_400.0
    starts = [(0.0, False), (4.0, True), (6.0, True), (8.0, True), (day, True), (day + 2.0, False)]

    assert pace_of([4.0, 6.0], 1, starts) == Pace(5.0, 2.0)


def test_what_runs_at_the_same_time_adds_less():
    two_at_a_time = [(0.0, True), (0.0, True), (3.0, True), (3.0, True), (6.0, True)]

    assert pace_of([8.0], 2, two_at_a_time) == Pace(4.0, 1.5)


def test_nothing_is_known_of_what_was_never_built_or_run():
    assert pace_of([], 2, []) == Pace(None, None)
    assert pace_of([2.0], 1, [(0.0, False), (2.0, True)]) == Pace(2.0, None)  # when it ended was not noted


def test_an_effort_takes_as_long_as_builds_and_runs_and_what_is_unknown_matters_only_if_it_is_needed():
    assert HUNDRED.seconds == 160.0
    assert Effort(0, 4, Pace(None, 0.5)).seconds == 2.0
    assert Effort(1, 4, Pace(None, 0.5)).seconds is None
    assert Effort(1, 4).seconds is None
    assert Effort(0, 0).seconds == 0.0


def test_a_budget_allows_for_its_part_of_the_points():
    assert points_allowed(RunBudget(100), 100, HUNDRED) == 50
    assert points_allowed(Seconds(16), 100, HUNDRED) == 10
    assert points_allowed(Seconds(1000), 100, HUNDRED) == 100
    assert points_allowed(Points(30), 100, HUNDRED) == 30
    assert points_allowed(Seconds(16), 100, Effort(20, 200)) is None
    assert points_allowed(Unlimited(), 100, HUNDRED) is None
    assert points_allowed(Share(0.1), 100, HUNDRED) is None


def test_what_is_known_costs_nothing_so_that_any_budget_allows_for_it():
    assert points_allowed(Seconds(1), 100, Effort(0, 0)) == 100
    assert points_allowed(RunBudget(1), 100, Effort(0, 0)) == 100


def test_the_budget_that_is_enough_is_of_the_kind_that_was_given_and_is_rounded_up():
    assert enough_for(Seconds(16), 100, HUNDRED) == "3m"
    assert enough_for(Seconds(1), 100, Effort(0, 10, Pace(None, 1.5))) == "15s"
    assert enough_for(Seconds(1), 100, Effort(0, 10, Pace(None, 3000.0))) == "9h"
    assert enough_for(RunBudget(100), 100, HUNDRED) == "200"
    assert enough_for(Points(30), 100, HUNDRED) == "200"


@given(
    seconds=st.floats(1, 1e5),
    needed=st.integers(1, 5000),
    builds=st.integers(0, 500),
    runs=st.integers(1, 5000),
)
def test_a_time_that_is_enough_allows_for_what_is_needed(seconds, needed, builds, runs):
    effort = Effort(builds, runs, Pace(7.0, 0.3))
    written = enough_for(Seconds(seconds), needed, effort)
    unit = {"s": 1, "m": 60, "h": 3600}[written[-1]]

    assert points_allowed(Seconds(int(written[:-1]) * unit), needed, effort) == needed


def test_the_pace_of_a_campaign_parts_its_time_as_builds_and_runs_parted_its_work():
    spent = Cost(runs=10, builds=4, seconds=40.0)

    # Half of the work were builds, and two things ran at a time.
    assert pace_after(20.0, spent, build_seconds=20.0) == Pace(2.5, 1.0)
    assert pace_after(20.0, Cost(runs=10, seconds=40.0), build_seconds=0.0) == Pace(None, 2.0)
    assert pace_after(20.0, Cost(), build_seconds=0.0) == Pace()
