"""Operations on whole numbers and addresses, with their widths and flags, as shapes of instructions say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

_INTEGER = re.compile(r"i([1-9]\d*)")
POINTER = 0  # in place of a width
ARITHMETIC = frozenset(
    {"add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem"}
)
CONVERSIONS = frozenset({"trunc", "zext", "sext", "bitcast", "ptrtoint", "inttoptr"})
FLAGS = frozenset({"nsw", "nuw", "exact", "disjoint", "nneg", "samesign"})
PREDICATES = frozenset({"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"})


@dataclass(frozen=True)
class Operation:
    """What an instruction computes, of operands of one type; a selection also has a condition."""

    name: str
    width: int  # of the operands, in bits; or POINTER
    result: int  # the width of what it gives; or POINTER
    predicate: str = ""  # of a comparison
    flags: frozenset[str] = frozenset()  # promises that make the result poison if they are broken


class NotFolded:
    """Nothing but unknown values comes of it: floating point, vectors, Python, ..."""


NOT_FOLDED = NotFolded()


@cache
def operation_of(shape: str) -> Operation | NotFolded:
    """The operation that a COMPUTE of this shape is."""
    name, *rest = shape.split(" ")
    flags = frozenset(FLAGS.intersection(rest))
    words = [word for word in rest if word not in flags]
    if name in ARITHMETIC and len(words) == 1:
        return _same(name, words[0], flags)
    if name == "icmp" and len(words) == 2 and words[0] in PREDICATES:
        width = _width(words[1])
        return NOT_FOLDED if width is None else Operation(name, width, 1, words[0], flags)
    if name in CONVERSIONS and len(words) == 3 and words[1] == "to":
        return _conversion(name, words[0], words[2], flags)
    if name == "freeze" and len(words) == 1:
        return _same(name, words[0], flags)
    if name == "select" and len(words) == 3 and words[0] == "i1" and words[1] == words[2]:
        return _same(name, words[1], flags)
    return NOT_FOLDED


def _same(name: str, type_: str, flags: frozenset[str]) -> Operation | NotFolded:
    width = _width(type_)
    if width is None or (width == POINTER and name in ARITHMETIC):
        return NOT_FOLDED
    return Operation(name, width, width, "", flags)


def _conversion(name: str, before: str, after: str, flags: frozenset[str]) -> Operation | NotFolded:
    width, result = _width(before), _width(after)
    if width is None or result is None:
        return NOT_FOLDED
    fits = {
        "trunc": 0 < result < width,
        "zext": 0 < width < result,
        "sext": 0 < width < result,
        "bitcast": width == result,
        "ptrtoint": width == POINTER < result,
        "inttoptr": result == POINTER < width,
    }
    return Operation(name, width, result, "", flags) if fits[name] else NOT_FOLDED


def _width(type_: str) -> int | None:
    """The bits of a type; None if it is no whole number and no pointer."""
    if type_ == "ptr":
        return POINTER
    found = _INTEGER.fullmatch(type_)
    return int(found[1]) if found else None
