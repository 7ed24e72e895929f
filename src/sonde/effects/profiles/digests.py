"""Digests of files of the machine, each read once."""

from __future__ import annotations

import hashlib
import stat
from functools import lru_cache
from pathlib import Path

MISSING = ""  # the digest of a file that cannot be read any more


def digest_file(file: Path) -> str:
    """SHA-256 of its bytes, or MISSING; so is what is no plain file, since a profile may name anything."""
    try:
        state = file.stat()
        if not stat.S_ISREG(state.st_mode):
            return MISSING
        # Not the time of its content, which Sonde fixes for its own files.
        return _digest(file, state.st_ino, state.st_size, state.st_ctime_ns)
    except OSError:
        return MISSING


@lru_cache(maxsize=4096)
def _digest(file: Path, node: int, size_bytes: int, changed_ns: int) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
