"""Removes folders that a subject has written to."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path


def discard(folder: Path) -> None:
    """Remove a folder with all that is in it, even where it was made read-only."""
    if folder.exists():
        shutil.rmtree(folder, onerror=_mend)


def _mend(function: Callable[[str], object], path: str, _error: object) -> None:
    for blocked in (Path(path).parent, Path(path)):
        if blocked.is_dir() and not blocked.is_symlink():
            blocked.chmod(0o700)
    if Path(path).is_dir() and not Path(path).is_symlink():
        shutil.rmtree(path, onerror=_mend)  # could not be listed before, and now it can
    else:
        function(path)
