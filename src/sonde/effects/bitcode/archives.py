"""Static libraries: the files that `ar` has put into one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

MAGIC, THIN_MAGIC = b"!<arch>\n", b"!<thin>\n"
_HEADER_BYTES, _END = 60, b"`\n"


def read_members(file: Path, tree: Path) -> Iterator[bytes]:
    """The content of each member of an archive; of a thin one, of the files below `tree` that it names.

    Stops where the archive is damaged.
    """
    seen: set[Path] = set()  # a file that is named again and again is read once
    content = file.read_bytes()
    is_thin = content.startswith(THIN_MAGIC)
    names, at = b"", len(MAGIC)
    while at + _HEADER_BYTES <= len(content):
        header = content[at : at + _HEADER_BYTES]
        name, size_text = header[:16].rstrip(), header[48:58].strip()
        if header[58:] != _END or not size_text.isdigit():
            return
        size, begin = int(size_text), at + _HEADER_BYTES
        is_table = name in (b"/", b"//", b"/SYM64/")
        has_content = is_table or not is_thin
        body = content[begin : begin + size] if has_content else b""
        if name == b"//":
            names = body
        elif not is_table:
            yield _read_named(file, name, names, tree, seen) if is_thin else body
        at = begin + (size + size % 2 if has_content else 0)


def _read_named(archive: Path, name: bytes, names: bytes, tree: Path, seen: set[Path]) -> bytes:
    """The file that a thin archive names; nothing if it is not there, or lies elsewhere on the machine."""
    if name[:1] == b"/" and name[1:].isdigit():
        name = names[int(name[1:]) :].partition(b"/\n")[0]
    member = archive.parent / name.rstrip(b"/").decode(errors="surrogateescape")
    try:
        real = Path(os.path.realpath(member))
        if real in seen or not real.is_relative_to(os.path.realpath(tree)) or not real.is_file():
            return b""
        seen.add(real)
        return real.read_bytes()
    except (OSError, ValueError):  # such as a name with a zero byte
        return b""
