from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.campaign.budget import Ledger, Points, RunBudget, Seconds, Share, Unlimited, parse_budget
from sonde.core.errors import UsageError
from sonde.core.points import Request
from sonde.core.results import FREE, Cost, Failed, Measurement, Result, Stage, Twin
from tests.values import failed, measured, point, sample


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("200", RunBudget(200)),
        (" 3% ", Share(0.03)),
        ("0.5%", Share(0.005)),
        ("90s", Seconds(90)),
        ("1.5h", Seconds(5400)),
        ("2 d", Seconds(172800)),
        ("", Unlimited()),
    ],
)
def test_a_budget_is_runs_a_share_or_time(text, budget):
    assert parse_budget(text) == budget


@pytest.mark.parametrize("text", ["0", "-3", "101%", "0%", "2.5", "three", "3 weeks", "1e3", "nan"])
def test_any_other_budget_is_an_error_that_shows_how_to_write_one(text):
    with pytest.raises(UsageError, match=r"budget '.*' is invalid.*200.*3%.*2h"):
        parse_budget(text)


@given(share=st.floats(0.001, 1), revisions=st.integers(1, 100_000))
def test_a_share_allows_for_four_points_or_more_but_never_more_than_there_are(share, revisions):
    points = Share(share).points(revisions)

    assert min(4, revisions) <= points <= revisions
    assert points >= min(revisions, round(share * revisions))


def test_runs_are_granted_up_to_the_budget_and_the_last_request_is_cut():
    ledger = Ledger(RunBudget(5), revisions=10, started=0.0)

    allowed = ledger.allow([Request(point(1), 3), Request(point(2), 3), Request(point(3), 3)])

    assert allowed == [Request(point(1), 3), Request(point(2), 2)]


def test_where_a_sample_takes_more_runs_than_the_budget_has_left_none_is_allowed():
    ledger = Ledger(RunBudget(5), revisions=10, started=0.0, runs_per_sample=2)

    assert ledger.allow([Request(point(1), 1), Request(point(2), 3)]) == [
        Request(point(1), 1),
        Request(point(2), 1),
    ]
    ledger.pay(Cost(runs=6))
    assert ledger.allow([Request(point(1), 1), Request(point(2), 3)]) == []


def test_what_has_failed_is_not_cut_for_it_takes_no_further_runs():
    ledger = Ledger(RunBudget(1), revisions=10, started=0.0)
    wanted = [Request(point(1), 3)]

    assert ledger.allow(wanted) == [Request(point(1), 1)]
    ledger.note(Result(point(1), failed(point(1)).outcome))
    assert ledger.allow(wanted) == wanted


def test_samples_that_are_known_are_not_paid_again():
    ledger = Ledger(RunBudget(5), revisions=10, started=0.0)
    ledger.note(measured(point(1), 2))

    allowed = ledger.allow([Request(point(1), 3), Request(point(2), 4)])

    assert allowed == [Request(point(1), 3), Request(point(2), 4)]


def test_twins_are_free_and_failed_builds_count_in_a_share():
    ledger = Ledger(Share(0.04), revisions=100, started=0.0)  # four points
    twin = Result(point(3), Measurement((sample(0),), Twin(point(1), "same build outputs")))
    absent = Result(point(7), Failed(Stage.SPACE, "No such option."))
    for result in (measured(point(1), 2), failed(point(2)), twin, absent):
        ledger.note(result)

    allowed = ledger.allow([Request(point(position), 2) for position in (4, 5, 6)])

    assert [request.point for request in allowed] == [point(4), point(5)]


def test_a_share_counts_what_an_earlier_campaign_has_measured():
    ledger = Ledger(Share(0.04), revisions=100, started=0.0)
    for position in range(4):
        ledger.note(measured(point(position), 2, cost=FREE))

    assert ledger.allow([Request(point(9), 2)]) == []


def test_a_share_counts_each_series_for_itself():
    ledger = Ledger(Share(0.04), revisions=100, started=0.0)
    for position in range(4):
        ledger.note(measured(point(position), 2))

    allowed = ledger.allow([Request(point(9), 2), Request(point(9, benchmark="unpack"), 2)])

    assert [request.point.benchmark for request in allowed] == ["unpack"]


def test_more_runs_of_a_point_that_was_paid_are_within_the_share():
    ledger = Ledger(Share(0.04), revisions=100, started=0.0)
    for position in range(4):
        ledger.note(measured(point(position), 2))

    assert ledger.allow([Request(point(0), 9)]) == [Request(point(0), 9)]


def test_points_count_over_all_series_and_repeats_are_free():
    ledger = Ledger(Points(3), revisions=100, started=0.0)
    ledger.note(measured(point(1), 2))
    ledger.note(failed(point(2)))

    allowed = ledger.allow([Request(point(9), 2), Request(point(9, benchmark="unpack"), 2)])

    assert allowed == [Request(point(9), 2)]
    assert ledger.allow([Request(point(1), 9)]) == [Request(point(1), 9)]


@pytest.mark.parametrize("budget", [Points(1), RunBudget(1)])
def test_what_answered_for_another_point_is_not_paid_again(budget):
    ledger = Ledger(budget, revisions=100, started=0.0)
    answered = measured(point(1), 1)
    ledger.note(Result(answered.point, answered.outcome, instead_of=point(1, level=5)))
    ledger.pay(answered.cost)

    assert ledger.allow([Request(point(1, level=5), 1)]) == [Request(point(1, level=5), 1)]
    assert ledger.allow([Request(point(1, level=9), 1)]) == []


def test_time_is_up_when_the_clock_says_so():
    ledger = Ledger(Seconds(60), revisions=10, started=100.0)

    assert not ledger.is_overdue(159.0)
    assert ledger.is_overdue(160.0)


@given(
    st.integers(1, 30),
    st.lists(st.tuples(st.integers(0, 8), st.integers(1, 5)), max_size=12, unique_by=lambda pair: pair[0]),
)
def test_never_more_runs_than_the_budget_are_allowed(runs, wanted):
    ledger = Ledger(RunBudget(runs), revisions=10, started=0.0)
    requests = [Request(point(position), count) for position, count in wanted]

    allowed = ledger.allow(requests)

    assert sum(request.runs for request in allowed) == min(runs, sum(request.runs for request in requests))
