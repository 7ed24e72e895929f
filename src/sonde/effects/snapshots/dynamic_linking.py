"""Which shared libraries an ELF file needs, and where it looks for them."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

_MAGIC = b"\x7fELF"
_PROGRAM_LOAD, _PROGRAM_DYNAMIC = 1, 2
_END, _NEEDED, _STRINGS, _RPATH, _RUNPATH = 0, 1, 5, 15, 29
_MOST_ENTRIES = 10_000  # a damaged file must not keep us busy


@dataclass(frozen=True)
class DynamicLinking:
    """The libraries that a program or library needs, and its own search path."""

    needed: tuple[str, ...] = ()
    search_path: tuple[str, ...] = ()  # from DT_RPATH and DT_RUNPATH; `$ORIGIN` is the file's own folder


NONE = DynamicLinking()


def read_dynamic_linking(file: Path) -> DynamicLinking:
    """What a 64-bit little-endian ELF file needs; nothing for any other file, or one that is damaged."""
    with file.open("rb") as stream:
        if stream.read(6) != _MAGIC + b"\x02\x01":
            return NONE
        stream.seek(0)
        content = stream.read()
    try:
        return _read(content)
    except (struct.error, ValueError, StopIteration, OverflowError):  # offsets beyond what can be read
        return NONE


def _read(content: bytes) -> DynamicLinking:
    table_at, entry_size, entries = (
        *struct.unpack_from("<Q", content, 32),
        *struct.unpack_from("<HH", content, 54),
    )
    loads: list[tuple[int, int, int]] = []  # address, size, offset
    dynamic: tuple[int, int] | None = None
    for number in range(entries):
        at = table_at + number * entry_size
        kind, _, offset, address, _, size = struct.unpack_from("<IIQQQQ", content, at)
        if kind == _PROGRAM_LOAD:
            loads.append((address, size, offset))
        elif kind == _PROGRAM_DYNAMIC:
            dynamic = (offset, size)
    if dynamic is None:
        return NONE
    tags = _tags(content, *dynamic)
    strings = next((value for tag, value in tags if tag == _STRINGS), None)
    if strings is None:
        return NONE
    base = next(
        offset + strings - address for address, size, offset in loads if address <= strings < address + size
    )

    def text(at: int) -> str:
        return content[base + at : content.index(b"\0", base + at)].decode()

    needed = tuple(text(value) for tag, value in tags if tag == _NEEDED)
    paths = [text(value) for tag, value in tags if tag in (_RPATH, _RUNPATH)]
    return DynamicLinking(needed, tuple(folder for path in paths for folder in path.split(":") if folder))


def _tags(content: bytes, offset: int, size: int) -> list[tuple[int, int]]:
    tags = []
    for number in range(min(size // 16, _MOST_ENTRIES)):
        tag, value = struct.unpack_from("<QQ", content, offset + number * 16)
        if tag == _END:
            break
        tags.append((tag, value))
    return tags
