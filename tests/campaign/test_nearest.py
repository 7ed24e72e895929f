"""A recording that lacks configurations answers with its nearest one."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from sonde.campaign.nearest import NearestExecutor
from sonde.campaign.replay import ReplayExecutor
from sonde.core.options import Configuration
from sonde.core.points import Point, Request
from sonde.core.results import Failed, Measurement, Metric
from tests.conformance.executors import (
    a_closed_execution_can_be_followed_by_another,
    a_failing_point_does_not_stop_the_others,
    a_repeated_request_costs_nothing,
    more_runs_are_added_to_those_known,
    results_hold_all_samples_in_the_end,
)
from tests.values import point

NAMES = "abcd"
ALL = [dict(zip(NAMES, values, strict=True)) for values in product((False, True), repeat=4)]


def place(revision: int, on: str) -> Point:
    return replace(point(revision), configuration=Configuration.of({name: name in on for name in NAMES}))


def executor(values: dict[Point, float]) -> NearestExecutor:
    return NearestExecutor(ReplayExecutor(values, Metric.CPU), values)


def answers(asked, *places):
    """The result for each place that was asked for, one by one."""
    return [list(asked.execute([Request(one, 1)]))[-1].result for one in places]


RECORDED = {place(1, ""): 1.0, place(1, "ab"): 2.0, place(1, "abcd"): 4.0, place(2, ""): 1.5}


def test_what_is_recorded_answers_itself():
    (result,) = answers(executor(RECORDED), place(1, "ab"))

    assert result.point == place(1, "ab")
    assert result.instead_of is None


def test_the_nearest_answers_and_says_for_whom():
    (result,) = answers(executor(RECORDED), place(1, "abc"))

    assert result.point == place(1, "ab")  # as near as abcd, and recorded before it
    assert result.instead_of == place(1, "abc")
    assert isinstance(result.outcome, Measurement)
    assert result.outcome.samples[0].values == {Metric.CPU: 2.0}
    assert not result.outcome.is_repeatable


def test_a_point_is_handed_out_once_and_who_asks_again_gets_the_same():
    asked = executor(RECORDED)

    first, second, again, third, fourth = answers(
        asked, place(1, "abc"), place(1, "abd"), place(1, "abc"), place(1, "acd"), place(1, "bcd")
    )

    assert [one.point for one in (first, second, again, third)] == [
        place(1, "ab"),
        place(1, "abcd"),
        place(1, "ab"),
        place(1, ""),
    ]
    assert again.cost.runs == 0
    assert again.instead_of == place(1, "abc")
    assert isinstance(fourth.outcome, Failed)
    assert "have been used" in fourth.outcome.reason


def test_what_was_asked_for_itself_is_used_up_too():
    asked = executor(RECORDED)

    _, substitute = answers(asked, place(1, "ab"), place(1, "abc"))

    assert substitute.point == place(1, "abcd")


def test_what_stood_in_for_another_still_answers_for_itself():
    asked = executor(RECORDED)

    _, own = answers(asked, place(1, "abc"), place(1, "ab"))

    assert own.point == place(1, "ab")
    assert own.instead_of is None


def test_each_revision_has_its_own_points():
    (result,) = answers(executor(RECORDED), place(2, "abc"))

    assert result.point == place(2, "")


def test_a_recorded_configuration_without_a_value_there_fails():
    (result,) = answers(executor(RECORDED), place(2, "ab"))

    assert result.point == place(2, "ab")
    assert isinstance(result.outcome, Failed)


@given(
    recorded=st.lists(st.sampled_from(ALL), min_size=1, max_size=8, unique_by=str),
    wanted=st.lists(st.sampled_from(ALL), max_size=12),
)
def test_no_free_point_is_nearer_than_the_one_that_answers(recorded, wanted):
    values = {point(1, **chosen): 1.0 for chosen in recorded}
    asked, used = executor(values), set()
    for chosen in wanted:
        (result,) = answers(asked, point(1, **chosen))
        free = [one for one in recorded if str(one) not in used]
        if result.instead_of is not None and str(chosen) not in used:
            distances = {str(one): sum(one[name] != chosen[name] for name in NAMES) for one in free}
            answered = {name: result.point.configuration[name] for name in NAMES}
            assert distances[str(answered)] == min(distances.values())
        elif isinstance(result.outcome, Failed):
            assert not free
        used |= {str(chosen), str({name: result.point.configuration[name] for name in NAMES})}


def test_it_is_an_executor():
    good = [Request(place(1, on), 2) for on in ("", "ab", "abcd")]
    results_hold_all_samples_in_the_end(executor(RECORDED), good)
    a_failing_point_does_not_stop_the_others(executor(RECORDED), Request(place(2, "ab"), 2), good)
    a_repeated_request_costs_nothing(executor(RECORDED), good)
    more_runs_are_added_to_those_known(executor(RECORDED), place(1, "ab"))
    a_closed_execution_can_be_followed_by_another(executor(RECORDED), good)
