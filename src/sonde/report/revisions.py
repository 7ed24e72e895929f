"""The revisions of a history, as JSON shows them."""

from __future__ import annotations

from typing import Protocol

from sonde.core.revisions import History


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
    """Where a change lies: its most likely revision, and the positions at which it may be."""
    revision = history[change.position]
    return {
        "position": change.position,
        "revision": revision.id,
        "author": revision.author,
        "subject": revision.subject,
        "earliest": change.earliest,
        "latest": change.latest,
        "is_exact": change.is_exact,
    }


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
