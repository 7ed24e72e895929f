"""Files of the machine that the project file shows to builds and runs."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from sonde.core.digests import digest
from sonde.core.errors import ProjectFileError


def digest_shown(paths: Iterable[str]) -> str:
    """The digest of files by their contents, and of folders by the names, sizes and times of what is in them.

    A folder may hold a whole toolchain, so its contents are not read.
    """
    return digest({path: _describe(Path(path)) for path in paths})


def _describe(path: Path) -> object:
    try:
        if not path.is_dir():
            with path.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        return sorted(
            (str(Path(folder, name)), (found := Path(folder, name).lstat()).st_size, found.st_mtime_ns)
            for folder, _, names in os.walk(path)
            for name in names
        )
    except OSError as error:
        raise ProjectFileError(
            f"{path}: cannot be read ({error.strerror}). Fix 'readable' in [environment]."
        ) from error
