"""Values of a program as far as they are known, and the two ways to read the bits of a whole number.

A known number of width N is kept as LLVM prints it: from -2^(N-1) to 2^(N-1) - 1, but `i1` as 0 or 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeVar


class Unknown(Enum):
    """The one value that stands for: it may be anything."""

    UNKNOWN = "unknown"

    # That of enumerations is written in Python, and tables of values are looked up all the time.
    __hash__ = object.__hash__


UNKNOWN: Final = Unknown.UNKNOWN


@dataclass(frozen=True)
class RoutineAddress:
    """The address of a routine: no number of the program, and never null."""

    routine: int


@dataclass(frozen=True)
class SomeAddress:
    """The address of something: which one is not told, but it is not null."""


SOME_ADDRESS: Final = SomeAddress()
ConstantNumber = int | Unknown
KnownConstant = int | RoutineAddress | SomeAddress
ConstantValue = KnownConstant | Unknown


AnyValue = TypeVar("AnyValue", bound=ConstantValue)


def in_order(values: Iterable[AnyValue]) -> tuple[AnyValue, ...]:
    """Each of them once, numbers first, in an order that is always the same."""
    return tuple(
        sorted(set(values), key=lambda each: (0, each, "") if isinstance(each, int) else (1, 0, repr(each)))
    )


def as_unsigned(number: int, width: int) -> int:
    """The lowest bits of a number, read as one that is never negative."""
    return number & ((1 << width) - 1)


def as_signed(number: int, width: int) -> int:
    """The lowest bits of a number, the highest of which counts negative."""
    bits = number & ((1 << width) - 1)
    return bits - (1 << width) if bits >> (width - 1) else bits


def kept(number: int, width: int) -> int:
    """The lowest bits of a number as LLVM prints them."""
    return number & 1 if width == 1 else as_signed(number, width)
