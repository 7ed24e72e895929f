"""The marks that wrappers left in what they compiled: which units an output was linked from."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sonde.effects.bitcode import archives
from sonde.effects.bitcode.wrappers import MARK_SECTION
from sonde.formats.damaged import Damaged
from sonde.formats.elf.file import MAGIC, read_elf

UNNAMED = "<"  # how clang begins what it says of a file's name here


class Mark(NamedTuple):
    """A unit: the call that compiled it, and its source as the call named it."""

    call: str
    source: str  # empty: any source of the call


def read_marks(file: Path, tree: Path) -> tuple[Mark, ...] | None:
    """The units of a program, a library or an object file, each once; None if it is nothing of the kind.

    Files that it names are read if they lie below `tree`.
    """
    with file.open("rb") as stream:
        begin = stream.read(8)
    if begin in (archives.MAGIC, archives.THIN_MAGIC):
        members = [_marks_in(member) for member in archives.read_members(file, tree)]
        return tuple(dict.fromkeys(mark for marks in members for mark in marks))
    return tuple(dict.fromkeys(_marks_in(file.read_bytes()))) if begin.startswith(MAGIC) else None


def _marks_in(content: bytes) -> list[Mark]:
    if not content.startswith(MAGIC):
        return []
    try:
        elf = read_elf(content)
    except Damaged:
        return []
    section = elf.named(MARK_SECTION)
    texts = elf.bytes_of(section).split(b"\0") if section is not None else []
    marks = (text.decode(errors="surrogateescape").partition(":") for text in texts if text)
    return [Mark(call, "" if source.startswith(UNNAMED) else source) for call, _, source in marks]
