"""Where exceptions go: the tables of each function that say which `catch` takes what."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from sonde.formats.elf.image import Image
from sonde.formats.machine_code.meanings import Meaning

_OMITTED = 0xFF
_FORMATS = {0x00: "<Q", 0x02: "<H", 0x03: "<I", 0x04: "<Q", 0x0A: "<h", 0x0B: "<i", 0x0C: "<q"}
_RELATIVE, _INDIRECT, _ABSOLUTE = 0x10, 0x80, 0x00


class Strange(Exception):
    """Inside this module only: a table that is written in a way that we do not know."""


@dataclass
class _Reader:
    """Takes one number after the other; `address` is where `content` lies in memory."""

    content: bytes
    address: int
    at: int = 0

    def byte(self) -> int:
        if self.at >= len(self.content):
            raise Strange
        self.at += 1
        return self.content[self.at - 1]

    def number(self, *, signed: bool = False) -> int:
        """LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value
            if shift > 70:
                raise Strange

    def pointer(self, encoding: int) -> int:
        """An address as one of the encodings of DWARF gives it; 0 is none."""
        form = _FORMATS.get(encoding & 0x0F)
        if form is None or encoding & 0x70 not in (_ABSOLUTE, _RELATIVE):
            raise Strange
        size = struct.calcsize(form)
        if self.at + size > len(self.content):
            raise Strange
        place = self.address + self.at
        (value,) = struct.unpack_from(form, self.content, self.at)
        self.at += size
        return (value + place) % (1 << 64) if value and encoding & _RELATIVE else int(value)


def read_exception_tables(
    image: Image, meaning: Callable[[int], Meaning]
) -> Mapping[int, tuple[Meaning, ...]]:
    """The start of a function -> its table: bytes that say where, and the types that are caught."""
    frames, tables = image.elf.named(".eh_frame"), image.elf.named(".gcc_except_table")
    if frames is None or tables is None or frames.is_zero:
        return {}
    reader = _TableReader(image, meaning, image.elf.bytes_of(tables), tables.address)
    pairs = _tables_of_functions(image.elf.bytes_of(frames), frames.address)
    return {function: tuple(reader.read(table)) for function, table in pairs}


def raw_tables(image: Image) -> bytes:
    """The tables as they are, for files in which they cannot be told apart."""
    return b"".join(
        image.elf.bytes_of(section)
        for section in image.elf.sections
        if section.name.startswith((".gcc_except_table", ".eh_frame"))
    )


def _tables_of_functions(content: bytes, address: int) -> Iterator[tuple[int, int]]:
    """(function, table) for each frame that has a table."""
    shapes: dict[int, tuple[int, int] | None] = {}  # of a common entry: encodings of pointer and of table
    at = 0
    while at + 8 <= len(content):
        (length,) = struct.unpack_from("<I", content, at)
        if length in (0, 0xFFFFFFFF):
            if length:
                raise Strange
            at += 4
            continue
        body = at + 4
        (common,) = struct.unpack_from("<I", content, body)
        if common == 0:
            shapes[at] = _shape(_Reader(content, address, body + 4))
        elif (shape := shapes.get(body - common)) is not None:
            reader = _Reader(content, address, body + 4)
            function = reader.pointer(shape[0])
            reader.pointer(shape[0] & 0x0F)
            reader.number()
            table = reader.pointer(shape[1])
            if table:
                yield function, table
        elif body - common not in shapes:
            raise Strange
        at = body + length


def _shape(reader: _Reader) -> tuple[int, int] | None:
    """The encodings of a common entry, or None if its frames have no tables."""
    reader.byte()  # version
    end = reader.content.find(b"\0", reader.at, reader.at + 16)
    if end < 0:
        raise Strange
    words = reader.content[reader.at : end].decode(errors="replace")
    reader.at = end + 1
    if "L" not in words:
        return None
    if not words.startswith("z"):
        raise Strange
    reader.number()
    reader.number(signed=True)
    reader.number()
    reader.number()
    pointers, tables = 0, _OMITTED
    for word in words[1:]:
        if word == "R":
            pointers = reader.byte()
        elif word == "L":
            tables = reader.byte()
        elif word == "P":
            reader.pointer(reader.byte())
        elif word not in "SB":
            raise Strange
    return (pointers, tables) if tables != _OMITTED else None


class _TableReader:
    """Reads the tables of one section."""

    def __init__(self, image: Image, meaning: Callable[[int], Meaning], content: bytes, address: int) -> None:
        self._image, self._meaning = image, meaning
        self._content, self._address = content, address
        self._left = 16 * len(content) + 1000  # numbers to read; a damaged file may lead round in circles

    def read(self, address: int) -> Iterator[Meaning]:
        """The table at an address: places, actions, and the types that these ask for."""
        if not self._address <= address < self._address + len(self._content):
            raise Strange
        reader = self._reader(address - self._address)
        encoding = reader.byte()
        if encoding != _OMITTED:
            yield self._meaning(reader.pointer(encoding))
        types = reader.byte()
        base = reader.number() if types != _OMITTED else 0
        base += reader.at
        places = reader.byte()
        size = reader.number()
        end = reader.at + size
        self._spend(size)
        if end > len(self._content):
            raise Strange
        yield Meaning(f"{encoding} {types} {places} ".encode() + self._content[reader.at : end])
        filters = [
            each for action in self._actions(reader, end, places) for each in self._filters(end + action - 1)
        ]
        yield Meaning(repr(filters).encode())
        for each in sorted(set(filters)):
            if each > 0:
                yield self._caught(base, each, types)
            elif each < 0:
                listed = self._reader(base - each - 1)
                while number := listed.number():
                    self._spend(1)
                    yield self._caught(base, number, types)

    def _reader(self, at: int) -> _Reader:
        return _Reader(self._content, self._address, at)

    def _spend(self, amount: int) -> None:
        self._left -= amount
        if self._left < 0:
            raise Strange

    def _actions(self, reader: _Reader, end: int, encoding: int) -> Iterator[int]:
        """Where the chain of each place begins that has one."""
        while reader.at < end:
            for _ in range(3):
                if encoding & 0x0F == 1:
                    reader.number()
                else:
                    reader.pointer(encoding & 0x0F)
            if action := reader.number():
                yield action

    def _filters(self, at: int) -> Iterator[int]:
        """Which types one chain of actions asks for; 0 is for cleaning up."""
        reader = self._reader(at)
        while True:
            self._spend(1)
            yield reader.number(signed=True)
            before = reader.at
            step = reader.number(signed=True)
            if step == 0:
                return
            reader.at = before + step
            if reader.at < 0:
                raise Strange

    def _caught(self, base: int, number: int, encoding: int) -> Meaning:
        form = _FORMATS.get(encoding & 0x0F)
        if form is None or base < number * struct.calcsize(form):
            raise Strange
        target = self._reader(base - number * struct.calcsize(form)).pointer(encoding & ~_INDIRECT)
        if target == 0:
            return Meaning(b"anything")
        if not encoding & _INDIRECT:
            return self._meaning(target)
        slots = self._image.slots_between(target, target + 1)
        if slots and self._image.slots.meanings[slots[0]]:
            return Meaning(self._image.slots.meanings[slots[0]].encode())
        value = self._image.slots.targets[slots[0]] if slots else self._image.read(target, 8)
        return self._meaning(int.from_bytes(value, "little") if isinstance(value, bytes) else int(value))
