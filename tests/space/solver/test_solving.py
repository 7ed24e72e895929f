"""The solver agrees with brute force, and its answers depend on nothing but the question."""

import os
import subprocess
import sys
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.errors import InvalidConfiguration, UnknownOption
from sonde.core.options import Configuration, Literal, Option
from sonde.space.solver.conflicts import NoValidConfiguration
from sonde.space.solver.distance_search import search_at_distance
from sonde.space.solver.solving import Solver
from sonde.space.space import Space
from tests.space.models import (
    distance,
    every_assignment,
    feature_tree,
    has,
    partial_values,
    some_spaces,
    valid_ones,
    valid_spaces,
)
from tests.space.strategies import configurations

SEEDS = st.integers(0, 2**32)


@given(space=some_spaces())
def test_an_assignment_is_possible_exactly_if_it_is_valid(space):
    valid = set(valid_ones(space))

    for configuration in every_assignment(space):
        assert space.solver.is_possible(configuration) == (configuration in valid)


@given(space=some_spaces(), data=st.data())
def test_values_are_completed_exactly_if_a_valid_configuration_has_them(space, data):
    fixed = data.draw(partial_values(space))
    fitting = [c for c in valid_ones(space) if has(c, fixed)]
    rng = Random(data.draw(SEEDS))

    assert space.solver.is_possible(fixed) == bool(fitting)
    for answer in (space.solver.complete(fixed), space.solver.complete(fixed, rng)):
        assert answer in fitting if fitting else answer is None


@given(space=some_spaces(), data=st.data())
def test_the_nearest_configuration_is_as_near_as_any(space, data):
    fixed = data.draw(partial_values(space))
    wanted = data.draw(configurations(space.options))
    fitting = [c for c in valid_ones(space) if has(c, fixed)]

    if not fitting:
        with pytest.raises(NoValidConfiguration):
            space.solver.nearest(wanted, fixed)
        return
    nearest = space.solver.nearest(wanted, fixed)

    assert nearest in fitting
    assert distance(nearest, wanted) == min(distance(c, wanted) for c in fitting)


@given(space=some_spaces(), data=st.data())
def test_of_several_nearest_configurations_the_second_wish_decides(space, data):
    fixed = data.draw(partial_values(space))
    wanted, tie_break = (data.draw(configurations(space.options)) for _ in range(2))
    fitting = [c for c in valid_ones(space) if has(c, fixed)]
    if not fitting:
        return
    nearest = space.solver.nearest(wanted, fixed, tie_break)

    def cost(configuration):
        return distance(configuration, wanted), distance(configuration, tie_break)

    assert nearest in fitting
    assert cost(nearest) == min(map(cost, fitting))


@st.composite
def some_questions(draw):
    """A space, an origin that may be invalid, options to count, and literals to keep."""
    space = draw(some_spaces())
    names = [option.name for option in space.options]
    among = draw(st.none() | st.frozensets(st.sampled_from(names)))
    return space, draw(configurations(space.options)), among, draw(partial_values(space))


@given(question=some_questions())
def test_the_range_of_distances_is_that_of_brute_force(question):
    space, origin, among, fixed = question
    found = [distance(c, origin, among) for c in valid_ones(space) if has(c, fixed)]

    expected = (min(found), max(found)) if found else None
    assert space.solver.distances(origin, among, fixed) == expected


@given(question=some_questions(), seed=SEEDS, with_diagram=st.booleans())
def test_at_each_distance_are_exactly_those_of_brute_force(question, seed, with_diagram):
    space, origin, among, fixed = question
    solver = space.solver if with_diagram else Solver(space.encoding)
    for wanted in range(len(space.options) + 1):
        fitting = {c for c in valid_ones(space) if has(c, fixed) and distance(c, origin, among) == wanted}
        found = list(solver.each_at_distance(origin, wanted, Random(seed), among, fixed))

        assert len(found) == len(fitting)
        assert set(found) == fitting


@given(question=some_questions(), seed=SEEDS, with_diagram=st.booleans(), data=st.data())
def test_what_is_excluded_or_forbidden_is_not_found(question, seed, with_diagram, data):
    space, origin, among, fixed = question
    solver = space.solver if with_diagram else Solver(space.encoding)
    valid = valid_ones(space)
    excluded = set(data.draw(st.lists(st.sampled_from(valid)))) if valid else set()
    forbidden = data.draw(st.lists(partial_values(space), max_size=3))
    wanted = data.draw(st.integers(0, len(space.options)))
    fitting = {
        c
        for c in valid
        if has(c, fixed)
        and distance(c, origin, among) == wanted
        and c not in excluded
        and not any(has(c, term) for term in forbidden)
    }

    found = solver.at_distance(origin, wanted, Random(seed), among, fixed, excluded, forbidden)

    assert found in fitting if fitting else found is None


