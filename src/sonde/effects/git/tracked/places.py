"""What the revision that is checked out has brought to a place of the file system.

A revision brings files, links and submodules of its own. What Sonde takes for its own, or for the user's,
must not be one of them: a link can lead anywhere, and a program in the state folder would be run.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sonde.effects.git.program import environment, run

SUBMODULE = "160000"

# Only finds out what is listed: nothing that settings name is run, whoever wrote them.
_WORDS = ("git", "-c", "safe.directory=*", "-c", "core.fsmonitor=false", "ls-files", "-z", "--stage", "--")


@dataclass(frozen=True)
class KeptPlace:
    """A path in a work tree, be there something or not."""

    top: Path  # the root of the work tree; a submodule belongs to the one around it
    name: str  # below it

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.top / self.name

    @property
    def listed(self) -> tuple[str, ...]:
        """The names that git keeps there, or below; without them it is none of the revision's."""
        return tuple(name for _, name in _listed(self.top, self.name))

    @property
    def is_of_submodule(self) -> bool:
        """Whether git keeps a submodule on the way there."""
        return any(_has_submodule(self.top, name) for name in self._names[:-1])

    @property
    def link(self) -> str:
        """The first link that git keeps on the way there, itself included; empty if there is none."""
        links = (name for name in self._names if (self.top / name).is_symlink())
        return next((name for name in links if _listed(self.top, name)), "")

    @property
    def _names(self) -> list[str]:
        """Those of the folders on the way, the outermost first, and its own."""
        parts = PurePosixPath(self.name).parts
        return ["/".join(parts[: count + 1]) for count in range(len(parts))]


def places_of(path: Path) -> tuple[KeptPlace, ...]:
    """A path in the work trees that it lies in: as it is written, where its folder is, and where it leads."""
    written = Path(os.path.abspath(path))  # noqa: PTH100  # `resolve` would follow links
    ways = (written, written.parent.resolve() / written.name, written.resolve())
    places = (_place(way) for way in dict.fromkeys(ways))
    return tuple(dict.fromkeys(place for place in places if place is not None))


def kept_at(path: Path) -> str:
    """What git keeps at a path, below it, or as a link on the way there; empty if there is nothing."""
    found = (name for place in places_of(path) for name in (place.link, *place.listed[:1]) if name)
    return next(found, "")


def kept_link(path: Path) -> str:
    """The link that git keeps at a path or on the way there; empty if there is none."""
    return next((place.link for place in places_of(path) if place.link), "")


def _place(path: Path) -> KeptPlace | None:
    """Found by `.git`, which no revision can bring; git would also take a folder for a repository."""
    tops = [folder for folder in path.parents if os.path.lexists(folder / ".git")]
    if not tops:
        return None
    top = tops[0]
    for outer in tops[1:]:
        if not _has_submodule(outer, top.relative_to(outer).as_posix()):
            break
        top = outer
    return KeptPlace(top, path.relative_to(top).as_posix())


def _has_submodule(top: Path, name: str) -> bool:
    return any(found == (SUBMODULE, name) for found in _listed(top, name))


def _listed(top: Path, name: str) -> list[tuple[str, str]]:
    """The modes and names of what git keeps at a name or below it."""
    variables = environment() | {"GIT_LITERAL_PATHSPECS": "1"}
    answer = run((*_WORDS, name), folder=top, variables=variables)
    rows = answer.output.decode(errors="surrogateescape").split("\0")[:-1] if answer.code == 0 else []
    return [(row[: len(SUBMODULE)], row.partition("\t")[2]) for row in rows]
