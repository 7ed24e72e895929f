"""The code of a build: what is equal for builds that do the same, wherever the linker put it."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from pathlib import Path

from sonde.core.digests import digest
from sonde.core.evidence import Language, Snapshot
from sonde.core.records import SNAPSHOT_FORMAT, Fingerprint


def fingerprint_code(snapshot: Snapshot, folder: Path, names: Iterable[str]) -> Fingerprint | None:
    """Equal for builds that execute the same instructions; None where that cannot be told.

    Where data lie in their pages counts: string functions of the C library take more steps near an end.
    Python compiles what it reads, so a comment costs instructions.
    """
    if set(snapshot.languages.values()) != {Language.MACHINE}:
        return None
    executable = [name for name in names if (folder / name).stat().st_mode & stat.S_IXUSR]
    return Fingerprint(digest(SNAPSHOT_FORMAT, snapshot.fingerprint, snapshot.layout, sorted(executable)))
