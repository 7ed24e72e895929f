"""Folders within each other, deeper than any path can name."""

import os
from pathlib import Path


def dig(folder: Path, levels: int) -> None:
    """Make so many folders below `folder`, and a file in the last one."""
    folder.mkdir()
    place = os.open(folder, os.O_DIRECTORY)
    for _ in range(levels):
        os.mkdir("deep", dir_fd=place)
        lower = os.open("deep", os.O_DIRECTORY, dir_fd=place)
        os.close(place)
        place = lower
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=place))
    os.close(place)
