"""Leaving nothing in a work tree but the files that git wrote."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Set
from pathlib import Path

from sonde.effects.subject_files.folders import entries_of, is_folder, opened
from sonde.effects.subject_files.removing import discard_in

MOST_LEVELS = 64  # what lies deeper is removed, and written again
FOLDER_MODE = 0o755  # as git makes them
_OF_THE_MACHINE = "security."  # attributes that the kernel gives, such as labels


def keep_only(tree: Path, names: Set[str], since_ns: int) -> None:
    """Remove all below `tree` except the files of these names that were not changed at or after a time.

    Names are paths below the tree. Whoever changes a file can choose its time of writing, but not its time
    of change, which the kernel keeps. Folders get the permissions and attributes of new ones: those of a
    folder decide which permissions the files have that are made in it.
    """
    with opened(tree) as folder:
        _keep_only(folder, "", names, _folders_of(names), since_ns)


def _keep_only(folder: int, prefix: str, names: Set[str], folders: Set[str], since_ns: int) -> None:
    _make_plain(folder)
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


def _make_plain(folder: int) -> None:
    """Give an open folder the permissions and attributes of a new one."""
    for name in _attributes(folder):
        if not name.startswith(_OF_THE_MACHINE):
            os.removexattr(folder, name)
    if stat.S_IMODE(os.fstat(folder).st_mode) != FOLDER_MODE:  # after the attributes, which can change it
        os.fchmod(folder, FOLDER_MODE)


def _attributes(folder: int) -> list[str]:
    try:
        return os.listxattr(folder)
    except OSError as error:
        if error.errno != errno.ENOTSUP:
            raise
        return []


def _folders_of(names: Iterable[str]) -> frozenset[str]:
    """The folders in which the files lie, and those above; without those that are too deep to hold open."""
    found: set[str] = set()
    for name in names:
        parent = name.rpartition("/")[0]
        while parent and parent not in found:
            found.add(parent)
            parent = parent.rpartition("/")[0]
    return frozenset(name for name in found if name.count("/") < MOST_LEVELS)
