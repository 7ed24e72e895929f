from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.campaign.budget import Unlimited
from sonde.campaign.drawn import DrawnExecutor
from sonde.campaign.loop import Campaign
from sonde.campaign.memory_store import MemoryStore
from sonde.core.findings.pinpoints import NO_INFLUENCES, Influence, PredictionRequest, TermChange
from sonde.core.options import Configuration, Option
from sonde.core.points import Point
from sonde.core.results import Failed, Metric, Result, Stage
from sonde.methods.pinpointing.line import BenchmarkSteps
from sonde.methods.pinpointing.planner import PinpointPlanner
from sonde.methods.pinpointing.request_list import RequestList
from sonde.methods.pinpointing.search import DemandResult, Program, SampleDemand, SearchProblem
from sonde.space.space import Space
from tests.methods.pinpointing.influences.made_system import MadeSystem, term
from tests.values import BENCHMARK, failed, measured, point, revision_id

STEPS = 6
SPACE = Space.of([Option("level", (1, 9), 1), Option("fast", (False, True), False)])
LINE = BenchmarkSteps(BENCHMARK, Metric.CPU, tuple(map(revision_id, range(STEPS))), (0, 2, 4, 6, 8, 10))
WORLD = SearchProblem(STEPS, SPACE, lambda _: (0, STEPS))
NOT_TODAY = Failed(Stage.RUN, "It ended with exit code 1.")


class Listed:
    """Yields lists of demands, and keeps what it hears."""

    def __init__(self, *lists: Sequence[SampleDemand], found: tuple[TermChange, ...] = ()) -> None:
        self._lists = lists
        self._found = found
        self.heard: list[Sequence[DemandResult]] = []

    def run(self, world: SearchProblem) -> Program:
        for demands in self._lists:
            self.heard.append((yield demands))
        return "all is heard"

    def findings(self) -> tuple[TermChange, ...]:
        return self._found

    def noise(self) -> float | None:
        return None


class Silent:
    def notice(self, event) -> None:
        pass


def demand(step: int, runs: int = 1) -> SampleDemand:
    return SampleDemand(step, SPACE.default, runs)


def place(step: int) -> Point:
    return LINE.point(step, SPACE.default)


def failing(where: Point, is_lasting: bool = True) -> Result:
    return Result(where, replace(NOT_TODAY, is_lasting=is_lasting))


@pytest.mark.parametrize("is_lasting", [True, False])
@pytest.mark.parametrize("is_first", [True, False])
def test_when_a_further_run_fails_the_wish_is_answered_with_the_samples_there_are(is_lasting, is_first):
    search = Listed([demand(0, 4), demand(1)])
    planner = PinpointPlanner(LINE, WORLD, search)
    results = [measured(place(0), 2), failing(place(0), is_lasting)]

    planner.ask(9)
    planner.tell([*(reversed(results) if is_first else results), measured(place(1), 1)])

    assert planner.finished == "all is heard"
    assert [one.values for one in search.heard[0]] == [(1.0, 1.0), (1.0,)]
    assert planner.pinpointed().points == 2
    assert planner.pinpointed().failed == 0


def test_a_point_that_gave_up_is_not_asked_for_again():
    planner = PinpointPlanner(LINE, WORLD, Listed([demand(0, 2)], [demand(0, 4), demand(1)]))
    planner.tell([measured(place(0), 2), failing(place(0))])

    assert [request.point for request in planner.ask(9)] == [place(1)]


def test_a_failure_without_samples_is_a_failure():
    search = Listed([demand(0, 4)])
    planner = PinpointPlanner(LINE, WORLD, search)

    planner.tell([failing(place(0))])

    assert planner.finished
    assert search.heard[0][0].values == ()
    assert planner.pinpointed().failed == 1


def test_a_campaign_in_which_further_runs_fail_goes_on_to_the_end():
    taken: Counter[Point] = Counter()

    def draw(where, rng):
        taken[where] += 1
        return 1.0 if taken[where] <= 2 else NOT_TODAY

    search = Listed([demand(0, 2), demand(1, 2)], [demand(0, 4)], [demand(2, 2)])
    executor = DrawnExecutor(draw, Metric.CPU)
    campaign = Campaign(executor, MemoryStore(), Unlimited(), STEPS, lambda: 0.0, Silent())

    ending = campaign.run(PinpointPlanner(LINE, WORLD, search))

    assert ending.reason == "all is heard"
    assert [len(one.values) for heard in search.heard for one in heard] == [2, 2, 2, 2]


def test_of_several_wishes_for_a_point_the_largest_is_asked_for():
    search = Listed([demand(0), demand(1), demand(0, 3)])
    planner = PinpointPlanner(LINE, WORLD, search)

    requests = planner.ask(9)
    planner.tell([measured(request.point, request.runs) for request in requests])

    assert planner.finished
    assert [(request.point, request.runs) for request in requests] == [(place(0), 3), (place(1), 1)]
    assert [len(one.values) for one in search.heard[0]] == [1, 1, 3]


