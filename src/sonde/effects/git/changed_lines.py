"""Which lines differ between two revisions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

DIFF_WORDS = (
    *("diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"),
    *("--ignore-submodules", "--src-prefix=a/", "--dst-prefix=b/", "--text"),
)
_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True)
class ChangedLines:
    """Lines, each pair being the first and the last one of a row, by the path of their file."""

    old: Mapping[str, tuple[tuple[int, int], ...]]
    new: Mapping[str, tuple[tuple[int, int], ...]]


def parse_diff(output: bytes) -> ChangedLines:
    """What git prints for DIFF_WORDS."""
    old: dict[str, list[tuple[int, int]]] = {}
    new: dict[str, list[tuple[int, int]]] = {}
    before = after = ""
    left_old = left_new = 0  # lines of the current hunk, which may look like headers
    for line in output.split(b"\n"):
        if line.startswith(b"-") and left_old:
            left_old -= 1
        elif line.startswith(b"+") and left_new:
            left_new -= 1
        elif line.startswith(b"--- "):
            before = _path(line)
        elif line.startswith(b"+++ "):
            after = _path(line)
        elif found := _HUNK.match(line):
            first, count, new_first, new_count = (1 if g is None else int(g) for g in found.groups())
            left_old, left_new = count, new_count
            if count:
                old.setdefault(before, []).append((first, first + count - 1))
            if new_count:
                new.setdefault(after, []).append((new_first, new_first + new_count - 1))
    return ChangedLines(
        {path: tuple(rows) for path, rows in old.items()}, {path: tuple(rows) for path, rows in new.items()}
    )


def _path(line: bytes) -> str:
    """The path of a header; git quotes letters beyond ASCII, and ends a path with blanks by a tab."""
    text = line[4:].rstrip(b"\t\r").decode(errors="surrogateescape")
    if text.startswith('"'):
        text = text.strip('"').encode("latin-1", "replace").decode("unicode_escape")
        text = text.encode("latin-1", "replace").decode(errors="replace")
    return text.partition("/")[2] if text != "/dev/null" else ""
