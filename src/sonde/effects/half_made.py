"""Folders of what is not finished, which the next Sonde removes if ours is killed, and only then."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sonde.effects.subject_files import discard

_PREFIX = "new-"


@contextmanager
def new_folder(parent: Path) -> Iterator[Path]:
    """A folder in `parent` that is gone afterwards; the kernel knows that it is in use while we live."""
    while True:
        with tempfile.TemporaryDirectory(dir=parent, prefix=_PREFIX, ignore_cleanup_errors=True) as name:
            held = _held(Path(name), fcntl.LOCK_EX)
            if held is None:  # taken for a leftover before it was held
                continue
            try:
                yield Path(name)
            finally:
                os.close(held)
            return


def remove_leftovers(parent: Path) -> None:
    """Remove such folders whose process has ended."""
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(BlockingIOError):
            held = _held(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if held is not None:
                discard(folder)
                os.close(held)


def _held(folder: Path, how: int) -> int | None:
    """A descriptor that holds the folder, or None if it is there no more. Raises BlockingIOError."""
    try:
        found = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(found, how)
    except BlockingIOError:
        os.close(found)
        raise
    if os.fstat(found).st_nlink:
        return found
    os.close(found)
    return None
