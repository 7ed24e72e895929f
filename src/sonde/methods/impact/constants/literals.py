"""Numbers that stand in the code of a program."""

from __future__ import annotations

from sonde.core.code import Constant, Outside, Routine
from sonde.methods.impact.constants.values import UNKNOWN, ConstantNumber, as_unsigned

STATUS_BITS = 8  # of what a program returns, all others are lost
_WORDS = {"null": 0, "zeroinitializer": 0, "false": 0, "true": 1}


def number_in(outside: Outside) -> ConstantNumber:
    """The number that something outside of a routine is."""
    if not isinstance(outside, Constant):
        return UNKNOWN
    word = outside.text.rpartition(" ")[2]
    known = _WORDS.get(word)
    if known is not None:
        return known
    try:
        return int(word)
    except ValueError:
        return UNKNOWN


def number_of(code: Routine, operand: int) -> ConstantNumber:
    """The number that an operand is, if it is a constant."""
    return number_in(code.outside[~operand]) if operand < 0 else UNKNOWN


def is_failure(status: ConstantNumber) -> bool:
    """Whether a program that ends with this status has failed, as far as that is known."""
    return isinstance(status, int) and as_unsigned(status, STATUS_BITS) != 0
