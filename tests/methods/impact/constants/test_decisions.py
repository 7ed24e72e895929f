import pytest

from sonde.core.code import Instruction, Kind
from sonde.methods.impact.constants import SOME_ADDRESS, UNKNOWN, RoutineAddress, chosen


def switch(shape, *cases):
    return Instruction(Kind.SWITCH, (0,), shape, 0, targets=tuple(range(len(cases) + 1)), cases=cases)


def branch(shape="br i1"):
    return Instruction(Kind.BRANCH, (0,), shape, 0, targets=(1, 2))


@pytest.mark.parametrize(
    ("decision", "value", "target"),
    [
        (branch(), 1, 0),
        (branch(), 0, 1),
        (branch(), UNKNOWN, UNKNOWN),
        (branch("branch"), 1 << 70, 0),  # a language without widths
        (branch(), RoutineAddress(3), 0),
        (branch(), SOME_ADDRESS, 0),
        (switch("switch i8", 1, -56), 200, 2),
        (switch("switch i8", 1, -56), -56, 2),
        (switch("switch i32", 1, -56), 200, 0),
        (switch("switch i32", 1, 2), (1 << 32) + 2, 2),
        (switch("switch i32", 1), UNKNOWN, UNKNOWN),
        (switch("indirectbr", 1), 1, UNKNOWN),
    ],
)
def test_a_decision_goes_where_the_bits_of_its_number_say(decision, value, target):
    assert chosen(decision, value) == target
