"""Which configurations are looked at over the whole history, and how often."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Option
from sonde.methods.pinpointing.search import DemandResult, SearchProblem
from sonde.methods.pinpointing.shared_steps.probing.screening import (
    FARTHEST,
    _covering,
    _measure_or_nearby,
    _over_history,
    begin,
    mixed_rows,
    poor_rows,
    screen,
    spread_steps,
)
from sonde.space.space import Space
from tests.methods.pinpointing.shared_steps.made_searches import switches
from tests.methods.pinpointing.shared_steps.made_sheets import knowledge_of

SPACES = [
    Space(switches(2)),
    Space(switches(7)),
    Space((*switches(3), Option("level", (1, 5, 9), 5), Option("method", ("lz", "rle"), "lz"))),
    Space.of(
        (*switches(3), *(Option(name, (False, True), name == "lz") for name in ("lz", "rle", "huff"))),
        ["exactly one of lz, rle, huff", "o0 implies o1"],
    ),
    Space.of(switches(14), ["at most one of o0, o1, o2, o3", "o5 requires o6"]),  # too many to be listed
    Space(switches(14)),
    Space.of(switches(4), ["at most one of o0, o1, o2, o3"]),  # in which no two are ever on
]


def answered(program, answer):
    """Play a part of the search to its end; what it wished for and what it says."""
    demands = []
    try:
        batch = next(program)
        while True:
            demands += batch
            batch = program.send([answer(demand) for demand in batch])
    except StopIteration as end:
        return demands, end.value


def fine(demand):
    return DemandResult(demand.step, demand.configuration, (1.0,) * demand.runs)


@given(
    first=st.integers(0, 20),
    length=st.integers(1, 300),
    count=st.integers(2, 40),
    phase=st.floats(0, 1, exclude_max=True),
)
def test_spread_steps_are_those_of_the_stretch_with_both_ends_first(first, length, count, phase):
    end = first + length

    steps = spread_steps(first, end, count, phase)

    assert all(first <= step < end for step in steps)
    assert len(steps) <= count or length <= count
    assert {first, end - 1} <= set(steps)
    assert set(steps[:2]) == {first, end - 1}
    if length <= count:
        assert sorted(steps) == list(range(first, end))


@given(length=st.integers(20, 300), power=st.integers(1, 4))
def test_spread_steps_leave_no_gap_larger_than_its_part(length, power):
    count = 2**power + 1

    steps = sorted(spread_steps(0, length, count))

    if length > count:
        assert max(np.diff(steps)) <= (length - 1) / 2**power + 1
        assert len(steps) == count


def test_spread_steps_begin_with_the_ends_then_the_middle_then_the_quarters():
    assert spread_steps(0, 101, 6) == [0, 100, 50, 25, 75, 12]
    assert spread_steps(10, 13, 9) == [10, 12, 11]
    assert spread_steps(4, 5, 3) == [4]
    assert spread_steps(4, 4, 3) == []


def test_a_phase_moves_what_lies_between_the_ends():
    assert spread_steps(0, 101, 5, phase=0.5) == [0, 100, 60, 35, 85]


@pytest.mark.parametrize("space", SPACES)
def test_covering_rows_hold_every_pair_of_further_literals_that_is_possible(space):
    knowledge = knowledge_of(space)
    alphabet = knowledge.alphabet
    low = set(alphabet.literal_indices(knowledge.lowest).tolist())

    rows = _covering(knowledge)

    assert all(space.is_valid(alphabet.configuration(row)) for row in rows)
    covered = {
        pair
        for row in rows
        for pair in combinations(sorted(set(alphabet.literal_indices(row).tolist()) - low), 2)
    }
    possible = {
        pair
        for pair in combinations([each for each in range(len(alphabet.literals)) if each not in low], 2)
        if space.solver.is_possible([alphabet.literals[index] for index in pair])
    }
    assert covered == possible
    held = {index for row in rows for index in alphabet.literal_indices(row).tolist()}
    further = [index for index in range(len(alphabet.literals)) if index not in low]
    assert all(space.solver.is_possible([alphabet.literals[index]]) == (index in held) for index in further)
    assert [row.tolist() for row in rows[:2]] == [knowledge.lowest.tolist(), knowledge.highest.tolist()]


@pytest.mark.parametrize("space", SPACES)
def test_poor_rows_hold_every_literal_with_as_little_else_as_possible(space):
    knowledge = knowledge_of(space)
    alphabet = knowledge.alphabet

    rows = poor_rows(knowledge)

    assert len({row.tobytes() for row in rows}) == len(rows)
    held = {index for row in rows for index in alphabet.literal_indices(row).tolist()}
    for index, literal in enumerate(alphabet.literals):
        assert (index in held) == space.solver.is_possible([literal])
    if not space.constraints:
        assert all((row != knowledge.lowest).sum() <= 1 for row in rows)


@pytest.mark.parametrize("space", SPACES)
def test_mixed_rows_are_valid_and_different(space):
    knowledge = knowledge_of(space)

    rows = mixed_rows(knowledge)

    assert len({row.tobytes() for row in rows}) == len(rows) > 0
    assert all(space.is_valid(knowledge.alphabet.configuration(row)) for row in rows)


def test_where_a_step_fails_another_close_by_is_measured():
    knowledge = knowledge_of(SPACES[1], steps=200)
    broken = {50, 51, 49}

    def answer(demand):
        if demand.step in broken:
            return DemandResult(demand.step, demand.configuration, (), is_whole_revision=True)
        return fine(demand)

    wanted = [(knowledge.lowest, 50, 1), (knowledge.highest, 120, 1)]
    demands, is_new = answered(_measure_or_nearby(knowledge, wanted), answer)

    assert is_new
    steps = [demand.step for demand in demands if demand.configuration == SPACES[1].default]
    assert steps == [50, 49, 48]
    assert knowledge.sheet.runs(knowledge.lowest, 48) == 1
    assert [demand.step for demand in demands if demand.configuration != SPACES[1].default] == [120]


def test_another_step_is_one_at_which_the_configuration_exists():
    world = SearchProblem(200, SPACES[1], lambda _: (50, 200))
    knowledge = knowledge_of(SPACES[1], world=world)

    def answer(demand):
        return DemandResult(demand.step, demand.configuration, () if demand.step == 50 else (1.0,))

    demands, _ = answered(_measure_or_nearby(knowledge, [(knowledge.lowest, 50, 1)]), answer)

    assert [demand.step for demand in demands] == [50, 51]


def test_where_all_fails_close_by_no_more_is_tried():
    knowledge = knowledge_of(SPACES[1], steps=200)

    def answer(demand):
        return DemandResult(demand.step, demand.configuration, ())

    demands, is_new = answered(_measure_or_nearby(knowledge, [(knowledge.lowest, 50, 1)]), answer)

    assert not is_new
    assert len(demands) == 5
    assert all(abs(demand.step - 50) <= FARTHEST for demand in demands)


def test_the_beginning_measures_both_extremes_at_both_ends_repeatedly():
    knowledge = knowledge_of(SPACES[1], steps=200)

    demands, is_new = answered(begin(knowledge), fine)

    assert is_new
    assert {(demand.step, demand.runs) for demand in demands} == {(0, 3), (199, 2)}
    assert {demand.configuration for demand in demands} == {
        knowledge.alphabet.configuration(row) for row in (knowledge.lowest, knowledge.highest)
    }


def test_the_beginning_looks_elsewhere_where_the_ends_do_not_build():
    knowledge = knowledge_of(SPACES[1], steps=200)

    def answer(demand):
        return fine(demand) if 90 < demand.step < 110 else DemandResult(demand.step, demand.configuration, ())

    _, is_new = answered(begin(knowledge), answer)

    assert is_new
    assert knowledge.sheet.has_values()


def test_a_recording_is_looked_at_in_neighbourhoods():
    knowledge = knowledge_of(SPACES[1], steps=200)

    def answer(demand):
        return DemandResult(demand.step, demand.configuration, (1.0,), is_repeatable=False)

    demands, _ = answered(begin(knowledge), answer)

    steps = sorted({demand.step for demand in demands})
    assert sum(after - before == 1 for before, after in pairwise(steps)) == 12


@pytest.mark.parametrize("runs", [1, 4, 17, 40])
def test_over_history_each_row_gets_as_many_runs_as_wanted(runs):
    noisy = [DemandResult(0, SPACES[1].default, (1.0, 1.05, 0.97))]
    knowledge = knowledge_of(SPACES[1], noisy, steps=200)

    wanted = list(_over_history(knowledge, [knowledge.lowest, knowledge.highest], runs))

    for row in (knowledge.lowest, knowledge.highest):
        mine = [each for each in wanted if each[0] is row]
        assert sum(count for _, _, count in mine) == runs
        assert len({step for _, step, _ in mine}) == min(runs, knowledge.settings.grid)


@pytest.mark.parametrize("noise_floor", [0.0, 0.001])
def test_equal_runs_are_not_repeated(noise_floor):
    equal = [DemandResult(0, SPACES[1].default, (1.0, 1.0, 1.0))]
    world = SearchProblem(200, SPACES[1], lambda _: (0, 200), noise_floor=noise_floor)
    knowledge = knowledge_of(SPACES[1], equal, world=world)

    wanted = list(_over_history(knowledge, [knowledge.lowest], 40))

    assert [runs for _, _, runs in wanted] == [1] * knowledge.settings.grid


def test_only_the_life_of_a_configuration_is_looked_at():
    space = SPACES[1]
    world = SearchProblem(200, space, lambda each: (120, 180) if each["o2"] else (0, 200))
    knowledge = knowledge_of(space, world=world)
    answered(begin(knowledge), fine)

    demands, _ = answered(screen(knowledge), fine)

    late = [demand.step for demand in demands if demand.configuration["o2"]]
    assert late
    assert all(120 <= step < 180 for step in late)
    assert min(demand.step for demand in demands if not demand.configuration["o2"]) < 60


def test_a_configuration_that_never_ran_is_left_out():
    space = SPACES[1]
    knowledge = knowledge_of(space, steps=200)
    knowledge.sheet.hear(
        [DemandResult(step, knowledge.alphabet.configuration(knowledge.highest), ()) for step in (0, 9, 199)]
    )

    assert list(_over_history(knowledge, [knowledge.highest], 9)) == []


def test_noise_decides_how_much_is_measured():
    def runs(noise):
        knowledge = knowledge_of(SPACES[1], steps=200)

        def answer(demand):
            values = tuple(1.0 + noise * (-1) ** (number + demand.step) for number in range(demand.runs))
            return DemandResult(demand.step, demand.configuration, values)

        answered(begin(knowledge), answer)
        demands, _ = answered(screen(knowledge), answer)
        return sum(demand.runs for demand in demands)

    assert runs(0.0) < runs(0.01) < runs(0.03)
