import pytest

from sonde.core.code import Address, Constant
from sonde.methods.impact.constants import UNKNOWN, is_failure, number_in


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("-1", -1),
        ("true", 1),
        ("null", 0),
        ("int 5", 5),  # of Python
        ("str '5'", UNKNOWN),
        ("float 5.0", UNKNOWN),
        ("3.000000e+00", UNKNOWN),
        ("undef", UNKNOWN),
        ("poison", UNKNOWN),
        ("splat (i32 1)", UNKNOWN),
        ("<i32 1, i32 2>", UNKNOWN),
    ],
)
def test_numbers_and_nothing_else_are_numbers(text, number):
    assert number_in(Constant(text)) == number


def test_an_address_is_no_number():
    assert number_in(Address("f")) is UNKNOWN


@pytest.mark.parametrize(
    ("status", "fails"), [(0, False), (1, True), (-1, True), (256, False), (UNKNOWN, False)]
)
def test_a_status_has_eight_bits(status, fails):
    assert is_failure(status) is fails
