"""Revisions of the subject, and their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NewType

RevisionId = NewType("RevisionId", str)  # the full hash, as git prints it

SHORT = 8


@dataclass(frozen=True)
class Revision:
    """One commit of the subject."""

    id: RevisionId
    parents: tuple[RevisionId, ...]
    committed_at: int  # seconds since the epoch
    author: str
    subject: str

    @property
    def short(self) -> str:
        """The first letters of the id, as people write it."""
        return short(self.id)


def short(revision: RevisionId) -> str:
    """The first letters of a revision's id."""
    return revision[:SHORT]


@dataclass(frozen=True)
class History:
    """Revisions in order, the oldest first."""

    revisions: tuple[Revision, ...]

    def __len__(self) -> int:
        return len(self.revisions)

    def __iter__(self) -> Iterator[Revision]:
        return iter(self.revisions)

    def __getitem__(self, position: int) -> Revision:
        return self.revisions[position]

    def __contains__(self, revision: object) -> bool:
        return revision in self.positions

    @cached_property
    def positions(self) -> Mapping[RevisionId, int]:
        """Where each revision stands, counted from 0."""
        return {revision.id: position for position, revision in enumerate(self.revisions)}


@dataclass(frozen=True)
class Span:
    """A part of the history: from `since` on, and before `until`. Both are names as git knows them."""

    since: str = ""  # empty: from the beginning
    until: str = ""  # empty: up to the end


ALWAYS = Span()


@dataclass(frozen=True)
class Timeline:
    """Tells which spans cover which revisions."""

    reached: Mapping[str, frozenset[RevisionId]]  # a span's boundary -> itself and what descends from it

    def covers(self, span: Span, revision: RevisionId) -> bool:
        """Whether `revision` lies within `span`."""
        begun = not span.since or revision in self.reached[span.since]
        ended = bool(span.until) and revision in self.reached[span.until]
        return begun and not ended
