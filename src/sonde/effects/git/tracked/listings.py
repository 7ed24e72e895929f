"""All that a revision has, by name, and where its links lead within it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sonde.core.revisions import RevisionId
from sonde.effects.git.repository import Repository

_LINK, _EXECUTABLE = "120000", "100755"
_MOST_LINKS = 40  # as in the kernel; more lead in a circle


class ListingEntry(NamedTuple):
    """A file, a link or a submodule."""

    mode: str
    id: str

    @property
    def is_executable(self) -> bool:
        """Whether it can be run."""
        return self.mode == _EXECUTABLE


class PathTarget(NamedTuple):
    """Where a path leads."""

    path: str
    entry: ListingEntry
    rest: str = ""  # what is left of the path, in a submodule or where a link leads out of the revision


@dataclass(frozen=True)
class Listing:
    """The files, links and submodules of a revision."""

    repository: Repository
    entries: Mapping[str, ListingEntry]

    @property
    def names(self) -> Collection[str]:
        """Of all of them."""
        return self.entries.keys()

    def find(self, name: str) -> PathTarget | None:
        """What a path leads to when links are followed; None if the revision has nothing there."""
        rest, place, links = deque(name.split("/")), list[str](), 0
        while rest:
            part = rest.popleft()
            place.append(part)
            path = "/".join(place)
            entry = self.entries.get(path)
            if entry is None:
                continue
            if entry.mode != _LINK:
                return PathTarget(path, entry, "/".join(rest))
            target = self._target(entry)
            links += 1
            into = _joined(place[:-1], target)
            if into is None or links > _MOST_LINKS:
                return PathTarget(path, entry, f"{target}/{'/'.join(rest)}")
            rest.extendleft(reversed(into))
            place = []
        return None

    def _target(self, link: ListingEntry) -> str:
        return os.fsdecode(self.repository.git.read("cat-file", "blob", link.id))


def _joined(folder: list[str], target: str) -> list[str] | None:
    """The parts of a link's target, from the root of the revision on; None if it leads out of it."""
    if target.startswith("/"):
        return None
    parts = list(folder)
    for part in target.split("/"):
        if part == ".." and not parts:
            return None
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return parts


def read_listing(repository: Repository, revision: RevisionId) -> Listing:
    """What a revision has."""
    rows = os.fsdecode(repository.git.read("ls-tree", "-r", "-z", "--full-tree", revision)).split("\0")[:-1]
    entries = {}
    for row in rows:
        about, _, name = row.partition("\t")
        mode, _, id = about.split(" ")
        entries[name] = ListingEntry(mode, id)
    return Listing(repository, entries)
