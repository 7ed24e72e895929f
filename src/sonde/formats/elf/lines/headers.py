"""The head of a line number program: how to decode it, and the files that it names (DWARF 2 to 5)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sonde.formats.damaged import Damaged
from sonde.formats.elf.lines.cursor import CUT_OFF, Cursor

_PATH, _FOLDER = 1, 2  # DW_LNCT_path, DW_LNCT_directory_index
# DW_FORM_...: how long a value is; the others say it themselves.
_FIXED = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1E: 16, 0x0C: 1}
_BLOCKS = {0x0A: 1, 0x03: 2, 0x04: 4}  # bytes of the length in front of a block
_TEXT, _STRP, _LINE_STRP, _UDATA, _BLOCK = 0x08, 0x0E, 0x1F, 0x0F, 0x09
_LONG = 0xFFFFFFFF  # begins a length of 64 bits


@dataclass(frozen=True)
class LineProgramHeader:
    """What the program needs to be decoded."""

    version: int
    shortest: int  # bytes of the shortest instruction
    line_base: int
    line_range: int
    opcode_base: int
    operands: tuple[int, ...]  # how many each standard opcode has
    files: Mapping[int, str]  # by their numbers; paths as far as they are known
    program: Cursor


def read_headers(content: bytes, texts: bytes, line_texts: bytes) -> Iterator[LineProgramHeader]:
    """Each unit of `.debug_line`; the others are `.debug_str` and `.debug_line_str`."""
    at = 0
    while at + 4 <= len(content):
        start = Cursor(content, at, len(content))
        length, width = start.number(4), 4
        if length == _LONG:
            length, width = start.number(8), 8
        unit = Cursor(content, start.at, start.at + length)
        at = unit.end
        version = unit.number(2)
        if 2 <= version <= 5:
            yield _read_header(unit, version, width, (texts, line_texts))


def _read_header(unit: Cursor, version: int, width: int, texts: tuple[bytes, bytes]) -> LineProgramHeader:
    if version >= 5:
        unit.skip(2)  # sizes of addresses and of segments
    length = unit.number(width)
    program = Cursor(unit.content, unit.at + length, unit.end)
    shortest = unit.number(1)
    unit.skip(
        2 if version >= 4 else 1
    )  # of wide instructions, which x86 has not; whether rows are statements
    line_base = unit.number(1)
    line_range, opcode_base = unit.number(1), unit.number(1)
    if not line_range or not opcode_base:
        raise Damaged(CUT_OFF)
    operands = tuple([unit.number(1) for _ in range(opcode_base - 1)])
    files = _files_of_5(unit, width, texts) if version >= 5 else _files_before_5(unit)
    base = line_base - 256 if line_base > 127 else line_base
    return LineProgramHeader(version, shortest, base, line_range, opcode_base, operands, files, program)


def _files_before_5(unit: Cursor) -> dict[int, str]:
    """Files count from 1; folder 0 is where the compiler ran, which only other sections say."""
    folders = [""]
    while folder := unit.text():
        folders.append(folder)
    files: dict[int, str] = {}
    while name := unit.text():
        number = unit.variable()
        unit.variable()
        unit.variable()
        files[len(files) + 1] = _joined(folders[number] if number < len(folders) else "", name)
    return files


def _files_of_5(unit: Cursor, width: int, texts: tuple[bytes, bytes]) -> dict[int, str]:
    """Files count from 0; folder 0 is where the compiler ran, and others may be relative to it."""
    folders = [str(each.get(_PATH, "")) for each in _entries(unit, width, texts)]
    home = folders[0] if folders else ""
    files: dict[int, str] = {}
    for number, each in enumerate(_entries(unit, width, texts)):
        folder = int(each.get(_FOLDER, 0))
        below = folders[folder] if folder < len(folders) else ""
        files[number] = _joined(_joined(home, below), str(each.get(_PATH, "")))
    return files


def _entries(unit: Cursor, width: int, texts: tuple[bytes, bytes]) -> list[dict[int, str | int]]:
    """Rows of a table that says itself what it holds."""
    kinds = [(unit.variable(), unit.variable()) for _ in range(unit.number(1))]
    count = unit.variable()
    if count > unit.end - unit.at or not kinds:
        if count:
            raise Damaged(CUT_OFF)
        return []
    return [{kind: _value(unit, form, width, texts) for kind, form in kinds} for _ in range(count)]


def _value(unit: Cursor, form: int, width: int, texts: tuple[bytes, bytes]) -> str | int:
    if form == _TEXT:
        return unit.text()
    if form in (_STRP, _LINE_STRP):
        section = texts[form == _LINE_STRP]
        return Cursor(section, unit.number(width), len(section)).text()
    if form == _UDATA:
        return unit.variable()
    if form in _FIXED:
        return unit.number(_FIXED[form])
    if form in _BLOCKS:
        unit.skip(unit.number(_BLOCKS[form]))
        return 0
    if form == _BLOCK:
        unit.skip(unit.variable())
        return 0
    raise Damaged(CUT_OFF)


def _joined(folder: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(folder, name)) if folder else posixpath.normpath(name)
