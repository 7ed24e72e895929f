"""Build outputs on disk, by fingerprint: twins share one copy; the least recently used go first."""

from __future__ import annotations

import os
import threading
from collections.abc import Set
from pathlib import Path

from sonde.core.records import Fingerprint
from sonde.effects.builds.outputs import (
    NoOutputs,
    Outputs,
    copy_outputs,
    find_outputs,
    fingerprint_outputs,
)
from sonde.effects.subject_files import discard


class BuildCache:
    """A folder of build outputs with a size limit."""

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        self._folder = folder
        self._limit_bytes = limit_bytes
        self._verified: set[Fingerprint] = set()
        self._lock = threading.Lock()  # slots add their builds at the same time

    def find(self, fingerprint: Fingerprint) -> Path | None:
        """Where the outputs lie, or None if they were pruned or damaged. Finding counts as using."""
        folder = self._folder / fingerprint
        if not folder.is_dir():
            return None
        if fingerprint not in self._verified:  # a power cut may have emptied what was not yet on disk
            outputs = find_outputs(folder, ["*"])
            if isinstance(outputs, NoOutputs) or fingerprint_outputs(folder, outputs)[0] != fingerprint:
                discard(folder)
                return None
            self._verified.add(fingerprint)
        os.utime(folder)
        return folder

    def add(self, fingerprint: Fingerprint, tree: Path, outputs: Outputs) -> Path:
        """Keep the outputs of a build; where they lie."""
        folder = self._folder / fingerprint
        with self._lock:
            if not folder.is_dir():
                unfinished = self._folder / f"unfinished-{fingerprint}"
                discard(unfinished)
                unfinished.mkdir(parents=True)
                copy_outputs(tree, outputs, unfinished)
                unfinished.rename(folder)  # whole or not there, whenever we are killed
                self._verified.add(fingerprint)
            os.utime(folder)
        return folder

    def prune(self, keep: Set[Fingerprint] = frozenset(), limit_bytes: int | None = None) -> int:
        """Remove what is over the limit, never what `keep` names; how many bytes became free."""
        limit = self._limit_bytes if limit_bytes is None else limit_bytes
        with self._lock:
            for leftover in self._folder.glob("unfinished-*"):
                discard(leftover)
            sizes = {folder: size_of(folder) for folder in self._oldest_first()}
            total, freed = sum(sizes.values()), 0
            for folder, size in sizes.items():
                if total - freed <= limit:
                    break
                if folder.name not in keep:
                    discard(folder)
                    freed += size
        return freed

    def size_bytes(self) -> int:
        """What all outputs take on disk."""
        return sum(size_of(folder) for folder in self._oldest_first())

    def _oldest_first(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        return sorted(self._folder.iterdir(), key=lambda folder: folder.stat().st_mtime_ns)


def size_of(folder: Path) -> int:
    """The bytes of all files below a folder."""
    return sum((Path(place) / name).lstat().st_size for place, _, names in os.walk(folder) for name in names)
