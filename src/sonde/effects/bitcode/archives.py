"""Static libraries: the files that `ar` has put into one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

MAGIC, THIN_MAGIC = b"!<arch>\n", b"!<thin>\n"
_HEADER_BYTES, _END = 60, b"`\n"


def read_members(file: Path) -> Iterator[bytes]:
    """The content of each member of an archive; of a thin one, of the files that it names.

    Stops where the archive is damaged.
    """
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
            yield _read_named(file, name, names) if is_thin else body
        at = begin + (size + size % 2 if has_content else 0)


def _read_named(archive: Path, name: bytes, names: bytes) -> bytes:
    """The file that a thin archive names; nothing if it is not there."""
    if name[:1] == b"/" and name[1:].isdigit():
        name = names[int(name[1:]) :].partition(b"/\n")[0]
    member = archive.parent / name.rstrip(b"/").decode(errors="surrogateescape")
    return member.read_bytes() if member.is_file() else b""
