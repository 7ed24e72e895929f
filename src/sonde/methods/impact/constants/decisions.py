"""Where a decision goes for a value."""

from __future__ import annotations

import re
from functools import cache

from sonde.core.code import Instruction, Kind
from sonde.methods.impact.constants.values import (
    UNKNOWN,
    ConstantNumber,
    ConstantValue,
    RoutineAddress,
    SomeAddress,
    as_unsigned,
)

TRUTH = "br i1"
_SWITCH = re.compile(r"switch i(\d+)")


def chosen(decision: Instruction, value: ConstantValue) -> ConstantNumber:
    """The number of the target that a BRANCH or SWITCH chooses."""
    if decision.kind is Kind.BRANCH:
        if isinstance(value, RoutineAddress | SomeAddress):
            return 0
        if not isinstance(value, int):
            return UNKNOWN
        is_true = value & 1 if decision.shape == TRUTH else value
        return 0 if is_true else 1
    width = width_of_switch(decision.shape)
    if decision.kind is not Kind.SWITCH or not width or not isinstance(value, int):
        return UNKNOWN
    bits = as_unsigned(value, width)
    return next(
        (number for number, case in enumerate(decision.cases, 1) if as_unsigned(case, width) == bits), 0
    )


@cache
def width_of_switch(shape: str) -> int:
    """How wide the number is that a SWITCH asks for; 0 if it is none."""
    found = _SWITCH.fullmatch(shape)
    return int(found[1]) if found else 0
