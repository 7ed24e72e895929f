"""The functions of outputs, by address."""

from __future__ import annotations

from pathlib import Path

from sonde.core.evidence import Key
from sonde.effects.binaries.damaged import Damaged
from sonde.effects.binaries.elf import Section, read_elf
from sonde.effects.binaries.extents import NOWHERE
from sonde.effects.binaries.image import Image
from sonde.effects.binaries.symbols import read_symbols


class Functions:
    """Where the functions of one output lie."""

    def __init__(self, output: str, image: Image) -> None:
        self._output = output
        self._image = image
        self._named = read_symbols(output, image).functions
        self._known: dict[int, Key | None] = {}

    def at(self, address: int) -> Key | None:
        """The key of the function at an address, or None if there is none, as in a stripped file."""
        if address not in self._known:
            self._known[address] = self._find(address)
        return self._known[address]

    def _find(self, address: int) -> Key | None:
        if not len(self._named.extents):
            return None
        number = self._named.extents.find_one(address)
        if number != NOWHERE:
            return self._named.keys[number]
        section = self._image.section_at(address)
        return Key(self._output, "", name_rest(section)) if section and section.is_code else None


def name_rest(section: Section) -> str:
    """What the snapshot calls the code of a section that no symbol covers."""
    return ".plt" if section.name.startswith(".plt") else f"{section.name} (without symbol)"


def read_functions(output: str, file: Path) -> Functions | None:
    """The functions of an output, or None if it is no ELF file that can be read."""
    try:
        return Functions(output, Image(read_elf(file.read_bytes())))
    except (Damaged, OSError):
        return None


def code_of(file: Path) -> tuple[tuple[int, int], ...]:
    """The addresses of code in an ELF file, as (begin, end)."""
    try:
        sections = read_elf(file.read_bytes()).sections
    except (Damaged, OSError):
        return ()
    return tuple((section.address, section.end) for section in sections if section.is_code)
