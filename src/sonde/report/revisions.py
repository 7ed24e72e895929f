"""Revisions in words, in commands and as JSON."""

from __future__ import annotations

from typing import Protocol

from sonde.core.revisions import History, Revision
from sonde.report.tables import shortened

SUBJECT_WIDTH = 60


class Placed(Protocol):
    """What lies at a revision, or at one of several."""

    @property
    def position(self) -> int: ...
    @property
    def earliest(self) -> int: ...
    @property
    def latest(self) -> int: ...
    @property
    def is_exact(self) -> bool: ...


def place_json(change: Placed, history: History) -> dict[str, object]:
    """Where a change lies: the positions at which it may be, and the revision if it is known."""
    revision = history[change.position] if change.is_exact else None
    return {
        "position": change.position,
        "revision": revision and revision.id,
        "author": revision and revision.author,
        "subject": revision and revision.subject,
        "earliest": change.earliest,
        "latest": change.latest,
        "between": [history[max(change.earliest - 1, 0)].id, history[change.latest].id],
        "is_exact": change.is_exact,
    }


def revision_range(earliest: int, latest: int, history: History) -> str:
    """One revision; or several as `git log` takes them, after the one that they begin with."""
    last = history[latest].short
    return last if earliest == latest else f"{history[max(earliest - 1, 0)].short}..{last}"


def revisions_json(history: History) -> list[dict[str, object]]:
    """One entry a revision, the oldest first."""
    return [
        {
            "position": position,
            "id": revision.id,
            "committed_at": revision.committed_at,
            "author": revision.author,
            "subject": revision.subject,
        }
        for position, revision in enumerate(history)
    ]


def revision_json(revision: Revision) -> dict[str, object]:
    """One revision by itself."""
    return {"id": revision.id, "author": revision.author, "subject": revision.subject}


def revision_text(revision: Revision) -> str:
    """A revision by its first letters and its subject."""
    return f"{revision.short} {shortened(revision.subject, SUBJECT_WIDTH)}"


def ranges_of_both(head: Revision, base: Revision) -> list[str]:
    """Two revisions, as `sonde measure` takes them: in one range if one follows the other."""
    if head.parents[:1] == (base.id,) and base.parents:
        return [f"{base.short}~..{head.short}"]
    return [f"{base.short}^!", f"{head.short}^!"]
