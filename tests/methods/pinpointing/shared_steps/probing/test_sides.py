"""Which points next to a boundary are measured."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.methods.pinpointing.search import DemandResult, SearchProblem
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary
from sonde.methods.pinpointing.shared_steps.probing.sides import (
    largest_difference,
    reaches,
    runs_next_to,
    side,
)
from sonde.space.space import Space
from tests.methods.pinpointing.shared_steps.made_searches import switches
from tests.methods.pinpointing.shared_steps.made_sheets import knowledge_of

SPACE = Space(switches(3))
STEPS = 40


def known(*answers, is_repeatable=True, life=None, failing=()):
    world = SearchProblem(STEPS, SPACE, life or (lambda _: (0, STEPS)))
    heard = [
        *(DemandResult(step, SPACE.default, (1.0,) * runs, is_repeatable) for step, runs in answers),
        *(DemandResult(step, SPACE.default, (), is_whole_revision=True) for step in failing),
    ]
    return knowledge_of(SPACE, heard, world=world)


def steps_and_runs(wanted):
    return [(step, runs) for _, step, runs in wanted]


def test_points_lie_next_to_the_boundary_outwards():
    knowledge, boundary = known(), Boundary(10, 12)

    assert steps_and_runs(side(knowledge, knowledge.lowest, boundary, -1, 20)) == [(9, 8), (8, 8), (7, 4)]
    assert steps_and_runs(side(knowledge, knowledge.lowest, boundary, +1, 20)) == [(12, 8), (13, 8), (14, 4)]


def test_runs_are_further_ones():
    knowledge = known((9, 5))

    assert steps_and_runs(side(knowledge, knowledge.lowest, Boundary(10, 10), -1, 3)) == [(9, 8)]


@pytest.mark.parametrize("runs", [0, -3])
def test_no_runs_are_no_points(runs):
    knowledge = known()

    assert side(knowledge, knowledge.lowest, Boundary(10, 10), -1, runs) == []


def test_points_that_fail_are_passed_over():
    knowledge = known(failing=(9, 8, 11))

    assert steps_and_runs(side(knowledge, knowledge.lowest, Boundary(10, 10), -1, 2)) == [(7, 2)]
    assert steps_and_runs(side(knowledge, knowledge.lowest, Boundary(10, 11), +1, 2)) == [(12, 2)]


def test_points_end_at_the_next_boundaries():
    knowledge = known()
    boundary = Boundary(10, 10)
    knowledge.boundaries += [Boundary(7, 8), boundary, Boundary(13, 15)]

    assert steps_and_runs(side(knowledge, knowledge.lowest, boundary, -1, 99)) == [(9, 8), (8, 8)]
    assert steps_and_runs(side(knowledge, knowledge.lowest, boundary, +1, 99)) == [(10, 8), (11, 8), (12, 8)]


def test_points_end_where_the_configuration_does():
    knowledge = known(life=lambda _: (8, 12))

    assert steps_and_runs(side(knowledge, knowledge.lowest, Boundary(10, 10), -1, 99)) == [(9, 8), (8, 8)]
    assert steps_and_runs(side(knowledge, knowledge.lowest, Boundary(10, 10), +1, 99)) == [(10, 8), (11, 8)]


def test_a_recording_is_measured_at_steps_that_are_not_measured_yet():
    knowledge = known((9, 1), (7, 1), is_repeatable=False)

    assert steps_and_runs(side(knowledge, knowledge.lowest, Boundary(10, 10), -1, 3)) == [
        (8, 1),
        (6, 1),
        (5, 1),
    ]


@settings(max_examples=50)
@given(
    earliest=st.integers(1, STEPS - 1),
    width=st.integers(0, 5),
    runs=st.integers(1, 60),
    direction=st.sampled_from([-1, 1]),
    failing=st.sets(st.integers(0, STEPS - 1)),
    measured=st.dictionaries(st.integers(0, STEPS - 1), st.integers(1, 9), max_size=8),
)
def test_as_many_runs_are_wanted_as_there_is_room_for(earliest, width, runs, direction, failing, measured):
    knowledge = known(*measured.items(), failing=failing)
    boundary = Boundary(earliest, min(earliest + width, STEPS - 1))

    wanted = side(knowledge, knowledge.lowest, boundary, direction, runs)

    beyond = range(boundary.earliest) if direction < 0 else range(boundary.latest, STEPS)
    room = [step for step in beyond if step not in failing]
    further = [count - knowledge.sheet.runs(knowledge.lowest, step) for _, step, count in wanted]
    assert all(count > 0 for count in further)
    assert {step for _, step, _ in wanted} <= set(room)
    assert sum(further) == min(runs, 8 * len(room))
    distances = [abs(step - boundary.earliest) for _, step, _ in wanted]
    assert distances == sorted(set(distances))


def test_runs_next_to_a_boundary_are_those_within_a_few_steps():
    knowledge = known((5, 1), (6, 2), (9, 3), (10, 4), (12, 5), (15, 6), (16, 7))

    assert runs_next_to(knowledge, knowledge.lowest, Boundary(10, 12)) == (5, 11)


def test_a_configuration_reaches_a_boundary_if_it_exists_on_both_sides():
    knowledge = known(life=lambda _: (10, 20))

    def does_reach(earliest, latest):
        return reaches(knowledge, knowledge.lowest, Boundary(earliest, latest))

    assert does_reach(11, 19)
    assert not does_reach(10, 12)
    assert not does_reach(15, 20)


def test_the_largest_difference_is_that_of_the_configuration_where_it_is_surely_largest():
    knowledge = known(*((step, 2) for step in range(10)))
    other = SPACE.parse("o0")
    knowledge.sheet.hear([DemandResult(step, other, (4.0 if step < 5 else 6.0,) * 2) for step in range(10)])
    boundary = Boundary(5, 5)

    found = largest_difference(knowledge, knowledge.steps(boundary))

    # 50 % of the typical value, which is the geometric mean of 4 and 6, less what is not sure.
    assert found == pytest.approx(0.5 * 24**0.5, rel=0.02)


def test_where_nothing_steps_what_could_matter_is_the_largest_difference():
    knowledge = known(*((step, 2) for step in range(10)))

    found = largest_difference(knowledge, knowledge.steps(Boundary(5, 5)))

    assert found == pytest.approx(knowledge.world.threshold * knowledge.settings.negligible)
