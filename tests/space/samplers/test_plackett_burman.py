"""Plackett-Burman sampling: numbers take the levels of a design."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.errors import UsageError
from sonde.core.options import Option
from sonde.space.samplers.designs import orthogonal_design
from sonde.space.samplers.option_wise import option_wise
from sonde.space.samplers.plackett_burman import plackett_burman
from sonde.space.space import Space
from tests.space.samplers.spaces import SWITCH, small_spaces, valid_of

NUMBERS = tuple(Option(name, (1, 2, 4, 8, 16), 4) for name in "abc")
FREE = Space((*NUMBERS, Option("check", SWITCH, True)))


@pytest.mark.parametrize(("levels", "runs"), [(3, 9), (5, 25), (5, 125)])
def test_without_constraints_the_levels_are_those_of_the_design(levels, runs):
    found = plackett_burman(FREE, levels=levels, runs=runs)

    assert len(found) == len(set(orthogonal_design(levels, 3, runs)))
    assert all(each["check"] for each in found)


def test_three_levels_are_the_lowest_the_middle_and_the_highest():
    found = plackett_burman(FREE)

    for left, right in combinations("abc", 2):
        assert set(Counter((each[left], each[right]) for each in found).values()) == {1}
    assert {each["a"] for each in found} == {1, 4, 16}


def test_a_number_with_few_levels_takes_each():
    space = Space((Option("a", (1, 2), 1), Option("b", (1, 2, 3, 4, 5, 6, 7), 1)))

    assert {(each["a"], each["b"]) for each in plackett_burman(space)} == {
        (left, right) for left in (1, 2) for right in (1, 4, 7)
    }


@given(space=small_spaces(), levels=st.sampled_from([2, 3, 5]))
def test_each_row_becomes_the_nearest_valid_configuration_with_its_numbers_if_it_can(space, levels):
    numbers = [option.name for option in space.options if option.is_numeric]
    rest = [option for option in space.options if not option.is_numeric]
    valid = valid_of(space)
    found = plackett_burman(space, (), levels)
    least: dict[object, int] = {}
    for each in valid:
        row = tuple(each[name] for name in numbers)
        away = sum(each[option.name] != option.default for option in rest)
        least[row] = min(away, least.get(row, away))

    assert all(space.is_valid(each) for each in found)
    assert bool(found) == bool(valid)
    wished = {
        tuple(each[name] for name in numbers) for each in plackett_burman(Space(space.options), (), levels)
    }
    for row in wished & set(least):
        aways = [
            sum(each[option.name] != option.default for option in rest)
            for each in found
            if tuple(each[name] for name in numbers) == row
        ]
        assert min(aways) == least[row]


def test_other_options_can_come_from_a_sample():
    space = Space((*NUMBERS, Option("check", SWITCH, False), Option("keep", SWITCH, False)))
    bases = option_wise(Space(space.options[3:]))
    found = plackett_burman(space, bases=[space.parse(str(each)) for each in bases])

    assert len(found) == 9 * 3
    assert {(each["check"], each["keep"]) for each in found} == {
        (False, False),
        (True, False),
        (False, True),
    }


def test_a_space_without_numbers_gives_its_default():
    space = Space((Option("check", SWITCH, True),))

    assert plackett_burman(space) == (space.default,)


def test_the_number_of_levels_must_be_prime():
    with pytest.raises(UsageError, match="prime number of levels, not 4"):
        plackett_burman(FREE, levels=4)
