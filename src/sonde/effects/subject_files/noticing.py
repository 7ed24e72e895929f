"""Whether a file system keeps the time of every change to a file."""

from __future__ import annotations

import mmap
import os
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile

LONGEST_TICK_SECONDS = 0.02  # of the clock by which file systems keep times


def notices_changes(folder: Path) -> bool:
    """Whether a file in `folder` that is changed through memory (`mmap`) has another time of change.

    In a file system that lies in memory it has not: there, nobody can say what a build has changed.
    """
    return _notices_changes(folder.stat().st_dev, folder)


@cache
def _notices_changes(_device: int, folder: Path) -> bool:
    with TemporaryFile(dir=folder) as file:
        file.truncate(mmap.PAGESIZE)
        with mmap.mmap(file.fileno(), mmap.PAGESIZE) as content:
            first = content[0]  # what was read first may be written unnoticed
            before_ns = os.fstat(file.fileno()).st_ctime_ns
            time.sleep(LONGEST_TICK_SECONDS)
            content[0] = first + 1
            return os.fstat(file.fileno()).st_ctime_ns != before_ns
