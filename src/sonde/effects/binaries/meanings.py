"""What an address means, in terms that survive relinking: a name and an offset, or what lies there."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from sonde.effects.binaries.extents import NOWHERE, Integers
from sonde.effects.binaries.image import Image
from sonde.effects.binaries.symbols import SymbolTable

_TEXT = re.compile(rb"[\x07-\x0d\x1b\x20-\x7e\x80-\xff\0]*")
_PLAIN = bytes([0, *range(0x07, 0x0E), 0x1B, *range(0x20, 0x7F)])
_LONGEST_TEXT = 1 << 20
_OWN_SECTIONS = (".got", ".got.plt", ".plt.got")  # the linker's, so that places in them say nothing


class Meaning(NamedTuple):
    """What is found at an address: `identity` is equal where a program cannot tell the difference."""

    identity: bytes
    text: bytes | None = None  # the characters, if it is a text; then `identity` does not say which
    calls: frozenset[str] = frozenset()  # functions that are named on the way
    objects: frozenset[int] = frozenset()  # numbers of objects that are named on the way
    imports: frozenset[str] = frozenset()


def short_digest(*parts: bytes) -> bytes:
    """Sixteen bytes for the sequence of `parts`."""
    whole = b"".join([len(part).to_bytes(8, "little") + part for part in parts])
    return hashlib.blake2b(whole, digest_size=16).digest()


class Meanings:
    """Answers for one image; what was asked before is remembered."""

    def __init__(
        self, image: Image, table: SymbolTable, stubs: Mapping[int, str], labels: tuple[list[str], list[str]]
    ) -> None:
        self._image, self._table, self._stubs = image, table, stubs
        self._functions, self._objects = table.functions, table.objects
        self.function_labels, self.object_labels = labels  # unlike those of the table, unique
        self._taken: set[int] = set()
        self._tables: set[int] = set()
        self._limits: list[int] = []
        self._known: dict[tuple[int, int], Meaning] = {}

    def begin_at(self, taken: Integers, read: Integers) -> None:
        """Say where nameless constants begin: at addresses that are taken, and at those that are read."""
        targets = self._image.slots.targets
        self._taken = set(taken.tolist()) | set(targets[targets >= 0].tolist())
        self._limits = sorted(
            self._taken
            | set(read.tolist())
            | set(self._objects.extents.starts.tolist())
            | set(self._image.extents.ends.tolist())
        )

    def end_of(self, address: int) -> int:
        """Where the nameless constant at an address ends at the latest."""
        number = bisect_right(self._limits, address)
        return self._limits[number] if number < len(self._limits) else address

    def stop_at(self, tables: Iterable[int]) -> None:
        """Say where tables of jumps begin, which belong to no constant before them."""
        self._tables |= set(tables)

    def of(self, address: int, depth: int = 1) -> Meaning:
        """What a pointer to this address points to; nameless constants are followed so deep at most."""
        known = self._known.get((address, depth))
        if known is None:
            known = self._known[address, depth] = self._find(address, depth)
        return known

    def texts_at(self, addresses: Integers) -> list[Meaning | None]:
        """The text that begins at each address among constants, or None where there is something else."""
        image, slots = self._image, self._image.slots.at
        sections = image.extents.find(addresses)
        may_hold = [not (each.is_zero or each.is_code or each.is_writable) for each in image.sections]
        limits = np.array(self._limits, np.int64)
        ends = np.append(limits, 0)[np.searchsorted(limits, addresses, side="right")]
        likely = (sections != NOWHERE) & np.array(may_hold, np.bool_)[sections]
        likely &= self._objects.extents.find(addresses) == NOWHERE
        likely &= ~np.isin(addresses, np.array(list(self._table.marks), np.int64))
        likely &= np.searchsorted(slots, addresses) == np.searchsorted(slots, ends)
        found: list[Meaning | None] = [None] * len(addresses)
        content, shifts = image.elf.content, [each.offset - each.address for each in image.sections]
        numbers = np.flatnonzero(likely)
        columns = (numbers, addresses[likely], ends[likely], sections[likely])
        for number, address, end, section in zip(*(column.tolist() for column in columns), strict=True):
            own = content[address + shifts[section] : end + shifts[section]]
            if own.isascii() and own[-1] == 0 and not own.translate(None, _PLAIN):
                found[number] = Meaning(b"text", own.rstrip(b"\0"))
            elif b"\xff" in own:  # quick to tell, and frequent: a table of distances backwards
                continue
            elif (text := self._text(address, end)) is not None:
                found[number] = Meaning(b"text", text)
        return found

    def of_operand(self, address: int, size: int) -> Meaning:
        """What an instruction finds that reads so many bytes at an address without a name."""
        section = self._image.section_at(address)
        if section is None or section.is_zero or section.is_code or address in self._table.marks:
            return self.of(address)
        found = self.content(address, size)
        if section.is_writable and section.name not in _OWN_SECTIONS:
            return _joined([found], f"place {section.name}+{address - section.address}".encode())
        return found

    def _find(self, address: int, depth: int) -> Meaning:
        if self._table.marks.get(address, "").startswith("__start_"):
            return self._mark(address, depth)
        if address in self._stubs:
            return _called(f"plt:{self._stubs[address]}")
        function = self._functions.extents.find_one(address)
        if function != NOWHERE:
            offset = address - int(self._functions.extents.starts[function])
            identity = f"function {self.function_labels[function]}+{offset}"
            return Meaning(identity.encode(), calls=frozenset({self._functions.labels[function]}))
        item = self._objects.extents.find_one(address)
        if item != NOWHERE:
            return self._in_object(address, item)
        section = self._image.section_at(address)
        if section is None:
            header = address - self._table.header
            name = f"__ehdr_start+{header}" if self._table.header >= 0 else f"nowhere+{address}"
            return Meaning(b"mark " + self._table.marks.get(address, name).encode())
        place = f"place {section.name}+{address - section.address}".encode()
        if address in self._table.marks:
            return self._mark(address, depth)
        if section.is_code or section.is_zero:
            return Meaning(place)
        found = self._nameless(address, depth)
        if section.is_writable and section.name not in _OWN_SECTIONS:
            return _joined([found], place)
        return found

    def _in_object(self, address: int, item: int) -> Meaning:
        extents = self._objects.extents
        identity = f"object {self.object_labels[item]}+{address - int(extents.starts[item])}"
        is_end = item > 0 and int(extents.ends[item - 1]) == address  # of the object before
        return Meaning(identity.encode(), objects=frozenset({item, item - 1} if is_end else {item}))

    def _mark(self, address: int, depth: int) -> Meaning:
        name = self._table.marks[address]
        own = Meaning(b"mark " + name.encode())
        section = self._image.section_at(address)
        if (
            section and depth and name.startswith("__start_")
        ):  # code that asks for it walks through the whole section
            return _joined([own, self.content(address, section.size, depth)])
        return own

    def _nameless(self, address: int, depth: int) -> Meaning:
        segment = self._segment(address, depth)
        if segment.text is not None:
            return segment
        after = [segment]
        limit = self.end_of(address)
        while self._continues(limit, depth):
            after.append(self._segment(limit, depth))
            limit = self.end_of(limit)
            if len(after) > 1000:
                after.append(Meaning(str(limit).encode()))
                break
        return _joined(after)

    def _continues(self, limit: int, depth: int) -> bool:
        """Whether what begins here may still belong to what lies before it."""
        section = self._image.section_at(limit)
        if section is None or section.address == limit or self._objects.extents.find_one(limit) != NOWHERE:
            return False
        if limit in self._tables:
            return False
        return limit not in self._taken or self._segment(limit, depth).text is None

    def _segment(self, address: int, depth: int) -> Meaning:
        end = self.end_of(address)
        text = self._text(address, end)
        if text is not None:
            return Meaning(b"text", text=text)
        return self.content(address, end - address, depth)

    def _text(self, address: int, end: int) -> bytes | None:
        if self._image.slots_between(address, end):
            return None
        content = self._image.read(address, end - address)
        if not _TEXT.fullmatch(content):
            return None
        if content and content[-1]:
            more = self._image.read(end, _LONGEST_TEXT)
            content += more[: more.find(b"\0") + 1]
        content = content.rstrip(b"\0")
        return content if content.isascii() or _is_utf8(content) else None

    def content(self, address: int, size: int, depth: int = 1) -> Meaning:
        """The bytes of a stretch of memory, with what its pointers mean instead of their values."""
        slots = self._image.slots
        numbers = self._image.slots_between(address - 7, address + size)
        raw = self._image.read(address, size)
        if not numbers:
            return Meaning(b"bytes " + raw.rstrip(b"\0"))
        own = bytearray(raw)
        parts = []
        for number in numbers:
            at = int(slots.at[number]) - address
            own[max(at, 0) : at + 8] = bytes(len(own[max(at, 0) : at + 8]))
            parts.append(_joined([self._slot(number, depth)], str(at).encode()))
        return _joined(parts, bytes(own).rstrip(b"\0"))

    def _slot(self, number: int, depth: int) -> Meaning:
        target, meaning = int(self._image.slots.targets[number]), self._image.slots.meanings[number]
        if meaning.startswith("resolver:"):
            found = self.of(int(meaning.partition(":")[2]), 0)
            return _joined([found], b"resolver")
        if meaning.startswith("import:"):
            name = meaning.removeprefix("import:").partition("+")[0]
            return Meaning(meaning.encode(), calls=frozenset({f"plt:{name}"}), imports=frozenset({name}))
        if meaning or target == NOWHERE:
            return Meaning((meaning or "nowhere").encode())
        if depth == 0 and self._is_nameless(target):
            section = self._image.section_at(target)
            place = f"{section.name}+{target - section.address}" if section else f"nowhere+{target}"
            text = self._text(target, self.end_of(target)) if section and not section.is_zero else None
            return Meaning(place.encode() if text is None else b"text:" + text)
        found = self.of(target, max(depth - 1, 0))
        return found if found.text is None else Meaning(b"text:" + found.text)

    def _is_nameless(self, address: int) -> bool:
        return (
            self._functions.extents.find_one(address) == NOWHERE
            and self._objects.extents.find_one(address) == NOWHERE
        )


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _called(label: str) -> Meaning:
    name = label.removeprefix("plt:")
    return Meaning(label.encode(), calls=frozenset({label}), imports=frozenset({name}))


def _joined(parts: list[Meaning], before: bytes = b"") -> Meaning:
    """Several meanings as one; what is text in one part counts as bytes in the whole."""
    identities = [part.identity + (part.text or b"") for part in parts]
    return Meaning(
        short_digest(before, *identities),
        calls=frozenset().union(*(part.calls for part in parts)),
        objects=frozenset().union(*(part.objects for part in parts)),
        imports=frozenset().union(*(part.imports for part in parts)),
    )
