"""Values before and after conversions, which may cut them or give them other signs."""

from __future__ import annotations

from collections.abc import Iterable

from sonde.core.code import Kind, Routine
from sonde.methods.impact.constants.folding import fold
from sonde.methods.impact.constants.operations import CONVERSIONS, NotFolded, operation_of
from sonde.methods.impact.constants.values import ConstantValue

Conversions = tuple[str, ...]  # the shapes of instructions, in the order in which they are executed
MOST = 8


def unconverted(code: Routine, operand: int) -> tuple[int, Conversions]:
    """A value before its conversions between whole numbers, and these."""
    found: list[str] = []
    while operand >= code.parameters:
        each = code.instructions[operand - code.parameters]
        if each.kind is not Kind.COMPUTE or not is_conversion(each.shape):
            break
        found.append(each.shape)
        operand = each.operands[0]
    return operand, tuple(reversed(found))


def is_conversion(shape: str) -> bool:
    """Whether a COMPUTE of this shape gives the number that it gets, in another width or as an address."""
    operation = operation_of(shape)
    return not isinstance(operation, NotFolded) and operation.name in (*CONVERSIONS, "freeze")


def converted(value: ConstantValue, conversions: Iterable[str]) -> ConstantValue:
    """A value after conversions."""
    for each in conversions:
        value = fold(each, (value,))
    return value


def one_after_another(first: Conversions, second: Conversions) -> Conversions:
    """Conversions of what was converted before; what is repeated, as in a loop, counts once."""
    both = (*first, *second)
    for length in range(1, MOST // 2 + 1):
        if both[-length:] == both[-2 * length : -length]:
            return both[:-length]
    return both
