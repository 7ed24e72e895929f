"""Bitcode on disk: units by their digests, and of which of them builds consist."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any

from sonde.effects.bitcode.values import Bitcode, Skipped, UnitFile
from sonde.effects.subject_files import discard


class BitcodeCache:
    """A folder of bitcode with a size limit; what is not used for longest goes first."""

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        self._folder = folder
        self._limit_bytes = limit_bytes
        self._lock = threading.Lock()  # several builds are looked at at the same time

    @property
    def units(self) -> Path:
        """Where the units lie; each below the first two letters of its digest."""
        return self._folder / "units"

    def new_folder(self, name: str) -> Path:
        """An empty folder for what is being made; a killed Sonde's is removed by the next one."""
        folder = self.new_place(name)
        discard(folder)
        folder.mkdir(parents=True)
        return folder

    def new_place(self, name: str) -> Path:
        """Where the new folder of a name is."""
        return self._folder / f"new-{name}"

    def place(self, digest: str) -> Path:
        """Where a unit lies, or would lie."""
        return self.units / digest[:2] / f"{digest}.bc"

    def take(self, digest: str, new: Path) -> Path:
        """Keep a unit that was made, unless it is known; where it lies."""
        place, made = self.place(digest), new / f"{digest}.bc"
        with self._lock:
            if made.exists() and not place.exists():  # what compiles one unit could write another
                place.parent.mkdir(parents=True, exist_ok=True)
                made.chmod(0o444)
                made.rename(place)  # whole or not there, whenever we are killed
        return place

    def find(self, key: str) -> Bitcode | None:
        """What is known of a build; None if nothing is, or some of it was pruned. Finding counts as using."""
        try:
            content: dict[str, Any] = json.loads(self._manifest(key).read_text())
            outputs = {
                name: tuple(self._found(*unit) for unit in units)
                for name, units in content["outputs"].items()
            }
            skipped = tuple(Skipped(*each) for each in content["skipped"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        bitcode = Bitcode(outputs, skipped)
        for path in (self._manifest(key), *(unit.path for unit in bitcode.units)):
            os.utime(path)
        return bitcode

    def keep(self, key: str, bitcode: Bitcode) -> None:
        """Remember what a build consists of."""
        content = {
            "outputs": {
                name: [(unit.source, unit.digest, unit.path.stat().st_size) for unit in units]
                for name, units in bitcode.outputs.items()
            },
            "skipped": [(each.source, each.reason, each.is_broken, each.output) for each in bitcode.skipped],
        }
        manifest = self._manifest(key)
        manifest.parent.mkdir(parents=True, exist_ok=True)
        unfinished = manifest.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(content))
        unfinished.rename(manifest)

    def prune(self, keep: Set[Path] = frozenset(), limit_bytes: int | None = None) -> int:
        """Remove what is over the limit, never what `keep` names; how many bytes became free."""
        limit = self._limit_bytes if limit_bytes is None else limit_bytes
        freed = 0
        with self._lock:
            sizes = {file: file.stat().st_size for file in self._oldest_first()}
            total = sum(sizes.values())
            for file, size in sizes.items():
                if total - freed <= limit:
                    break
                if file not in keep:
                    file.unlink()
                    freed += size
        return freed

    def size_bytes(self) -> int:
        """What it takes on disk."""
        return sum(file.stat().st_size for file in self._files())

    def _oldest_first(self) -> list[Path]:
        return sorted(self._files(), key=lambda file: file.stat().st_mtime_ns)

    def _files(self) -> Iterator[Path]:
        yield from self.units.glob("*/*")  # beside the bitcode lies what was read from it, see kept_units
        yield from self._folder.glob("builds/*")

    def _manifest(self, key: str) -> Path:
        return self._folder / "builds" / f"{key}.json"

    def _found(self, source: str, digest: str, size_bytes: int) -> UnitFile:
        path = self.place(digest)
        if path.stat().st_size != size_bytes:  # a power cut may have emptied what was not yet on disk
            path.unlink()
            raise ValueError(f"{path}: not {size_bytes} bytes")
        return UnitFile(source, digest, path)
