"""What the constraints of a space leave to choose."""

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Literal, Option
from sonde.space.leeway import leeway_of
from sonde.space.space import Space
from tests.effects.models.spaces import valid_values
from tests.space.strategies import expressions, some_options

SWITCH = (False, True)


@st.composite
def some_spaces(draw):
    options = draw(some_options())
    return Space(options, tuple(draw(st.lists(expressions(options), max_size=4))))


@given(space=some_spaces())
def test_what_never_happens_and_what_always_does_is_told(space):
    leeway = leeway_of(space)
    valid = valid_values(space)
    left = {option.name: {chosen[option.name] for chosen in valid} for option in space.options}
    several = [option for option in space.options if len(option.values) > 1]

    assert bool(leeway.conflict) == (not valid)
    if valid:
        assert set(leeway.always) == {
            Literal(option.name, next(iter(left[option.name])))
            for option in several
            if len(left[option.name]) == 1
        }
        assert set(leeway.never) == {
            Literal(option.name, value)
            for option in several
            if len(left[option.name]) > 1
            for value in option.values
            if value not in left[option.name]
        }


def test_on_off_and_other_options_are_told_apart():
    options = (
        Option("a", SWITCH, False),
        Option("b", SWITCH, False),
        Option("c", SWITCH, False),
        Option("level", (1, 5, 9), 1),
        Option("threads", (1, 2, 4), 1),
    )
    leeway = leeway_of(Space.of(options, ("a", "a excludes b", "level = 5", "threads < 4")))

    assert leeway.always_on == ("a",)
    assert leeway.dead == ("b",)
    assert leeway.settled == (Literal("level", 5),)
    assert leeway.never == (Literal("threads", 4),)
