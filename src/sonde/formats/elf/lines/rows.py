"""All line numbers of a file by address."""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from sonde.formats.damaged import Damaged
from sonde.formats.elf.file import Elf
from sonde.formats.elf.lines.cursor import CUT_OFF
from sonde.formats.elf.lines.headers import read_headers
from sonde.formats.elf.lines.programs import run_program

SECTIONS = (".debug_line", ".debug_str", ".debug_line_str")
NO_FILE = -1
_COMPRESSED = 0x800  # SHF_COMPRESSED
_ZLIB = 1  # ELFCOMPRESS_ZLIB
_COMPRESSION = struct.Struct("<IIQQ")  # kind, reserved, size, alignment


class CodeStretch(NamedTuple):
    """Code up to the next stretch. One that begins where the next one does has no code left of its own."""

    start: int  # an address
    file: int  # number in `LineRows.names`; NO_FILE: of none
    line: int  # 0: of no line


@dataclass(frozen=True)
class LineRows:
    """Stretches of code by ascending address, each of one line."""

    stretches: tuple[CodeStretch, ...]
    names: tuple[str, ...]  # paths of files; absolute where that is known

    def between(self, begin: int, end: int) -> Iterator[CodeStretch]:
        """The stretches of some code; the first one begins with it."""
        first = bisect_left(self.stretches, begin, key=_start)
        if first and (first == len(self.stretches) or self.stretches[first].start > begin):
            yield self.stretches[first - 1]._replace(start=begin)
        for stretch in islice(self.stretches, first, None):
            if stretch.start >= end:
                break
            yield stretch


def read_line_rows(elf: Elf) -> LineRows | None:
    """The line numbers of a file's code; None if it has none, or none that can be read."""
    code = [(each.address, each.end) for each in elf.sections if each.is_code]
    names: dict[str, int] = {}
    found: list[CodeStretch] = []
    try:
        content, texts, line_texts = (_content(elf, name) for name in SECTIONS)
        for header in read_headers(content, texts, line_texts):
            numbers = {file: names.setdefault(name, len(names)) for file, name in header.files.items()}
            for rows, end in run_program(header):
                # Code that the linker dropped is left at an address where no code lies.
                if any(begin <= rows[0].address and end <= behind for begin, behind in code):
                    found += (
                        CodeStretch(row.address, numbers.get(row.file, NO_FILE), row.line) for row in rows
                    )
                    found.append(CodeStretch(end, NO_FILE, 0))
    except Damaged:
        return None
    # An end comes before what begins there; beside that, rows at one address stay in their order.
    found.sort(key=lambda each: (each.start, each.file != NO_FILE))
    return LineRows(tuple(found), tuple(names)) if found else None


def _start(stretch: CodeStretch) -> int:
    return stretch.start


def _content(elf: Elf, name: str) -> bytes:
    """The bytes of a section, also of a compressed one; nothing if there is none."""
    section = elf.named(name)
    if section is None:
        return b""
    content = elf.bytes_of(section)
    if not section.flags & _COMPRESSED:
        return content
    if len(content) < _COMPRESSION.size:
        raise Damaged(CUT_OFF)
    kind, _, size, _ = _COMPRESSION.unpack_from(content)
    if kind != _ZLIB:
        raise Damaged("its debug information is compressed in a way that cannot be read here")
    unpacking = zlib.decompressobj()
    try:
        return unpacking.decompress(content[_COMPRESSION.size :], size)
    except zlib.error as error:
        raise Damaged(CUT_OFF) from error
