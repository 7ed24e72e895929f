"""Getting rid of folders that a subject has written to."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path


def make_deletable(folder: Path) -> None:
    """Let the owner write to every folder below `folder`."""
    folder.chmod(folder.stat().st_mode | stat.S_IRWXU)
    with os.scandir(folder) as entries:
        below = [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
    for path in below:
        make_deletable(path)


def discard(folder: Path) -> None:
    """Remove `folder` and all below it, be they write-protected or not there at all."""
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.is_dir():
        make_deletable(folder)
        shutil.rmtree(folder)
