"""Leaving nothing in a work tree but the files that git wrote."""

from __future__ import annotations

import os
from collections.abc import Iterable, Set
from pathlib import Path

from sonde.effects.subject_files.folders import entries_of, is_folder, opened
from sonde.effects.subject_files.removing import discard_in

MOST_LEVELS = 64  # what lies deeper is removed, and written again


def keep_only(tree: Path, names: Set[str], since_ns: int) -> None:
    """Remove all below `tree` except the files of these names that were not changed at or after a time.

    Names are paths below the tree. Whoever changes a file can choose its time of writing, but not its time
    of change, which the kernel keeps.
    """
    with opened(tree) as folder:
        _keep_only(folder, "", names, _folders_of(names), since_ns)


def _keep_only(folder: int, prefix: str, names: Set[str], folders: Set[str], since_ns: int) -> None:
    for entry in entries_of(folder):
        name = f"{prefix}{entry.name}"
        if not is_folder(entry):
            is_kept = name in names and entry.stat(follow_symlinks=False).st_ctime_ns < since_ns
            if not is_kept:
                os.unlink(entry.name, dir_fd=folder)
        elif name in folders:
            with opened(entry.name, folder) as below:
                _keep_only(below, f"{name}/", names, folders, since_ns)
        else:
            discard_in(folder, entry.name)


def _folders_of(names: Iterable[str]) -> frozenset[str]:
    """The folders in which the files lie, and those above; without those that are too deep to hold open."""
    found: set[str] = set()
    for name in names:
        parent = name.rpartition("/")[0]
        while parent and parent not in found:
            found.add(parent)
            parent = parent.rpartition("/")[0]
    return frozenset(name for name in found if name.count("/") < MOST_LEVELS)
