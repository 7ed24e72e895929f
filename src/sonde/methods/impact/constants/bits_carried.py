"""Which bits of a result depend on which bits of what it is computed of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sonde.methods.impact.constants.operations import POINTER, NotFolded, operation_of
from sonde.methods.impact.constants.values import ConstantNumber, as_unsigned

ALL_BITS = (1 << 64) - 1
_KEEPING = frozenset({"zext", "trunc", "freeze", "bitcast"})


def bits_carried(shape: str, given: Sequence[int], numbers: Sequence[ConstantNumber]) -> int | None:
    """The bits of a result that depend on some bits of the operands, of which some are known numbers.

    None if the result depends on them as a whole.
    """
    operation = operation_of(shape)
    if isinstance(operation, NotFolded) or POINTER in (operation.width, operation.result):
        return None
    if len(given) != len(numbers):
        return None
    name, width = operation.name, operation.width
    if name == "select" and len(given) == 3:
        return None if given[0] else given[1] | given[2]
    own = [as_unsigned(each, width) for each in given]
    if name in ("and", "or", "xor") and len(own) == 2:
        return _masked(name, width, own, numbers)
    if name in _KEEPING:
        return as_unsigned(own[0], operation.result)
    is_signed = bool(own[0] >> width - 1)
    if name == "sext":
        return None if is_signed else own[0]
    number = numbers[1] if len(numbers) == 2 else None
    if name in ("shl", "lshr", "ashr") and isinstance(number, int) and 0 <= number < width:
        if name == "shl":
            return as_unsigned(own[0] << number, width)
        return None if name == "ashr" and is_signed else own[0] >> number
    return None


def _masked(name: str, width: int, given: Sequence[int], numbers: Sequence[ConstantNumber]) -> int:
    for bits, number in zip(given, reversed(numbers), strict=True):
        if isinstance(number, int):
            kept = {"and": number, "or": ~number, "xor": -1}[name]
            return bits & as_unsigned(kept, width)
    return given[0] | given[1]


def bits_asked(conversions: Iterable[str], shape: str, mask: int) -> int:
    """The bits of a value that an `and` of this shape asks for after conversions, in their order."""
    own = operation_of(shape)
    asked = ALL_BITS if isinstance(own, NotFolded) else as_unsigned(mask, own.width)
    for each in reversed(tuple(conversions)):
        operation = operation_of(each)
        if isinstance(operation, NotFolded) or POINTER in (operation.width, operation.result):
            return ALL_BITS
        if operation.name == "sext" and asked >> operation.width - 1:
            asked |= 1 << operation.width - 1  # each upper bit is the highest one
        asked = as_unsigned(asked, operation.width)
    return asked
