"""Removing what a subject has written, whatever it has made of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from sonde.effects.subject_files.folders import entries_of, is_folder, opened


def discard(path: Path) -> None:
    """Remove `path` and all below it, if it is there: a link itself, and folders of any depth."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(mode):
        path.unlink()
        return
    with opened(path) as folder:
        empty(folder)
    path.rmdir()


def discard_in(folder: int, name: str) -> None:
    """Remove what a name in an open folder means, and all below it."""
    try:
        os.unlink(name, dir_fd=folder)
    except IsADirectoryError:
        with opened(name, folder) as below:
            empty(below)
        os.rmdir(name, dir_fd=folder)


def empty(folder: int) -> None:
    """Remove all that an open folder holds.

    Folders further down are moved up before they are emptied. So neither the depth of a tree nor the length
    of a path matters.
    """
    waiting = list(_folders_left(folder))
    names = (f"{number}" for number in count())
    while waiting:
        name = waiting.pop()
        with opened(name, folder) as below:
            for lower in _folders_left(below):
                waiting.append(_moved_up(lower, below, folder, names))
        os.rmdir(name, dir_fd=folder)


def _folders_left(folder: int) -> Iterator[str]:
    """The folders in an open folder, after all else in it was removed."""
    for entry in entries_of(folder):
        if is_folder(entry):
            yield entry.name
        else:
            os.unlink(entry.name, dir_fd=folder)


def _moved_up(name: str, source: int, target: int, names: Iterator[str]) -> str:
    """The new name of a folder, after it was moved from one open folder to another."""
    with opened(name, source):  # without the right to write to a folder, it cannot be moved
        pass
    for free in names:
        try:
            os.stat(free, dir_fd=target, follow_symlinks=False)
        except FileNotFoundError:
            os.rename(name, free, src_dir_fd=source, dst_dir_fd=target)
            return free
    raise AssertionError("there is always another number")
