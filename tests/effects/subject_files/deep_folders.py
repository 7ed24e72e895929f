"""Folders within each other, deeper than any path can name."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sonde.effects.subject_files import discard


@contextmanager
def dug(folder: Path, levels: int, name: str = "deep") -> Iterator[None]:
    """So many folders below `folder`, and a file in the last one. All of it goes: pytest cannot remove it."""
    try:
        _dig(folder, levels, name)
        yield
    finally:
        discard(folder)


def _dig(folder: Path, levels: int, name: str) -> None:
    folder.mkdir()
    place = os.open(folder, os.O_DIRECTORY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=place)
        lower = os.open(name, os.O_DIRECTORY, dir_fd=place)
        os.close(place)
        place = lower
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=place))
    os.close(place)
