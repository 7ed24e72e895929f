"""Option-wise and negative option-wise sampling, beside the plain search for the nearest configuration."""

from hypothesis import example, given
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


# Without c, as much as possible is `!c,d`; but `!c,!d` is nearer to the first row, which is `c,!d`.
EXCLUDING_EACH_OTHER = Space.of(
    (
        Option("a", (0,), 0),
        Option("b", ("gz", "xz"), "gz"),
        Option("c", SWITCH, False),
        Option("d", SWITCH, False),
    ),
    ("b = gz", "not c or not d"),
)


@given(space=small_spaces(), levels=st.integers(1, 4), is_negative=st.booleans())
@example(space=EXCLUDING_EACH_OTHER, levels=1, is_negative=True)
def test_each_possible_value_comes_with_as_little_difference_as_possible(space, levels, is_negative):
    origin = highest_values(space) if is_negative else lowest_values(space)
    rows = (negative_option_wise if is_negative else option_wise)(space, (), levels)
    valid = valid_of(space)
    if not valid:
        assert rows == ()
        return
    base = rows[0]

    def cost(configuration):
        return difference(origin, configuration), difference(base, configuration)

    least = {}
    for option in space.options:
        for value in spread(option, levels):
            having = [each for each in valid if each[option.name] == value != base[option.name]]
            if having:
                least[option.name, value] = min(map(cost, having))

    assert difference(origin, base) == min(difference(origin, each) for each in valid)
    for (name, value), expected in least.items():
        assert min(cost(row) for row in rows if row[name] == value) == expected
    for row in rows[1:]:
        assert any(row[name] == value and cost(row) == lowest for (name, value), lowest in least.items())
    assert len(set(rows)) == len(rows) <= 1 + len(least)


def test_what_constraints_leave_stays_on_in_the_negative_sample():
    rows = [str(each) for each in negative_option_wise(EXCLUDING_EACH_OTHER)]

    assert sorted(rows) == ["a=0,b=gz,!c,d", "a=0,b=gz,c,!d"]


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