@given(space=valid_spaces())
def test_dead_values_and_fixed_options_are_those_of_brute_force(space):
    alive = {literal for configuration in valid_ones(space) for literal in configuration}
    every = [Literal(option.name, value) for option in space.options for value in option.values]
    left = {o.name: [v for v in o.values if Literal(o.name, v) in alive] for o in space.options}

    assert space.solver.dead_values() == tuple(literal for literal in every if literal not in alive)
    assert space.solver.fixed_options() == tuple(
        Literal(o.name, left[o.name][0]) for o in space.options if len(left[o.name]) == 1 < len(o.values)
    )


@given(space=valid_spaces(), seed=SEEDS, data=st.data())
def test_an_answer_does_not_depend_on_earlier_questions(space, seed, data):
    asked = Space(space.options, space.constraints)
    rng = Random(1)
    for _ in range(3):
        asked.solver.is_possible(data.draw(partial_values(space)))
        asked.solver.complete((), rng)
        asked.solver.at_distance(asked.default, 1, rng)
    fixed = data.draw(partial_values(space))

    for solver in (space.solver, asked.solver):
        solver.dead_values()
    assert space.solver.complete(fixed, Random(seed)) == asked.solver.complete(fixed, Random(seed))
    assert space.solver.at_distance(space.default, 2, Random(seed), None, fixed) == asked.solver.at_distance(
        asked.default, 2, Random(seed), None, fixed
    )
    assert space.solver.conflict(fixed) == asked.solver.conflict(fixed)


_ANSWERS = """
from random import Random
from sonde.space.solver.solving import Solver
from tests.space.models import feature_tree
space = feature_tree(60, Random(3))
rng = Random(5)
for solver in (space.solver, Solver(space.encoding)):
    print(solver.complete((), rng), solver.nearest(space.every_default), solver.distances(space.default))
    print([solver.at_distance(space.default, d, rng, set(space.option)) for d in range(1, 9)])
    print(solver.complete(frozenset(list(solver.complete((), rng))[::9]), rng))
print(space.diagram.sample(rng), list(map(str, space.conflict(solver.dead_values()[:1]))))
"""


def test_every_process_gives_the_same_answers():
    """Strings hash differently in each process, so sets of options have other orders."""

    def answers(seed):
        surroundings = {**os.environ, "PYTHONHASHSEED": seed}
        words = [sys.executable, "-c", _ANSWERS]
        return subprocess.run(words, env=surroundings, capture_output=True, text=True, check=True).stdout

    assert answers("1") == answers("2") != ""


@pytest.mark.parametrize("size", [64, 1_000])
def test_large_spaces_have_answers_too(size):
    space = feature_tree(size, Random(size))
    rng = Random(1)
    solver = space.solver

    completed, reach = solver.complete((), rng), solver.distances(space.default)
    assert completed is not None
    assert space.is_valid(completed)
    assert reach is not None
    near, far = reach
    assert near == 0
    for wanted in (far // 4, far // 2):
        found = solver.at_distance(space.default, wanted, rng)
        assert found is not None
        assert space.is_valid(found)
        assert distance(found, space.default) == wanted
    listed = list(islice(space.configurations(), 20))
    assert listed[0] == space.default
    assert len(set(listed)) == 20
    assert all(map(space.is_valid, listed))


def test_a_search_gives_up_where_a_proof_would_take_for_ever():
    # Thirteen pigeons and twelve holes: nothing is at this distance, and solvers need ages to prove it.
    rows = [[f"p{pigeon}_{hole}" for hole in range(12)] for pigeon in range(13)]
    options = [Option(name, (False, True), False) for row in rows for name in row]
    columns = [f"at most one of {', '.join(row[hole] for row in rows)}" for hole in range(12)]
    space = Space.of(options, columns)
    origin = space.encoding.variables.values_of(space.default)

    assert list(search_at_distance(space.encoding, origin, 13, Random(1), [], [], [])) == []


def test_a_value_that_no_option_has_is_a_mistake_with_a_text():
    space = Space.of([Option("level", (1, 5, 9), 5), Option("fast", (False, True), False)])

    with pytest.raises(InvalidConfiguration, match="option 'level' has no value '4': write one of 1, 5, 9"):
        space.solver.complete([Literal("level", 4)])
    with pytest.raises(UnknownOption, match="Did you mean 'level'"):
        space.solver.complete([Literal("levle", 5)])
    with pytest.raises(InvalidConfiguration, match="has no value for fast"):
        space.solver.nearest(Configuration.of({"level": 5}))
