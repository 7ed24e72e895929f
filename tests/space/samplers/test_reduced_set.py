"""The reduced set: all valid combinations of some options, beside the plain loop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.errors import UnknownOption
from sonde.space.samplers.reduced_set import reduced_set
from tests.space.samplers.spaces import CONSTRAINED, small_spaces, valid_of

SIX = ("fast", "strong", "tiny", "verify", "force", "threads")


def part(configuration, options):
    return tuple(configuration[name] for name in options)


def changes(configuration, space, options):
    """How many options outside of `options` have left their default."""
    return sum(
        configuration[option.name] != option.default for option in space.options if option.name not in options
    )


def slow_twin(space, options):
    """For each combination that a valid configuration has, the least number of changes outside of it."""
    least: dict[object, int] = {}
    for configuration in valid_of(space):
        combination, needed = part(configuration, options), changes(configuration, space, options)
        least[combination] = min(needed, least.get(combination, needed))
    return least


@given(space=small_spaces(), data=st.data())
def test_it_has_each_valid_combination_once_and_as_near_to_the_defaults_as_can_be(space, data):
    options = data.draw(st.sets(st.sampled_from([option.name for option in space.options])))
    names = sorted(options)
    found = reduced_set(space, options)

    assert {part(each, names): changes(each, space, names) for each in found} == slow_twin(space, names)
    assert len({part(each, names) for each in found}) == len(found)


def test_six_of_ten_constrained_options_equal_the_plain_loop():
    assert len(valid_of(CONSTRAINED)) == 320

    found = reduced_set(CONSTRAINED, SIX)

    assert {part(each, SIX): changes(each, CONSTRAINED, SIX) for each in found} == slow_twin(CONSTRAINED, SIX)
    assert len(found) == 20
    assert {each["level"] for each in found if each["force"]} == {9}
    assert {each["level"] for each in found if not each["force"]} == {5}


def test_all_options_give_all_configurations():
    found = reduced_set(CONSTRAINED, [option.name for option in CONSTRAINED.options])

    assert set(found) == set(valid_of(CONSTRAINED))
    assert len(found) == 320


def test_only_the_first_ones_are_taken_and_what_was_sampled_is_left_out():
    every = reduced_set(CONSTRAINED, SIX)

    assert reduced_set(CONSTRAINED, SIX, at_most=3) == every[:3]
    assert reduced_set(CONSTRAINED, SIX, every[:4]) == every[4:]


def test_an_unknown_option_is_a_mistake():
    with pytest.raises(UnknownOption, match="Did you mean 'strong'"):
        reduced_set(CONSTRAINED, ["string"])
