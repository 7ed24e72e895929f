"""The times of the files of a work tree."""

from __future__ import annotations

import os
from pathlib import Path

from sonde.effects.fixed_time import FIXED_TIME_SECONDS

# All files are equally old, as in a release that was unpacked. Make then takes a committed `configure` to be
# as new as its source, whatever the order in which git wrote them, and archives of equal files are equal.
_FILE_TIME_NS = FIXED_TIME_SECONDS * 10**9


def fix_times(folder: Path) -> bool:
    """Give everything below `folder` the same time; whether a file had another one."""
    changed = False
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                changed |= fix_times(Path(entry.path))
            elif entry.stat(follow_symlinks=False).st_mtime_ns != _FILE_TIME_NS:
                os.utime(entry.path, ns=(_FILE_TIME_NS, _FILE_TIME_NS), follow_symlinks=False)
                changed = True
    fix_time(folder)
    return changed


def fix_time(folder: Path) -> None:
    """Give a folder the time of all files."""
    if folder.stat().st_mtime_ns != _FILE_TIME_NS:
        os.utime(folder, ns=(_FILE_TIME_NS, _FILE_TIME_NS))


def remove_changed(folder: Path, since_ns: int) -> None:
    """Remove the files below `folder` that were made or changed at or after a time.

    Whoever changes a file can choose its time of writing, but not its time of change, which the kernel keeps.
    """
    with os.scandir(folder) as entries:
        found = list(entries)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            remove_changed(Path(entry.path), since_ns)
        elif entry.stat(follow_symlinks=False).st_ctime_ns >= since_ns:
            Path(entry.path).unlink()
