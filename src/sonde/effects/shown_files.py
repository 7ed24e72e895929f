"""Files of the machine that the project file shows to builds and runs."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from sonde.core.digests import digest
from sonde.core.errors import ProjectFileError


def digest_shown(paths: Iterable[str]) -> str:
    """The digest of files by their contents, and of folders by the names, sizes and times of what is in them.

    A folder may hold a whole toolchain, so its contents are not read. Pipes, sockets and devices are never
    opened: what is in them is for the benchmark.
    """
    return digest({path: _describe(Path(path)) for path in paths})


def _describe(path: Path) -> object:
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            return sorted(_entries(path))
        if not stat.S_ISREG(found.st_mode):
            return [stat.S_IFMT(found.st_mode), found.st_rdev]
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ProjectFileError(
            f"{path}: cannot be read ({error.strerror}). Fix 'readable' in [environment]."
        ) from error


def _entries(path: Path) -> Iterator[tuple[str, int, int]]:
    """All below a folder; the times of a pipe or a device are those of its last use."""
    for folder, _, names in os.walk(path):
        for name in names:
            place = Path(folder, name)
            found = place.lstat()
            is_kept = stat.S_ISREG(found.st_mode) or stat.S_ISLNK(found.st_mode)
            yield (str(place), *((found.st_size, found.st_mtime_ns) if is_kept else (0, 0)))
