"""Option-wise and negative option-wise sampling, beside the plain search for the nearest configuration."""

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Configuration, Option
from sonde.space.samplers.extremes import highest_values, lowest_values, spread
from sonde.space.samplers.negative_option_wise import negative_option_wise
from sonde.space.samplers.option_wise import option_wise
from sonde.space.space import Space
from tests.space.samplers.spaces import SWITCH, small_spaces, valid_of

LRZIP = Space.of(
    (
        Option("encrypt", SWITCH, False),
        Option("gzip", SWITCH, False),
        Option("lzo", SWITCH, False),
        Option("zpaq", SWITCH, False),
        Option("verify", SWITCH, False),
        Option("level", tuple(range(1, 10)), 7),
    ),
    ("exactly one of gzip, lzo, zpaq", "verify implies zpaq"),
)


def selected(configuration):
    return {name for name, value in configuration.values if value is True}


def difference(left, right):
    return sum(left[name] != value for name, value in right.values)


@given(space=small_spaces(), levels=st.integers(1, 4), is_negative=st.booleans())
def test_each_possible_value_comes_with_as_little_difference_as_possible(space, levels, is_negative):
    origin = highest_values(space) if is_negative else lowest_values(space)
    found = (negative_option_wise if is_negative else option_wise)(space, (), levels)
    valid = valid_of(space)
    distances = [[difference(origin, each) for each in valid]]
    for option in space.options:
        for value in spread(option, levels):
            if value != origin[option.name]:
                distances.append([difference(origin, each) for each in valid if each[option.name] == value])
                nearest = [each for each in found if each[option.name] == value]
                assert bool(distances[-1]) == bool(nearest)
                if nearest:
                    assert min(difference(origin, each) for each in nearest) == min(distances[-1])
    least = {min(each) for each in distances if each}

    assert {difference(origin, each) for each in found} == least
    assert len(found) <= sum(1 for each in distances if each)


def test_alternatives_and_what_they_demand_are_kept():
    found = option_wise(LRZIP)

    assert [selected(each) for each in found[1:]].count({"zpaq", "verify"}) == 1
    assert all(len(selected(each) & {"gzip", "lzo", "zpaq"}) == 1 for each in found)
    assert {each["level"] for each in found} == {1, 9}


def test_the_negative_sample_leaves_out_one_option_each():
    found = negative_option_wise(LRZIP)

    assert selected(found[0]) == {"encrypt", "zpaq", "verify"}
    assert {"zpaq", "verify"} in [selected(each) for each in found]
    assert {"encrypt", "zpaq"} in [selected(each) for each in found]
    assert all(space_valid(each) for each in found)


def test_numbers_take_as_many_levels_as_are_wished_for():
    assert {each["level"] for each in option_wise(LRZIP, levels=3)} == {1, 5, 9}
    assert {each["level"] for each in option_wise(LRZIP, levels=9)} == set(range(1, 10))


def test_dead_and_fixed_options_are_passed_over():
    space = Space.of([Option(name, SWITCH, False) for name in "abc"], ("not a", "b"))

    assert [str(each) for each in option_wise(space)] == ["!a,b,!c", "!a,b,c"]
    assert [str(each) for each in negative_option_wise(space)] == ["!a,b,c", "!a,b,!c"]


def test_a_space_without_valid_configurations_gives_none():
    space = Space.of([Option("a", SWITCH, False)], ("a", "not a"))

    assert option_wise(space) == negative_option_wise(space) == ()


def space_valid(configuration: Configuration) -> bool:
    return LRZIP.is_valid(configuration)


def test_a_row_differs_from_the_first_only_in_its_option_and_in_what_constraints_force():
    first, *others = option_wise(LRZIP)

    for other in others:
        differing = {name for name, value in other.values if value != first[name]}
        forced = {"gzip", "lzo", "zpaq"} if differing & {"gzip", "lzo", "zpaq", "verify"} else set()
        assert len(differing - forced) <= 1
