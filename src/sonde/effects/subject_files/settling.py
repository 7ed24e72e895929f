"""Making a folder safe to read by its paths, once nobody writes to it any more."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from sonde.effects.subject_files.folders import entries_of, is_folder, opened
from sonde.effects.subject_files.removing import discard_in

MOST_LEVELS = 64
MOST_PATH_BYTES = 3_000  # the kernel's limit of 4,096 counts the folders above, too


def settle(folder: Path) -> None:
    """Remove all below `folder` that is no plain file or folder, and what lies too deep to be named.

    A link could lead to a file of the host, and a pipe would block whoever reads it.
    """
    with opened(folder) as top:
        _settle(top, MOST_LEVELS, MOST_PATH_BYTES)


def _settle(folder: int, levels: int, size_bytes: int) -> None:
    for entry in entries_of(folder):
        left_bytes = size_bytes - len(os.fsencode(entry.name)) - 1
        if is_folder(entry) and levels and left_bytes > 0:
            with opened(entry.name, folder) as below:
                _settle(below, levels - 1, left_bytes)
        elif left_bytes <= 0 or not stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
            discard_in(folder, entry.name)
