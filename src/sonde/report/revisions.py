"""The revisions of a history, as JSON shows them."""

from __future__ import annotations

from sonde.core.revisions import History


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
