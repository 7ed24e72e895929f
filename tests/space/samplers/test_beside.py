"""Values of some options beside those of given configurations: what can meet does, as a plain loop finds."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Configuration, Option
from sonde.space.samplers.beside import beside
from sonde.space.samplers.extremes import spread
from sonde.space.space import Space
from tests.space.samplers.spaces import CONSTRAINED, valid_of

VALID = valid_of(CONSTRAINED)
NUMBERS = Space.of([Option("level", (1, 5, 9), 5), Option("depth", (1, 2, 3, 4), 2)])


def pairs_of(configurations, fixed, names):
    """The pairs of values that meet, of which one is of `names`."""
    return {
        frozenset({one, other})
        for each in configurations
        for one, other in product(each, each)
        if one.option != other.option and one.option in names and other.option in {*fixed, *names}
    }


@given(data=st.data())
def test_each_pair_that_can_meet_does(data):
    space = CONSTRAINED
    order = data.draw(st.permutations([option.name for option in space.options]))
    cut = data.draw(st.integers(0, len(order)))
    end = data.draw(st.integers(cut, len(order)))
    fixed, names = order[:cut], order[cut:end]
    valid = VALID
    begun = data.draw(st.lists(st.sampled_from(valid), min_size=1, max_size=4, unique=True))

    found = beside(space, begun, fixed, names)

    assert all(space.is_valid(each) for each in found)
    met = pairs_of([*begun, *found], fixed, names)
    parts = {tuple(each[name] for name in fixed) for each in begun}
    ends = {option.name: set(spread(option, 2)) for option in space.options}
    possible = [each for each in valid if tuple(each[name] for name in fixed) in parts]
    wanted = {
        pair
        for pair in pairs_of(possible, fixed, names)
        if all(literal.value in ends[literal.option] for literal in pair)
    }
    assert wanted <= met


def test_what_is_given_keeps_its_combinations():
    space = Space.of([Option(name, (False, True), False) for name in ("a", "b", "c", "d")])
    begun = [Configuration.of({"a": True, "b": False, "c": False, "d": False})]

    found = beside(space, begun, ["a", "b"], ["c"])

    assert [dict(each.values) for each in found] == [{"a": True, "b": False, "c": True, "d": False}]


def test_numbers_count_at_both_ends():
    found = beside(NUMBERS, [NUMBERS.default], [], ["level"])

    assert [each["level"] for each in found] == [1, 9]
    assert {each["depth"] for each in found} == {2}
