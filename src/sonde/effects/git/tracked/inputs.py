"""Input files of benchmarks, where git keeps them: as they are at a base, not as the head has them.

A file is taken from the work tree if the checked out revision did not bring it, if the user has edited it, or
if both revisions have the same one. Whatever lies on the way to it belongs to it: links, folders that are
links, and submodules.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sonde.core.errors import ProjectFileError
from sonde.core.revisions import RevisionId
from sonde.effects.git.repository import Repository
from sonde.effects.git.tracked.file import CHECKED_OUT, KeptFile
from sonde.effects.git.tracked.globbing import is_named
from sonde.effects.git.tracked.listings import Listing, ListingEntry, read_listing
from sonde.effects.git.tracked.places import SUBMODULE, KeptPlace

ATTRIBUTES = ".gitattributes"
_LARGE = b"version https://git-lfs.github.com/spec/"  # how a pointer to a large file begins


@dataclass(frozen=True)
class ChosenInputs:
    """Input files, by their names below the folder of the project file."""

    own: frozenset[str]  # in the work tree
    kept: Mapping[str, ListingEntry]  # of the base
    changed: tuple[str, ...]  # of which the head has another one, or that only one of both has


@dataclass(frozen=True)
class KeptInputs:
    """The input files of a base."""

    repository: Repository
    top: Path  # the root of the work tree
    root: Path  # the folder of the project file, below `top`
    base: RevisionId

    def choose(self, patterns: Sequence[str], found: Iterable[str]) -> ChosenInputs:
        """Which files to take; `found` are those that the patterns name in the work tree."""
        here = set(found)
        below = (name.removeprefix(self._prefix) for name in self._old.names if name.startswith(self._prefix))
        named = {name for name in below if any(is_named(name, pattern) for pattern in patterns)}
        own = frozenset(name for name in here if self._is_own(name))
        others = sorted((here | named) - own)
        kept = {name: entry for name in others if (entry := self._kept(name)) is not None}
        return ChosenInputs(own, kept, tuple(others))

    def content(self, entry: ListingEntry) -> bytes:
        """The bytes of a file of the base."""
        return self.repository.git.read("cat-file", "blob", entry.id)

    @cached_property
    def _old(self) -> Listing:
        return read_listing(self.repository, self.base)

    @cached_property
    def _new(self) -> Listing:
        return read_listing(self.repository, CHECKED_OUT)

    @cached_property
    def _prefix(self) -> str:
        below = self.root.relative_to(self.top).as_posix()
        return "" if below == "." else f"{below}/"

    def _is_own(self, name: str) -> bool:
        new, old = (listing.find(self._prefix + name) for listing in (self._new, self._old))
        if new is None:
            return True
        if new == old and (not self._changes_attributes or new.rest or self._is_as_kept(name, new.entry)):
            return True
        return new.path == self._prefix + name and self._place(new.path).is_edited

    def _kept(self, name: str) -> ListingEntry | None:
        """The file of the base; None if it has none of that name."""
        old = self._old.find(self._prefix + name)
        if old is None:
            return None
        if old.rest or old.entry.mode == SUBMODULE:
            raise self._cannot_be_had(name, "it is in a submodule, or outside of the work tree")
        if self.content(old.entry).startswith(_LARGE) or self._place(old.path).is_filtered:
            raise self._cannot_be_had(name, "git stores it elsewhere, or in another form")
        return old.entry

    @cached_property
    def _changes_attributes(self) -> bool:
        """Whether the head decides otherwise what git writes for the same file."""

        def rules(listing: Listing) -> dict[str, ListingEntry]:
            return {name: each for name, each in listing.entries.items() if name.endswith(ATTRIBUTES)}

        return rules(self._old) != rules(self._new)

    def _is_as_kept(self, name: str, entry: ListingEntry) -> bool:
        """Whether a file has the bytes that git keeps, or those that git's pointer to them names."""
        content = (self.root / name).read_bytes()
        head = f"blob {len(content)}\0".encode()
        if hashlib.new(self.repository.object_format, head + content).hexdigest() == entry.id:
            return True
        pointer = self.content(entry)
        return pointer.startswith(_LARGE) and hashlib.sha256(content).hexdigest().encode() in pointer

    def _place(self, name: str) -> KeptFile:
        return KeptFile(self.repository, KeptPlace(self.top, name))

    def _cannot_be_had(self, name: str, why: str) -> ProjectFileError:
        return ProjectFileError(
            f"the input '{name}' differs at the head, and the base's version is not available: "
            f"{why}. If you trust the head, use its project file and inputs, for example with "
            "--project-file HEAD:sonde.toml."
        )


def write_kept(inputs: KeptInputs, kept: Mapping[str, ListingEntry], folder: Path) -> dict[str, Path]:
    """Write files of the base into a folder; where each lies."""
    places = {}
    for number, (name, entry) in enumerate(sorted(kept.items())):
        places[name] = folder / str(number)
        places[name].write_bytes(inputs.content(entry))
        os.chmod(places[name], 0o755 if entry.is_executable else 0o644)  # noqa: PTH101
    return places
