"""How large types are and where their fields lie, from a module's data layout and its named types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from sonde.core.code import OPEN, FieldStep
from sonde.formats.llvm_ir.types.pieces import plain, split_at_commas

_ALIGNMENT = re.compile(r"([ivfa])(\d*):(\d+)")
_POINTER = re.compile(r"p(\d*):(\d+):(\d+)")
_ARRAY = re.compile(r"\[(\d+) x (.*)\]", re.DOTALL)
_VECTOR = re.compile(r"<(?:vscale x )?(\d+) x (.*)>", re.DOTALL)
_SPACE = re.compile(r"ptr addrspace\((\d+)\)")
_RECORD = re.compile(r"(?:struct|class|union)\.")
_NUMBERED = re.compile(r"\.\d+$")
_NUMBERED_TYPE = re.compile(r'(%"[^"]*?|%[-\w.$]+?)\.\d+(?![-\w.$])')
_FLOATS = {
    "half": 16,
    "bfloat": 16,
    "float": 32,
    "double": 64,
    "x86_fp80": 80,
    "fp128": 128,
    "ppc_fp128": 128,
}


class TypeLayout(NamedTuple):
    """How a type lies in memory."""

    size: int  # in bytes, with the padding behind it
    align: int
    offsets: tuple[int, ...] = ()  # of the fields of a structure
    fields: tuple[str, ...] = ()  # the types of a structure's fields; the one type of an array's elements
    is_array: bool = False
    is_vector: bool = False


UNKNOWN = TypeLayout(0, 1)


def array_length(array: TypeLayout, element_size: int) -> int:
    """How many bytes an array has; OPEN if it has one element or none: so a structure ends that goes on."""
    return array.size if array.size > element_size else OPEN


def structure_name(written: str) -> str:
    """`foo` for `%struct.foo.12`: as the source names a structure; empty if the type is none with a name."""
    return _NUMBERED.sub("", _RECORD.sub("", plain(written), count=1)) if written[:1] == "%" else ""


def without_numbers(written: str) -> str:
    """A type without the numbers that tell types of the same name apart: they depend on all other types."""
    return _NUMBERED_TYPE.sub(r"\1", written) if "%" in written else written


class TypeLayouts:
    """The layouts of a module's types, by their texts."""

    def __init__(self, data_layout: str, named: Mapping[str, str]) -> None:
        """Take the text behind `target datalayout`, and the bodies of types by names (`%struct.foo`)."""
        self._named = named
        self._known: dict[str, TypeLayout] = {}
        self._pointers = {"": (64, 64)}
        self._aligned = {"i1": 8, "i8": 8, "i16": 16, "i32": 32, "i64": 32, "f80": 128, "f128": 128}
        for part in data_layout.split("-"):
            if (found := _POINTER.match(part)) is not None:
                self._pointers["" if found[1] in {"", "0"} else found[1]] = (int(found[2]), int(found[3]))
            elif (found := _ALIGNMENT.match(part)) is not None:
                self._aligned[found[1] + found[2]] = int(found[3])

    def of(self, type_: str) -> TypeLayout:
        """The layout of a type; zero bytes for what has none (opaque types, functions, labels)."""
        known = self._known.get(type_)
        if known is None:
            self._known[type_] = UNKNOWN  # a damaged file may hold a type that contains itself
            known = self._known[type_] = self._find(type_)
        return known

    def fold(self, type_: str, offset: int) -> int:
        """The offset in a type, where any element of an array counts as its first.

        What lies outside of the type is counted from the start of the next one: several may lie in a row.
        """
        layout = self.of(type_)
        if layout.size <= 0:
            return offset if not layout.is_array else self.fold(layout.fields[0], offset)
        offset %= layout.size
        if layout.is_array:
            return self.fold(layout.fields[0], offset)
        for start, field in zip(reversed(layout.offsets), reversed(layout.fields), strict=True):
            if offset >= start:
                inner = self.of(field)
                # Padding, and the flexible array at the end, have no size of their own.
                return start + (self.fold(field, offset - start) if inner.size or inner.is_array else 0)
        return offset

    def element(self, type_: str) -> str:
        """What an array consists of, however many dimensions it has; the type itself if it is no array."""
        layout = self.of(type_)
        return self.element(layout.fields[0]) if layout.is_array and not layout.is_vector else type_

    def arrays(self, type_: str, at: int = 0) -> tuple[FieldStep, ...]:
        """The arrays of several elements in a type, where any element counts as the first one."""
        layout = self.of(type_)
        if layout.is_array:
            size = self.of(layout.fields[0]).size
            own = (FieldStep(at, layout.size, size),) if layout.size > size else ()
            return (*own, *self.arrays(layout.fields[0], at))
        found: list[FieldStep] = []
        for start, field in zip(layout.offsets, layout.fields, strict=True):
            found += self.arrays(field, at + start)
        return tuple(found)

    def steps_to(self, type_: str, offset: int) -> tuple[FieldStep, ...]:
        """The arrays and members on the way to an offset in a type."""
        layout, at = self.of(type_), 0
        found: list[FieldStep] = []
        while layout.fields:
            if layout.is_array:
                inner = self.of(layout.fields[0])
                size = max(inner.size, 1)
                found.append(FieldStep(at, array_length(layout, size), size if offset >= size else 0))
                offset %= size
            else:
                index = max(n for n, start in enumerate(layout.offsets) if start <= offset)
                inner, start = self.of(layout.fields[index]), layout.offsets[index]
                at, offset = at + start, offset - start
                if start and inner.fields and inner.size:
                    found.append(FieldStep(at, inner.size))
            layout = inner
        return tuple(found)

    def _find(self, type_: str) -> TypeLayout:
        first = type_[:1]
        if first == "i" and type_[1:].isdigit():
            return self._scalar("i", int(type_[1:]))
        if type_ in _FLOATS:
            return self._scalar("f", _FLOATS[type_])
        if type_[:3] == "ptr" or type_[-1:] == "*":
            space = _SPACE.match(type_)
            size, align = self._pointers.get(space[1] if space else "", self._pointers[""])
            return TypeLayout(size // 8, align // 8)
        if first == "%":
            body = self._named.get(type_)
            return UNKNOWN if body is None else self.of(body)
        if (found := _ARRAY.fullmatch(type_)) is not None:
            inner = self.of(found[2])
            return TypeLayout(int(found[1]) * inner.size, inner.align, fields=(found[2],), is_array=True)
        if first == "{":
            return self._structure(type_[1:-1], is_packed=False)
        if type_[:2] == "<{":
            return self._structure(type_[2:-2], is_packed=True)
        if (found := _VECTOR.fullmatch(type_)) is not None:
            bits = self._bits(found[2]) * int(found[1])
            size = (bits + 7) // 8
            align = self._aligned.get(f"v{bits}", 8 * _power_of_two(size)) // 8
            return TypeLayout(_up(size, align), align, fields=(found[2],), is_array=True, is_vector=True)
        return UNKNOWN

    def _bits(self, type_: str) -> int:
        """An element of a vector lies without padding: eight of i1 are one byte."""
        return int(type_[1:]) if type_[:1] == "i" and type_[1:].isdigit() else self.of(type_).size * 8

    def _scalar(self, letter: str, bits: int) -> TypeLayout:
        size = (bits + 7) // 8
        align = self._aligned.get(f"{letter}{bits}")
        if align is None and letter == "i":
            # The next larger integer that the target names; beyond all of them, the largest one's.
            widths = sorted(int(name[1:]) for name in self._aligned if name[0] == "i")
            align = self._aligned[f"i{next((width for width in widths if width >= bits), widths[-1])}"]
        align = max((align or 8 * _power_of_two(size)) // 8, 1)
        return TypeLayout(_up(size, align), align)

    def _structure(self, body: str, is_packed: bool) -> TypeLayout:
        fields = tuple(split_at_commas(body.strip()))
        offsets, at, widest = [], 0, 1
        for field in fields:
            layout = self.of(field)
            align = 1 if is_packed else layout.align
            at = _up(at, align)
            offsets.append(at)
            at += layout.size
            widest = max(widest, align)
        return TypeLayout(_up(at, widest), widest, tuple(offsets), fields)


def _up(size: int, align: int) -> int:
    return -(-size // align) * align


def _power_of_two(size: int) -> int:
    return 1 << max(size - 1, 0).bit_length()
