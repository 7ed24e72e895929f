"""What an address means, in terms that survive relinking: a name and an offset, or what lies there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sonde.formats.elf.extents import NOWHERE, Integers
from sonde.formats.elf.image import Image
from sonde.formats.elf.names import unversioned
from sonde.formats.elf.symbols import SymbolTable
from sonde.formats.machine_code.texts import ImageTexts

_MOST_ONWARD = 300  # nameless constants that lead to each other
_OWN_SECTIONS = (".got", ".got.plt", ".plt.got")  # the linker's, so that places in them say nothing


class Meaning(NamedTuple):
    """What is found at an address: `identity` is equal where a program cannot tell the difference."""

    identity: bytes
    text: bytes | None = None  # the characters, if it is a text; then `identity` does not say which
    calls: frozenset[str] = frozenset()  # functions that are named on the way
    objects: frozenset[int] = frozenset()  # numbers of objects that are named on the way
    imports: frozenset[str] = frozenset()
    onward: tuple[int, ...] = ()  # nameless constants that it points to, as long as they are not followed


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
        self._texts = ImageTexts(image, table.objects.extents, set(), set())
        self._tables: set[int] = set()
        self._known: dict[tuple[int, int], Meaning] = {}
        self._single: dict[int, Meaning] = {}

    def begin_at(self, taken: Integers, read: Integers) -> None:
        """Say where nameless constants begin: at addresses that are taken, and at those that are read."""
        targets = self._image.slots.targets
        everywhere = set(taken.tolist()) | set(targets[targets >= 0].tolist())
        self._texts = ImageTexts(self._image, self._objects.extents, everywhere, set(read.tolist()))

    def end_of(self, address: int) -> int:
        """Where the nameless constant at an address ends at the latest."""
        return self._texts.end_of(address)

    def stop_at(self, tables: Iterable[int]) -> None:
        """Say where tables of jumps begin, which belong to no constant before them."""
        self._tables |= set(tables)

    def of(self, address: int, depth: int = 1) -> Meaning:
        """What a pointer to this address points to; at depth 0, a section as a whole counts by its name."""
        known = self._known.get((address, depth))
        if known is None:
            known = self._known[address, depth] = self._followed(self._find(address, depth))
        return known

    def texts_at(self, addresses: Integers) -> list[Meaning | None]:
        """The text that begins at each address among constants, or None where there is something else."""
        are_marks = np.isin(addresses, np.array(list(self._table.marks), np.int64)).tolist()
        texts = self._texts.at_constants(addresses)
        return [
            None if text is None or is_mark else Meaning(b"text", text)
            for text, is_mark in zip(texts, are_marks, strict=True)
        ]

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
        text = self._texts.at(address)
        if text is not None:
            return Meaning(b"text", text=text)
        limit = self.end_of(address)
        after = [self._content(address, limit - address, depth)]
        while self._continues(limit):
            address, limit = limit, self.end_of(limit)
            after.append(self._segment(address, limit, depth))
            if len(after) > 1000:
                after.append(Meaning(str(limit).encode()))
                break
        end = self._texts.end_of_all(address)  # of strings that belong to it
        if end > limit and limit not in self._tables:
            after.append(self._content(limit, end - limit, depth))
        return _joined(after)

    def _continues(self, limit: int) -> bool:
        """Whether what begins here may still belong to the bytes before it."""
        section = self._image.section_at(limit)
        if section is None or section.address == limit or self._objects.extents.find_one(limit) != NOWHERE:
            return False
        if limit in self._tables:
            return False
        return limit not in self._texts.taken or self._texts.stretch(limit) is None

    def _segment(self, address: int, end: int, depth: int) -> Meaning:
        text = self._texts.stretch(address)
        return Meaning(b"text", text) if text is not None else self._content(address, end - address, depth)

    def content(self, address: int, size: int, depth: int = 1) -> Meaning:
        """The bytes of a stretch of memory, with what its pointers mean instead of their values."""
        return self._followed(self._content(address, size, depth))

    def _content(self, address: int, size: int, depth: int) -> Meaning:
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
            name = unversioned(meaning.removeprefix("import:").partition("+")[0])
            return Meaning(meaning.encode(), calls=frozenset({f"plt:{name}"}), imports=frozenset({name}))
        if meaning or target == NOWHERE:
            return Meaning((meaning or "nowhere").encode())
        if self._is_nameless(target):
            section = self._image.section_at(target)
            text = self._texts.at(target) if section and not section.is_zero else None
            return Meaning(b"onward", onward=(target,)) if text is None else Meaning(b"text:" + text)
        return self.of(target, 0)

    def _followed(self, meaning: Meaning) -> Meaning:
        """The same with all nameless constants to which it leads, each once."""
        if not meaning.onward:
            return meaning
        order = {target: number for number, target in enumerate(dict.fromkeys(meaning.onward))}
        waiting, found = list(order), [meaning]
        for target in waiting:  # it grows
            if target not in self._single:
                self._single[target] = self._find(target, 0)
            found.append(self._single[target])
            for other in found[-1].onward:
                if other not in order:
                    order[other] = len(order)
                    waiting.append(other)
            if len(waiting) > _MOST_ONWARD:
                return _joined([*found, self._everything])._replace(onward=())
        ways = [str([order[target] for target in each.onward]).encode() for each in found]
        return _joined(found, b" ".join(ways))._replace(onward=())

    @cached_property
    def _everything(self) -> Meaning:
        """All data as it lies there: different for nearly any two builds."""
        sections = [self._image.elf.bytes_of(each) for each in self._image.sections if not each.is_zero]
        return Meaning(short_digest(*sections, self._image.slots.targets.tobytes()))

    def _is_nameless(self, address: int) -> bool:
        return (
            self._functions.extents.find_one(address) == NOWHERE
            and self._objects.extents.find_one(address) == NOWHERE
        )


def _called(label: str) -> Meaning:
    name = unversioned(label.removeprefix("plt:"))
    return Meaning(label.encode(), calls=frozenset({f"plt:{name}"}), imports=frozenset({name}))


def _joined(parts: list[Meaning], before: bytes = b"") -> Meaning:
    """Several meanings as one; what is text in one part counts as bytes in the whole."""
    identities = [part.identity + (part.text or b"") for part in parts]
    return Meaning(
        short_digest(before, *identities),
        calls=frozenset().union(*(part.calls for part in parts)),
        objects=frozenset().union(*(part.objects for part in parts)),
        imports=frozenset().union(*(part.imports for part in parts)),
        onward=tuple([target for part in parts for target in part.onward]),
    )
