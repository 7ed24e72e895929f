"""An ELF file for x86-64 as arrays: its sections, symbols and relocations, all of them within the file."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sonde.formats.damaged import Damaged

MAGIC = b"\x7fELF"
EXECUTABLE, SHARED = 2, 3  # e_type; what is linked at a fixed address, and what is not
_X86_64 = 62
_HIGHEST = 1 << 62  # of an address, so that sums stay within 64 bits
_LONGEST_NAME, _ALL_NAMES = 1 << 15, 1 << 28  # characters: a damaged table may repeat a long name without end

SYMBOLS, NO_BITS, DYNAMIC_SYMBOLS, RELOCATIONS, PACKED_RELOCATIONS = 2, 8, 11, 4, 19
_WRITABLE, _ALLOCATED, _EXECUTABLE, _THREAD = 1, 2, 4, 0x400

_SECTION = np.dtype(
    [
        ("name", "<u4"),
        ("kind", "<u4"),
        ("flags", "<u8"),
        ("address", "<u8"),
        ("offset", "<u8"),
        ("size", "<u8"),
        ("link", "<u4"),
        ("info", "<u4"),
        ("align", "<u8"),
        ("entry", "<u8"),
    ]
)
_SYMBOL = np.dtype(
    [("name", "<u4"), ("info", "u1"), ("other", "u1"), ("section", "<u2"), ("value", "<u8"), ("size", "<u8")]
)
_RELOCATION = np.dtype([("at", "<u8"), ("kind", "<u4"), ("symbol", "<u4"), ("addend", "<i8")])

Records = NDArray[np.void]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the file, and where it lies in memory."""

    name: str
    kind: int
    flags: int
    address: int
    offset: int  # in the file
    size: int
    link: int  # number of another section that belongs to it

    @property
    def end(self) -> int:
        """The address behind it."""
        return self.address + self.size

    @property
    def is_loaded(self) -> bool:
        """Whether it has addresses of its own; zeros of threads have none."""
        return bool(self.flags & _ALLOCATED) and not (self.is_of_threads and self.kind == NO_BITS)

    @property
    def is_code(self) -> bool:
        """Whether it is executed."""
        return self.is_loaded and bool(self.flags & _EXECUTABLE)

    @property
    def is_of_threads(self) -> bool:
        """Whether each thread has its own copy."""
        return bool(self.flags & _THREAD)

    @property
    def is_writable(self) -> bool:
        """Whether a program can write to it when it runs."""
        return bool(self.flags & _WRITABLE) and not self.name.startswith(".data.rel.ro")

    @property
    def is_zero(self) -> bool:
        """Whether it has no bytes in the file."""
        return self.kind == NO_BITS


@dataclass(frozen=True)
class Symbols:
    """A symbol table; `names` go with the rows."""

    rows: Records
    names: tuple[str, ...]


NO_SYMBOLS = Symbols(np.zeros(0, _SYMBOL), ())


@dataclass(frozen=True)
class Elf:
    """The file and its sections."""

    content: bytes
    kind: int
    sections: tuple[Section, ...]

    @property
    def entry(self) -> int:
        """Where a process begins; 0 in most libraries."""
        return min(int(struct.unpack_from("<Q", self.content, 24)[0]), _HIGHEST)

    def bytes_of(self, section: Section) -> bytes:
        """What the file holds of a section; nothing for zeros."""
        return b"" if section.is_zero else self.content[section.offset : section.offset + section.size]

    def named(self, name: str) -> Section | None:
        """The first section of a name."""
        return next((section for section in self.sections if section.name == name), None)

    @cached_property
    def symbols(self) -> Symbols:
        """All symbols; none in a stripped file."""
        return self._symbols(SYMBOLS)

    @cached_property
    def dynamic_symbols(self) -> Symbols:
        """What the dynamic linker knows."""
        return self._symbols(DYNAMIC_SYMBOLS)

    @cached_property
    def relocations(self) -> Records:
        """What the dynamic linker, or a static program at its start, fills in; names are dynamic symbols."""
        kinds = [s for s in self.sections if s.kind == RELOCATIONS and s.is_loaded]
        parts = [_rows(self.bytes_of(section), _RELOCATION) for section in kinds]
        return np.concatenate(parts) if parts else np.zeros(0, _RELOCATION)

    @cached_property
    def packed_relocations(self) -> tuple[int, ...]:
        """Addresses of pointers that move with the file, from its bitmaps (`-z pack-relative-relocs`)."""
        found: list[int] = []
        for section in self.sections:
            if section.kind != PACKED_RELOCATIONS:
                continue
            base = 0
            for word in _rows(self.bytes_of(section), np.dtype("<u8")).tolist():
                if word & 1 == 0:
                    found.append(word)
                    base = word + 8
                else:
                    found += [base + 8 * bit for bit in range(63) if word >> (bit + 1) & 1]
                    base += 63 * 8
                if len(found) > len(self.content):
                    raise Damaged("its table of relocations is damaged; build it anew")
        return tuple(found)

    def _symbols(self, kind: int) -> Symbols:
        section = next((each for each in self.sections if each.kind == kind), None)
        if section is None or section.link >= len(self.sections):
            return NO_SYMBOLS
        rows = _rows(self.bytes_of(section), _SYMBOL)
        texts = self.bytes_of(self.sections[section.link])
        return Symbols(rows, _names(texts, rows["name"]))


