"""Patterns of input files, as `Path.glob` takes them, on names of a revision instead of files on disk."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath


def is_named(name: str, pattern: str) -> bool:
    """Whether a pattern names a file, or a folder above it: a folder stands for all files in it."""
    return _matches(PurePosixPath(name).parts, PurePosixPath(pattern).parts)


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    if not pattern:
        return True
    if pattern[0] == "**":
        return any(_matches(parts[skipped:], pattern[1:]) for skipped in range(len(parts)))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])
