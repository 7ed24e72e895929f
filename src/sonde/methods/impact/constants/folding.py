"""What an instruction gives for operands of which some are known."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.methods.impact.constants.arithmetic import calculated
from sonde.methods.impact.constants.comparisons import PLAIN, compared
from sonde.methods.impact.constants.operations import (
    ARITHMETIC,
    POINTER,
    NotFolded,
    Operation,
    operation_of,
)
from sonde.methods.impact.constants.values import (
    UNKNOWN,
    ConstantNumber,
    ConstantValue,
    as_signed,
    as_unsigned,
    kept,
)

_ZERO_FIRST = frozenset({"shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem"})  # 0 of 0 by whatever


def is_folded(shape: str) -> bool:
    """Whether what a COMPUTE of this shape gives may be known at all."""
    return not isinstance(operation_of(shape), NotFolded)


def fold(shape: str, operands: Sequence[ConstantValue]) -> ConstantValue:
    """What a COMPUTE of this shape gives; unknown where that is undefined, poison, or not computed here.

    Where one operand settles it (`x & 0`), the others may be unknown.
    """
    operation = operation_of(shape)
    if isinstance(operation, NotFolded):
        return UNKNOWN
    name = operation.name
    if name == "select":
        return _selected(operation, operands) if len(operands) == 3 else UNKNOWN
    if name == "icmp":
        return compared(operation, *operands) if len(operands) == 2 else UNKNOWN
    if name in ARITHMETIC:
        return _calculated(operation, *operands) if len(operands) == 2 else UNKNOWN
    return _converted(operation, operands[0]) if len(operands) == 1 else UNKNOWN


def _calculated(operation: Operation, a: ConstantValue, b: ConstantValue) -> ConstantNumber:
    if isinstance(a, int):
        return calculated(operation, a, b) if isinstance(b, int) else _settled(operation, a, is_first=True)
    return _settled(operation, b, is_first=False) if isinstance(b, int) else UNKNOWN


def _settled(operation: Operation, number: int, is_first: bool) -> ConstantNumber:
    """What one operand settles, whatever the other one is."""
    name, bits = operation.name, as_unsigned(number, operation.width)
    is_full = bits == (1 << operation.width) - 1
    if bits == 0 and (name in ("and", "mul") or (is_first and name in _ZERO_FIRST)):
        return 0
    if is_full and (name == "or" or (is_first and name == "ashr")):
        return kept(-1, operation.width)
    if not is_first and ((name == "urem" and bits == 1) or (name == "srem" and (bits == 1 or is_full))):
        return 0
    return UNKNOWN


def _selected(operation: Operation, operands: Sequence[ConstantValue]) -> ConstantValue:
    condition, first, second = operands
    if isinstance(condition, int):
        return _in_width(first if condition & 1 else second, operation.width)
    found = _in_width(first, operation.width)
    return found if found == _in_width(second, operation.width) else UNKNOWN


def _in_width(value: ConstantValue, width: int) -> ConstantValue:
    return kept(value, width) if isinstance(value, int) and width != POINTER else value


def _converted(operation: Operation, value: ConstantValue) -> ConstantValue:
    """Conversions, and `freeze`."""
    width, result = operation.width, operation.result
    if not isinstance(value, int):
        return value if width == result == POINTER else UNKNOWN
    if POINTER in (width, result):
        return value if width == result or 0 <= value < min(PLAIN, 1 << max(width, result) - 1) else UNKNOWN
    if operation.name == "trunc":
        return _cut(operation, value)
    if operation.name == "zext":
        if "nneg" in operation.flags and as_signed(value, width) < 0:
            return UNKNOWN
        return kept(as_unsigned(value, width), result)
    return kept(as_signed(value, width), result)


def _cut(operation: Operation, value: int) -> ConstantNumber:
    width, result, flags = operation.width, operation.result, operation.flags
    if "nsw" in flags and as_signed(value, width) != as_signed(value, result):
        return UNKNOWN
    if "nuw" in flags and as_unsigned(value, width) != as_unsigned(value, result):
        return UNKNOWN
    return kept(value, result)
