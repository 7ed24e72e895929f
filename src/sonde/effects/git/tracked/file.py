"""A file of a work tree that git keeps: what it was at other revisions, and whether the user edited it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from sonde.core.errors import RepositoryError
from sonde.core.revisions import RevisionId
from sonde.effects.git.opening import open_repository
from sonde.effects.git.program import environment, run
from sonde.effects.git.repository import Repository
from sonde.effects.git.tracked.places import KeptPlace, places_of

CHECKED_OUT = RevisionId("HEAD")

# With one of these, a file that git has just written differs from what git keeps.
_CONVERSIONS = ("filter", "ident", "working-tree-encoding")


@dataclass(frozen=True)
class KeptFile:
    """A file that the revision which is checked out has brought, itself or in a submodule."""

    repository: Repository
    place: KeptPlace

    @staticmethod
    def of(file: Path) -> KeptFile | None:
        """None if no repository keeps it: then it is the user's own."""
        for place in places_of(file):
            if place.link or place.listed or place.is_of_submodule:
                return KeptFile(open_repository(place.top), place)
        return None

    @property
    def name(self) -> str:
        """As git has it."""
        return self.place.name

    @property
    def is_edited(self) -> bool:
        """Whether the user has written something else to it than git did.

        A revision chooses by its attributes what git writes, and by its links where that lies. Whatever can
        be of its making does not count as edited, and line ends never do.
        """
        kept = self.repository.content(CHECKED_OUT, self.name)
        if kept is None or self.place.link or self._is_converted:
            return False
        return _plain(self.place.path.read_bytes()) != _plain(kept)

    @property
    def _is_converted(self) -> bool:
        """By the attributes in the work tree, or those in the index, from which git has written the file."""
        return _has_any(self.place, _CONVERSIONS)

    @property
    def is_filtered(self) -> bool:
        """Whether what git keeps is not the file itself, but what a program makes of it."""
        return _has_any(self.place, _CONVERSIONS[:1])


def nearest_at(
    repository: Repository, top: Path, folder: Path, names: tuple[str, ...], revision: RevisionId
) -> list[tuple[str, bytes]]:
    """The files of these names at a revision in `folder` or above it, the nearest first."""
    written, real = Path(os.path.abspath(folder)), folder.resolve()  # noqa: PTH100
    below = next((each.relative_to(top) for each in (written, real) if each.is_relative_to(top)), Path())
    paths = [(place / name).as_posix() for place in (below, *below.parents) for name in names]
    contents = ((path, repository.content(revision, path)) for path in dict.fromkeys(paths))
    return [(path, content) for path, content in contents if content is not None]


def _plain(content: bytes) -> bytes:
    return content.replace(b"\r", b"")


def _has_any(place: KeptPlace, attributes: tuple[str, ...]) -> bool:
    """Whether a file has one of these attributes, be it in the work tree or in the index."""
    values: list[bytes] = []
    for where in ((), ("--cached",)):
        words = ("git", "check-attr", "-z", *where, *attributes, "--", place.name)
        answer = run(words, folder=place.top, variables=environment())
        if answer.code != 0:
            raise RepositoryError(f"{place.path}: git cannot read its attributes: {answer.complaint}.")
        values += answer.output.split(b"\0")[2::3]
    return any(value not in (b"unspecified", b"unset") for value in values)
