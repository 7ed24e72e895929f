"""The functions of outputs, by address."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np

from sonde.core.evidence import Key
from sonde.formats.compiled_functions.gaps import with_gaps
from sonde.formats.compiled_functions.stubs import STUBS
from sonde.formats.damaged import Damaged
from sonde.formats.elf.extents import NOWHERE
from sonde.formats.elf.file import read_elf
from sonde.formats.elf.image import Image
from sonde.formats.elf.symbols import read_symbols


class Functions:
    """Where the functions of one output lie."""

    def __init__(self, output: str, image: Image) -> None:
        self._output = output
        self._image = image
        self._named = with_gaps(output, image, read_symbols(output, image).functions)
        self._known: dict[int, Key | None] = {}
        self._begins: dict[Key, int] = {}
        for key, start in zip(self._named.keys, self._named.extents.starts.tolist(), strict=True):
            self._begins.setdefault(key, start)

    def learn(self, addresses: Collection[int]) -> None:
        """Find what lies at many addresses at once, which is faster than one by one."""
        new = [address for address in addresses if address not in self._known]
        numbers = self._named.extents.find(np.array(new, np.int64)).tolist()
        for address, number in zip(new, numbers, strict=True):
            self._known[address] = self._named.keys[number] if number != NOWHERE else self._stub(address)

    def at(self, address: int) -> Key | None:
        """The key of the function at an address, as the snapshot has it, or None if it has none."""
        if address not in self._known:
            self.learn([address])
        return self._known[address]

    def offset(self, key: Key, address: int) -> int | None:
        """How far an address lies behind the beginning of its function; None in a stub, which has none."""
        begin = self._begins.get(key)
        return None if begin is None else address - begin

    def extents(self) -> Iterator[tuple[Key, int, int]]:
        """Each function with the addresses of its code, as (begin, end); one may have several."""
        starts, ends = self._named.extents.starts.tolist(), self._named.extents.ends.tolist()
        yield from zip(self._named.keys, starts, ends, strict=True)

    def _stub(self, address: int) -> Key | None:
        section = self._image.section_at(address)
        return Key(self._output, "", section.name) if section and section.name in STUBS else None


def read_functions(output: str, file: Path) -> Functions | None:
    """The functions of an output, or None if it is no ELF file that can be read, or has no symbols."""
    try:
        image = Image(read_elf(file.read_bytes()))
    except (Damaged, OSError):
        return None
    return Functions(output, image) if len(image.elf.symbols.rows) else None


def code_of(file: Path) -> tuple[tuple[int, int], ...]:
    """The addresses of code in an ELF file, as (begin, end)."""
    try:
        sections = read_elf(file.read_bytes()).sections
    except (Damaged, OSError):
        return ()
    return tuple((section.address, section.end) for section in sections if section.is_code)
