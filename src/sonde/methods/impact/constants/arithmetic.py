"""Arithmetic on whole numbers of a width. What is poison or undefined is unknown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sonde.methods.impact.constants.operations import Operation
from sonde.methods.impact.constants.values import UNKNOWN, ConstantNumber, as_signed, as_unsigned, kept


def calculated(operation: Operation, a: int, b: int) -> ConstantNumber:
    """What an operation of two operands gives."""
    return _RULES[operation.name](operation, a, b)


def _wrapping(exactly: Callable[[int, int], int]) -> Callable[[Operation, int, int], ConstantNumber]:
    """`add`, `sub` and `mul`: results lose their upper bits, unless a flag promises that there are none."""

    def rule(operation: Operation, a: int, b: int) -> ConstantNumber:
        width, flags = operation.width, operation.flags
        signed = exactly(as_signed(a, width), as_signed(b, width))
        unsigned = exactly(as_unsigned(a, width), as_unsigned(b, width))
        if "nsw" in flags and as_signed(signed, width) != signed:
            return UNKNOWN
        if "nuw" in flags and as_unsigned(unsigned, width) != unsigned:
            return UNKNOWN
        return kept(signed, width)

    return rule


def _shl(operation: Operation, a: int, b: int) -> ConstantNumber:
    width, flags = operation.width, operation.flags
    by = as_unsigned(b, width)
    if by >= width:
        return UNKNOWN
    found = as_signed(a, width) << by
    if "nsw" in flags and as_signed(found, width) != found:
        return UNKNOWN
    if "nuw" in flags and as_unsigned(a, width) << by >> width:
        return UNKNOWN
    return kept(found, width)


def _shifted_right(read: Callable[[int, int], int]) -> Callable[[Operation, int, int], ConstantNumber]:
    """`lshr` and `ashr`, by how they read their operand."""

    def rule(operation: Operation, a: int, b: int) -> ConstantNumber:
        width = operation.width
        by = as_unsigned(b, width)
        if by >= width:
            return UNKNOWN
        number = read(a, width)
        if "exact" in operation.flags and number >> by << by != number:
            return UNKNOWN
        return kept(number >> by, width)

    return rule


def _divided(
    read: Callable[[int, int], int], is_remainder: bool
) -> Callable[[Operation, int, int], ConstantNumber]:
    """Divisions and remainders, by how they read their operands; they round towards zero."""

    def rule(operation: Operation, a: int, b: int) -> ConstantNumber:
        width = operation.width
        number, by = read(a, width), read(b, width)
        if by == 0:
            return UNKNOWN
        quotient = abs(number) // abs(by) * (1 if (number < 0) == (by < 0) else -1)
        if read(quotient, width) != quotient:
            return UNKNOWN  # the least number by -1
        remainder = number - quotient * by
        if is_remainder:
            return kept(remainder, width)
        return UNKNOWN if "exact" in operation.flags and remainder else kept(quotient, width)

    return rule


def _and(operation: Operation, a: int, b: int) -> ConstantNumber:
    return kept(a & b, operation.width)


def _or(operation: Operation, a: int, b: int) -> ConstantNumber:
    if "disjoint" in operation.flags and as_unsigned(a & b, operation.width):
        return UNKNOWN
    return kept(a | b, operation.width)


def _xor(operation: Operation, a: int, b: int) -> ConstantNumber:
    return kept(a ^ b, operation.width)


_RULES: Mapping[str, Callable[[Operation, int, int], ConstantNumber]] = {
    "add": _wrapping(lambda a, b: a + b),
    "sub": _wrapping(lambda a, b: a - b),
    "mul": _wrapping(lambda a, b: a * b),
    "shl": _shl,
    "lshr": _shifted_right(as_unsigned),
    "ashr": _shifted_right(as_signed),
    "udiv": _divided(as_unsigned, is_remainder=False),
    "sdiv": _divided(as_signed, is_remainder=False),
    "urem": _divided(as_unsigned, is_remainder=True),
    "srem": _divided(as_signed, is_remainder=True),
    "and": _and,
    "or": _or,
    "xor": _xor,
}