def read_elf(content: bytes) -> Elf:
    """The sections of a file that begins with the magic of ELF, checked against its size."""
    if len(content) < 64:
        raise Damaged("it is truncated: its header is not complete")
    if content[4] != 2 or content[5] != 1:
        raise Damaged("it is 32-bit or big-endian; only 64-bit x86 can be read")
    kind, machine = struct.unpack_from("<HH", content, 16)
    if machine != _X86_64:
        raise Damaged(f"it is for another processor (ELF machine {machine}); only 64-bit x86 can be read")
    (table_at,) = struct.unpack_from("<Q", content, 40)
    entry_size, entries, names_at = struct.unpack_from("<HHH", content, 58)
    if table_at == 0:
        raise Damaged("it has no section headers, as packed programs do; build without a packer such as UPX")
    if entry_size != _SECTION.itemsize or table_at + entry_size > len(content):
        raise Damaged("its section headers are damaged or cut off; build it anew")
    first = np.frombuffer(content, _SECTION, 1, table_at)[0]
    entries = entries or int(first["size"])
    names_at = int(first["link"]) if names_at == 0xFFFF else names_at
    if table_at + entries * entry_size > len(content) or names_at >= entries:
        raise Damaged("its section headers are damaged or cut off; build it anew")
    rows = np.frombuffer(content, _SECTION, entries, table_at)
    table = rows[names_at]
    texts = content[int(table["offset"]) : int(table["offset"]) + int(table["size"])]
    sections = tuple(
        Section(name, *(int(row[field]) for field in ("kind", "flags", "address", "offset", "size", "link")))
        for name, row in zip(_names(texts, rows["name"]), rows, strict=True)
    )
    _check(sections, len(content))
    return Elf(content, kind, sections)


def _check(sections: tuple[Section, ...], size: int) -> None:
    stored = [section for section in sections if section.kind not in (0, NO_BITS)]
    if any(section.offset + section.size > size for section in stored):
        raise Damaged("it is truncated: a section lies behind its end; build it anew")
    if sum(section.size for section in stored) > 2 * size:
        raise Damaged("its sections overlap, so that it is damaged; build it anew")
    if any(section.end > _HIGHEST for section in sections if section.is_loaded):
        raise Damaged("a section lies beyond all memory, so that it is damaged; build it anew")


def _rows(content: bytes, kind: np.dtype[np.void] | np.dtype[np.uint64]) -> Records:
    return np.frombuffer(content, kind, len(content) // kind.itemsize)


def _names(texts: bytes, offsets: NDArray[np.uint32]) -> tuple[str, ...]:
    known: dict[int, str] = {}
    left = _ALL_NAMES
    for offset in offsets.tolist():
        if offset in known:
            continue
        end = texts.find(b"\0", offset, offset + _LONGEST_NAME)
        name = texts[offset:end].decode(errors="backslashreplace") if end >= 0 else ""
        left -= len(name)
        if left < 0:
            raise Damaged("its table of names is damaged; build it anew")
        known[offset] = name
    return tuple([known[offset] for offset in offsets.tolist()])
