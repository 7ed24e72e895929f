"""What every planner promises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.results import Result
from tests.conformance.planner_cases import CASES, PlannerCase
from tests.values import failed, measured, point

cases = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])


def some_results(draw: st.DrawFn, case: PlannerCase) -> list[Result]:
    """A result, complete or not, for some points, each point at most once."""
    places = draw(st.lists(st.sampled_from(case.points), unique=True))
    outcome = st.one_of(st.just(0), st.integers(1, case.runs))
    drawn = [(place, draw(outcome)) for place in places]
    return [measured(place, runs) if runs else failed(place) for place, runs in drawn]


@cases
@given(data=st.data())
def test_order_of_telling_does_not_matter(case, data):
    results = some_results(data.draw, case)
    first, second = case.make(), case.make()

    first.tell(results)
    second.tell(data.draw(st.permutations(results)))

    assert list(first.ask(3)) == list(second.ask(3))


@cases
@given(data=st.data())
def test_telling_twice_changes_nothing(case, data):
    results = some_results(data.draw, case)
    once, twice = case.make(), case.make()

    once.tell(results)
    twice.tell(results)
    twice.tell(results)

    assert list(once.ask(4)) == list(twice.ask(4))
    assert once.finished == twice.finished


@cases
@given(data=st.data())
def test_a_result_with_fewer_samples_takes_nothing_back(case, data):
    place = data.draw(st.sampled_from(case.points))
    whole, repeated = case.make(), case.make()

    whole.tell([measured(place, case.runs)])
    repeated.tell([measured(place, case.runs), measured(place, 1)])

    assert list(whole.ask(50)) == list(repeated.ask(50))


@cases
@given(data=st.data())
def test_foreign_points_are_ignored(case, data):
    foreign = data.draw(st.sampled_from([point(10**6), point(0, benchmark="other"), point(0, colour="red")]))
    planner, untouched = case.make(), case.make()

    planner.tell([measured(foreign, 1), failed(foreign)])

    assert list(planner.ask(4)) == list(untouched.ask(4))


@cases
def test_no_more_is_asked_for_than_wanted(case):
    assert len(case.make().ask(2)) <= 2
    assert list(case.make().ask(0)) == []


@cases
def test_what_is_pending_is_not_asked_for_again(case):
    planner = case.make()

    first, second = planner.ask(3), planner.ask(3)

    assert not {request.point for request in first} & {request.point for request in second}


@cases
@given(data=st.data())
def test_any_subset_may_come_back_in_any_order_and_it_still_ends(case, data):
    planner, ended = case.make(), False
    for _ in range(500):
        requests = planner.ask(data.draw(st.integers(1, 5)))
        if planner.finished is not None:
            ended = True
            break
        for request in data.draw(st.permutations(list(requests))):
            fails = data.draw(st.booleans())
            planner.tell([failed(request.point) if fails else measured(request.point, request.runs)])

    assert ended
    assert planner.finished


@cases
def test_when_everything_failed_it_ends_with_a_reason(case):
    planner = case.make()

    planner.tell([failed(place) for place in case.points])

    assert planner.finished
    assert list(planner.ask(4)) == []


@cases
def test_resuming_is_telling_everything_known(case):
    straight, told = case.make(), []
    for _ in range(3):
        results = [measured(request.point, request.runs) for request in straight.ask(2)]
        straight.tell(results)
        told += results

    resumed = case.make()
    resumed.tell(told)

    assert list(resumed.ask(3)) == list(straight.ask(3))
