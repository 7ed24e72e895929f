"""Folders that are held open, so that a name in them cannot lead elsewhere."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def opened(name: str | Path, within: int | None = None) -> Iterator[int]:
    """A descriptor of a folder that its owner may change; raises OSError if the name is a link or a file.

    Permissions are changed through the descriptor, which stands for the folder whatever its name means.
    """
    place = os.open(name, os.O_PATH | _FOLDER, dir_fd=within)
    try:
        mode = os.fstat(place).st_mode
        if mode & stat.S_IRWXU != stat.S_IRWXU:
            os.chmod(f"/proc/self/fd/{place}", stat.S_IMODE(mode) | stat.S_IRWXU)  # noqa: PTH101
        folder = os.open(".", _FOLDER, dir_fd=place)
    finally:
        os.close(place)
    try:
        yield folder
    finally:
        os.close(folder)


def entries_of(folder: int) -> list[os.DirEntry[str]]:
    """What an open folder holds."""
    with os.scandir(folder) as entries:
        return list(entries)


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder, and no link to one."""
    return entry.is_dir(follow_symlinks=False)


def make_folders(tree: Path, name: str) -> None:
    """Make the folder `name` below `tree`, with those above it; raises OSError where a link is in the way."""
    first, _, rest = name.partition("/")
    with opened(tree) as folder:
        _make_folders(folder, first, rest)


def _make_folders(folder: int, first: str, rest: str) -> None:
    with suppress(FileExistsError):
        os.mkdir(first, dir_fd=folder)
    with opened(first, folder) as below:
        if rest:
            next_one, _, last = rest.partition("/")
            _make_folders(below, next_one, last)
