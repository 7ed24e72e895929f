"""Comparisons of whole numbers and of addresses."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from sonde.methods.impact.constants.operations import POINTER, Operation
from sonde.methods.impact.constants.values import (
    UNKNOWN,
    ConstantNumber,
    ConstantValue,
    RoutineAddress,
    SomeAddress,
    Unknown,
    as_signed,
    as_unsigned,
)

PLAIN = 1 << 31  # from 0 to here, numbers are the same addresses however wide pointers are
_HOLDS: Mapping[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
_SWAPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


def compared(operation: Operation, a: ConstantValue, b: ConstantValue) -> ConstantNumber:
    """0 or 1; unknown where that depends on what is unknown, or is poison."""
    if operation.width == POINTER:
        return _addresses(operation, a, b)
    if isinstance(a, RoutineAddress | SomeAddress) or isinstance(b, RoutineAddress | SomeAddress):
        return UNKNOWN
    width = operation.width
    order = operation.predicate[-2:]
    read = as_signed if operation.predicate[0] == "s" else as_unsigned
    if isinstance(a, Unknown):
        return UNKNOWN if isinstance(b, Unknown) else _at_the_end(operation, _SWAPPED[order], b)
    if isinstance(b, Unknown):
        return _at_the_end(operation, order, a)
    if "samesign" in operation.flags and (as_signed(a, width) < 0) != (as_signed(b, width) < 0):
        return UNKNOWN
    return int(_HOLDS[order](read(a, width), read(b, width)))


def _at_the_end(operation: Operation, order: str, number: int) -> ConstantNumber:
    """Whether a number stands in an order to every other one, as the least or the greatest of all does."""
    if order in ("eq", "ne"):
        return UNKNOWN
    width = operation.width
    low = 1 << (width - 1) if operation.predicate[0] == "s" else 0
    place = as_unsigned(number - low, width)  # from the least one on
    is_least, is_greatest = place == 0, place == (1 << width) - 1
    if (order == "le" and is_least) or (order == "ge" and is_greatest):
        return 1
    if (order == "gt" and is_least) or (order == "lt" and is_greatest):
        return 0
    return UNKNOWN


def _addresses(operation: Operation, a: ConstantValue, b: ConstantValue) -> ConstantNumber:
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return UNKNOWN
    predicate = operation.predicate
    if isinstance(a, int) and isinstance(b, int):
        is_plain = 0 <= a < PLAIN and 0 <= b < PLAIN
        return int(_HOLDS[predicate[-2:]](a, b)) if is_plain else UNKNOWN
    if predicate not in ("eq", "ne"):
        return UNKNOWN
    if isinstance(a, RoutineAddress) and isinstance(b, RoutineAddress):
        return int((a == b) == (predicate == "eq"))
    return int(predicate == "ne") if 0 in (a, b) else UNKNOWN