def test_another_point_may_answer_and_more_of_it_may_come_later():
    search = Listed([demand(0, 2)])
    planner = PinpointPlanner(LINE, WORLD, search)
    other = LINE.point(0, Configuration.of({"level": 9, "fast": True}))
    planner.ask(1)

    planner.tell([replace(measured(other, 1), instead_of=place(0))])
    before = planner.finished
    planner.tell([measured(other, 2)])

    assert (before, planner.finished) == (None, "all is heard")
    assert search.heard[0][0].configuration == other.configuration


def test_a_wish_of_a_long_list_is_looked_at_once_and_again_when_something_is_heard_of_it():
    looked_at: Counter[Point] = Counter()
    known: set[Point] = set()
    points = [point(position) for position in range(300)]

    def hear(asked: SampleDemand, where: Point) -> DemandResult | None:
        looked_at[where] += 1
        return DemandResult(asked.step, asked.configuration, (1.0,)) if where in known else None

    demands = RequestList([demand(number) for number in range(300)], points, hear)
    while requests := demands.ask(7):
        assert demands.answers() is None
        known.update(request.point for request in requests)
        demands.touch(request.point for request in requests)

    answers = demands.answers()
    assert answers is not None
    assert [one.step for one in answers] == list(range(300))
    assert set(looked_at.values()) == {2}


@given(data=st.data())
def test_the_order_and_the_parts_in_which_results_come_do_not_matter(data):
    lists = data.draw(
        st.lists(
            st.lists(st.builds(demand, st.integers(0, STEPS - 1), st.integers(1, 3)), max_size=6), max_size=4
        )
    )
    chosen = data.draw(st.lists(st.integers(0, STEPS - 1), unique=True))
    results = [
        result
        for step in chosen
        for result in data.draw(
            st.sampled_from(
                [
                    [measured(place(step), 3)],
                    [measured(place(step), 1), failing(place(step))],
                    [failed(place(step))],
                    [measured(place(step), 1)],
                ]
            )
        )
    ]
    at_once, bit_by_bit = (PinpointPlanner(LINE, WORLD, Listed(*lists)) for _ in range(2))

    at_once.tell(results)
    bit_by_bit.tell(data.draw(st.permutations(results)))

    assert list(at_once.ask(99)) == list(bit_by_bit.ask(99))
    assert at_once.finished == bit_by_bit.finished


SYSTEM = MadeSystem(
    SPACE, {term(): 10.0, term(fast=True): -3.0, term(level=9): 5.0}, [(4, term(level=9), 2.0)]
)


def told(world: SearchProblem, space: Space = SPACE) -> PinpointPlanner:
    """A planner that was told everything of SYSTEM."""
    planner = PinpointPlanner(LINE, world, Listed([demand(0, 9)], found=SYSTEM.changes()))
    planner.tell(
        measured(LINE.point(step, each), 2, SYSTEM.value(each, step))
        for each in space.configurations()
        for step in range(STEPS)
    )
    return planner


def rounded(influence: Influence) -> list[tuple[int, float]]:
    return [(since, round(value, 6)) for since, value in influence.over_time]


def test_influences_have_positions_of_the_history_and_predict():
    configuration = SPACE.parse("level=9,fast")

    influences = told(WORLD).influences([PredictionRequest("9", configuration, at) for at in (7, 8, 99)])

    heights = {one.term: rounded(one) for one in influences.terms}
    assert heights[term(level=9)] == [(0, 5.0), (8, 7.0)]
    assert heights[term(fast=True)] == [(0, -3.0)]
    assert [one.value for one in influences.predictions] == pytest.approx([12.0, 14.0, 14.0])
    assert influences.points == 4 * STEPS
    assert influences.typical == pytest.approx(11.0)
    assert influences.relative_error is not None


def test_an_influence_is_told_only_while_its_options_exist():
    def life(configuration):
        return (2, 5) if configuration["level"] == 9 else (0, STEPS)

    (level,) = (
        one for one in told(replace(WORLD, life=life)).influences().terms if one.term == term(level=9)
    )

    assert rounded(level) == [(4, 5.0), (8, 7.0)]
    assert level.gone_at == 10
    assert [level.at(position) for position in (3, 10)] == [None, None]
    assert [level.at(position) for position in (4, 9)] == pytest.approx([5.0, 7.0])


def test_where_nothing_was_measured_there_are_no_influences():
    planner = PinpointPlanner(LINE, WORLD, Listed([demand(0)]))
    planner.tell([failed(place(0))])

    assert planner.influences() == NO_INFLUENCES


def test_a_line_tells_the_step_of_a_position():
    late = replace(LINE, positions=(3, 4, 6, 7, 9, 12))

    assert [late.step_at(position) for position in (0, 3, 5, 12, 40)] == [None, 0, 1, 5, 5]
