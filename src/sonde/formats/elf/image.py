"""An ELF file as it lies in memory: bytes by address, and the pointers that a loader fills in."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sonde.formats.elf.extents import NOWHERE, Extents, Integers
from sonde.formats.elf.file import EXECUTABLE, Elf, Section
from sonde.formats.elf.symbol_versions import read_symbol_versions

_DIRECT, _COPY, _GLOBAL, _JUMP, _RELATIVE, _RESOLVED = 1, 5, 6, 7, 8, 37  # R_X86_64_64 ... R_X86_64_IRELATIVE
_UNDEFINED = 0
_NO_POINTERS_IN = (".eh_frame", ".eh_frame_hdr", ".gcc_except_table", ".interp", ".dynamic")


@dataclass(frozen=True)
class Slots:
    """Eight bytes each that hold an address: a target, or NOWHERE and in words what it will be."""

    at: Integers  # ascending
    targets: Integers
    meanings: tuple[str, ...]  # `import:NAME@VERSION+ADDEND`, `resolver:ADDRESS`, or empty


class Image:
    """The loaded sections of a file."""

    def __init__(self, elf: Elf) -> None:
        loaded = [each for each in elf.sections if each.is_loaded and each.size and each.address]
        self.elf = elf
        self.sections: tuple[Section, ...] = tuple(_one_at_each_address(loaded))
        self.extents = Extents.of([(each.address, each.end) for each in self.sections])

    def section_at(self, address: int) -> Section | None:
        """The section that an address lies in."""
        number = self.extents.find_one(address)
        return None if number == NOWHERE else self.sections[number]

    def read(self, address: int, size: int) -> bytes:
        """Up to `size` bytes at an address, not beyond its section; zeros stay away."""
        section = self.section_at(address)
        if section is None or section.is_zero:
            return b""
        begin = section.offset + address - section.address
        return self.elf.content[begin : min(begin + size, section.offset + section.size)]

    @property
    def is_fixed(self) -> bool:
        """Whether addresses are built into the code."""
        return self.elf.kind == EXECUTABLE

    @cached_property
    def versions(self) -> tuple[str, ...]:
        """What follows the name of each dynamic symbol."""
        return read_symbol_versions(self.elf)

    @cached_property
    def slots(self) -> Slots:
        """All pointers in data, whether relocated or, in a program at a fixed address, only looking so."""
        found: dict[int, tuple[int, str]] = self._values_like_addresses() if self.is_fixed else {}
        symbols = self.elf.dynamic_symbols
        values, homes = symbols.rows["value"].tolist(), symbols.rows["section"].tolist()
        rows = self.elf.relocations
        columns = (rows[name].tolist() for name in ("at", "kind", "symbol", "addend"))
        for at, kind, symbol, addend in zip(*columns, strict=True):
            if kind == _RELATIVE:
                found[at] = (addend, "")
            elif kind == _RESOLVED:
                found[at] = (NOWHERE, f"resolver:{addend}")
            elif symbol < len(values) and symbol:
                name = symbols.names[symbol] + self.versions[symbol]
                if kind in (_DIRECT, _GLOBAL) and homes[symbol] != _UNDEFINED:
                    found[at] = (values[symbol] + addend, "")
                elif kind in (_DIRECT, _GLOBAL, _JUMP, _COPY):
                    found[at] = (NOWHERE, f"import:{name}+{addend}" if addend else f"import:{name}")
                else:
                    found[at] = (NOWHERE, f"relocation {kind}:{name}+{addend}")
            else:
                found[at] = (NOWHERE, f"relocation {kind}:{addend}")
        for at in self.elf.packed_relocations:
            found[at] = (int.from_bytes(self.read(at, 8), "little"), "")
        ordered = sorted(found)
        ordered = [at for at in ordered if at < 1 << 62]
        targets = [found[at][0] if 0 <= found[at][0] < 1 << 62 else NOWHERE for at in ordered]
        meanings = tuple([found[at][1] for at in ordered])
        return Slots(np.array(ordered, np.int64), np.array(targets, np.int64), meanings)

    def _values_like_addresses(self) -> dict[int, tuple[int, str]]:
        found: dict[int, tuple[int, str]] = {}
        for section in self.sections:
            if section.is_code or section.is_zero or section.name in _NO_POINTERS_IN or section.address % 8:
                continue
            content = self.elf.bytes_of(section)
            words = np.frombuffer(content, "<u8", len(content) // 8)
            near = np.flatnonzero((words > 0) & (words < 1 << 62))
            values = words[near].astype(np.int64)
            inside = self.extents.find(values) != NOWHERE
            for at, value in zip(near[inside].tolist(), values[inside].tolist(), strict=True):
                found[section.address + 8 * at] = (value, "")
        return found

    @cached_property
    def _slot_addresses(self) -> list[int]:
        return list(self.slots.at.tolist())

    def slots_between(self, begin: int, end: int) -> range:
        """Numbers of the slots that begin in a stretch of memory."""
        return range(bisect_left(self._slot_addresses, begin), bisect_left(self._slot_addresses, end))


def _one_at_each_address(sections: list[Section]) -> list[Section]:
    largest: dict[int, Section] = {}
    for section in sections:
        known = largest.get(section.address)
        if known is None or known.size < section.size:
            largest[section.address] = section
    return [largest[address] for address in sorted(largest)]
