"""What samplers need of the solver at a distance: forbidden terms, and walks that spare a search."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Option
from sonde.space.samplers.extremes import lowest_values
from sonde.space.samplers.walking import ConfigurationWalk
from sonde.space.space import Space
from tests.space.samplers.spaces import SWITCH, small_spaces, some_terms, valid_of


def difference(left, right):
    return sum(left[name] != value for name, value in right.values)


def has(configuration, term):
    return all(configuration[literal.option] == literal.value for literal in term)


@given(space=small_spaces(), data=st.data(), distance=st.integers(0, 5), seed=st.integers(0, 9))
def test_a_configuration_with_a_forbidden_term_is_never_found(space, data, distance, seed):
    forbidden = data.draw(st.lists(some_terms(space), max_size=3))
    origin = lowest_values(space)
    found = space.solver.at_distance(origin, distance, Random(seed), forbidden=forbidden)
    left = [
        each
        for each in valid_of(space)
        if difference(origin, each) == distance and not any(has(each, term) for term in forbidden)
    ]

    assert found in left if left else found is None


@given(space=small_spaces(), data=st.data(), distance=st.integers(0, 5), seed=st.integers(0, 9))
def test_a_walk_arrives_at_a_valid_configuration_or_nowhere(space, data, distance, seed):
    valid = valid_of(space)
    if not valid:
        return
    origin, start = lowest_values(space), data.draw(st.sampled_from(valid))
    kept = data.draw(st.sets(st.sampled_from([option.name for option in space.options])))
    found = ConfigurationWalk(space, origin, None, kept).to(distance, start, Random(seed))

    assert found is None or (space.is_valid(found) and difference(origin, found) == distance)
    assert found is None or all(found[name] == start[name] for name in kept)


@given(distance=st.integers(0, 12), seed=st.integers(0, 9))
def test_without_constraints_a_walk_always_arrives(distance, seed):
    space = Space(tuple(Option(f"o{number:02}", SWITCH, False) for number in range(12)))
    start = space.solver.complete((), Random(seed))

    assert start is not None
    assert ConfigurationWalk(space, space.default, None, ()).to(distance, start, Random(seed)) is not None


def test_many_options_do_not_hang_at_the_rarest_distances():
    names = [f"o{number:03}" for number in range(200)]
    groups = [f"exactly one of {', '.join(names[at : at + 4])}" for at in range(0, 80, 4)]
    pairs = [f"{names[at]} or {names[at + 1]}" for at in range(80, 198, 3)]
    space = Space.of([Option(name, SWITCH, False) for name in names], (*groups, *pairs))
    origin = space.every_default
    reach = space.solver.distances(origin)
    assert reach is not None
    nearest, farthest = reach

    for distance in (nearest, nearest + 1, (nearest + farthest) // 2, farthest - 1, farthest):
        found = space.solver.at_distance(origin, distance, Random(1))

        assert found is not None
        assert space.is_valid(found)
        assert difference(origin, found) == distance
