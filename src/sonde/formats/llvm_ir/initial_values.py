"""The first values of globals, cut into parts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from sonde.core.code import Address, ValuePart
from sonde.formats.llvm_ir.constants import Constants
from sonde.formats.llvm_ir.types.layouts import TypeLayouts
from sonde.formats.llvm_ir.types.pieces import NAME, closing, split_at_commas

_NAMED_TYPE = re.compile(rf"%{NAME}")
_WORD = re.compile(r"\S+(?: addrspace\(\d+\))?")
_ZERO = re.compile(r"zeroinitializer$|null$|undef$|poison$|none$|false$|-?0$|0\.0+e\+00$")
_WHOLE_NUMBER = re.compile(r"-?\d+$")
_NUMBERS = re.compile(r"(?:i\d+|half|bfloat|float|double|x86_fp80|fp128)$")


def split_type(text: str) -> tuple[str, str]:
    """(type, the rest) of `[2 x i8] zeroinitializer, align 1`."""
    if text[:1] in "[{<" and text:
        end = closing(text, 0) + 1
    else:
        found = (_NAMED_TYPE if text[:1] == "%" else _WORD).match(text)
        end = found.end() if found else len(text)
    return text[:end].rstrip(","), text[end:].lstrip(" ")


def digest(text: str) -> str:
    """A short text that differs wherever the given one does."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def parts_of(
    constants: Constants, layouts: TypeLayouts, type_: str, value: str, folds: bool = True
) -> Iterator[ValuePart]:
    """Every part that is not zero; those of an array share the offsets of its first element if it `folds`.

    The digest of a part in an array knows the element, so that two elements which swap their places differ.
    """
    yield from _Cutter(constants, layouts, folds).cut(type_, value, 0, "")


class _Cutter:
    def __init__(self, constants: Constants, layouts: TypeLayouts, folds: bool) -> None:
        self._constants, self._layouts, self._folds = constants, layouts, folds

    def cut(self, type_: str, value: str, offset: int, element: str) -> Iterator[ValuePart]:
        if _ZERO.match(value):
            return
        layout = self._layouts.of(type_)
        first = value[:1]
        if layout.is_array and first in "[<":
            inner = layout.fields[0]
            if _NUMBERS.match(inner) and "@" not in value:
                yield ValuePart(offset, digest(element + value))
                return
            step = 0 if self._folds else self._layouts.of(inner).size
            for at, piece in enumerate(split_at_commas(value[1:-1])):
                yield from self.cut(*split_type(piece), offset + at * step, f"{element}{at}.")
        elif layout.fields and (first == "{" or value[:2] == "<{"):
            body = value[1:-1] if first == "{" else value[2:-2]
            for start, piece in zip(layout.offsets, split_at_commas(body.strip()), strict=False):
                yield from self.cut(*split_type(piece), offset + start, element)
        elif "@" in value and first != "c":
            for meaning in self._constants.meanings(value):
                content = digest(f"{element}{self._constants.readable(value)}")
                yield ValuePart(offset, content, meaning if isinstance(meaning, Address) else None)
        else:
            number = int(value) if _WHOLE_NUMBER.match(value) else None
            yield ValuePart(offset, digest(element + value), number=number)
