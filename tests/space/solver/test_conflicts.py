"""Which constraints cannot hold together: as few as possible, and in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Literal, Option
from sonde.space.solver.conflicts import NoValidConfiguration
from sonde.space.space import Space
from tests.space.models import has, partial_values, some_spaces, valid_ones

SWITCHES = tuple(Option(name, (False, True), False) for name in "abcd")


@given(space=some_spaces(), data=st.data())
def test_a_conflict_cannot_hold_and_any_fewer_of_it_can(space, data):
    wanted = data.draw(partial_values(space))

    def can_hold(constraints):
        return any(has(c, wanted) for c in valid_ones(Space(space.options, tuple(constraints))))

    conflict = space.conflict(wanted)

    assert bool(conflict) == (not can_hold(space.constraints))
    if conflict:
        assert set(conflict) <= set(space.constraints)
        assert not can_hold(conflict)
    for left_out in range(len(conflict)):
        assert can_hold(conflict[:left_out] + conflict[left_out + 1 :])


def test_the_constraints_of_a_configuration_that_is_not_valid_are_a_conflict_with_it():
    space = Space.of(SWITCHES, ["a requires b", "b excludes c", "a requires d"])
    configuration = [Literal("a", True), Literal("c", True)]

    assert list(map(str, space.conflict(configuration))) == ["a requires b", "b excludes c"]


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        (
            ["a", "c or d", "a requires b", "b excludes a"],
            (
                "no configuration is valid: 'a', 'a requires b' and 'b excludes a' cannot all hold. "
                "Change one of them, or remove one."
            ),
        ),
        (
            ["a or b", "not a", "c", "not b"],
            (
                "no configuration is valid: 'a or b', 'not a' and 'not b' cannot all hold. Change one "
                "of them, or remove one."
            ),
        ),
        (
            ["c and d", "exactly one of c, d"],
            (
                "no configuration is valid: 'c and d' and 'exactly one of c, d' cannot both hold. "
                "Change one of them, or remove one."
            ),
        ),
        (
            ["a and not a"],
            "no configuration is valid: 'a and not a' cannot hold. Change it, or remove it.",
        ),
    ],
)
def test_contradictory_constraints_are_named_in_a_minimal_set(constraints, message):
    space = Space.of(SWITCHES, constraints)

    with pytest.raises(NoValidConfiguration) as caught:
        _ = space.default
    assert str(caught.value) == message
    with pytest.raises(NoValidConfiguration):
        next(space.configurations())
    assert space.solver.complete() is None


def test_values_that_cannot_be_had_are_named_with_the_constraints_against_them():
    space = Space.of(SWITCHES, ["a requires b", "b excludes c"])

    with pytest.raises(NoValidConfiguration) as caught:
        space.solver.nearest(space.default, [Literal("a", True), Literal("c", True)])

    assert str(caught.value) == (
        "no configuration that has a, c is valid: 'a requires b' and 'b excludes c' cannot "
        "both hold. Change one of them, or remove one."
    )
