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
    for place, _, names in os.walk(folder, topdown=False):
        for name in names:
            file = os.path.join(place, name)  # noqa: PTH118
            if os.lstat(file).st_mtime_ns != _FILE_TIME_NS:
                os.utime(file, ns=(_FILE_TIME_NS, _FILE_TIME_NS), follow_symlinks=False)
                changed = True
        fix_time(Path(place))
    return changed


def fix_time(folder: Path) -> None:
    """Give a folder the time of all files."""
    if folder.stat().st_mtime_ns != _FILE_TIME_NS:
        os.utime(folder, ns=(_FILE_TIME_NS, _FILE_TIME_NS))
