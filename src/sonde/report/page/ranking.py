"""The order of the list of changes: what got slower first, then by size x certainty."""

from __future__ import annotations

from collections.abc import Iterable

from sonde.report.page.model import ChangeEvidence, ListedChange

UNCLEAR_WEIGHT = 0.1  # of a size that may be noise
RANGE_WEIGHT = 0.75  # the size is known, its revision is not


def ranked(changes: Iterable[ListedChange]) -> tuple[ListedChange, ...]:
    """Regressions first, each direction by its score; ties in the order of the revisions."""
    return tuple(sorted(changes, key=lambda change: (not change.is_slower, -score(change))))


def score(change: ListedChange) -> float:
    """The size that its interval leaves no doubt about, less where the revision is not known."""
    size = max(change.effect.certain, UNCLEAR_WEIGHT * abs(change.effect.log))
    if change.evidence is ChangeEvidence.UNCLEAR:
        return UNCLEAR_WEIGHT * size
    return size if change.apart == 1 else RANGE_WEIGHT * size
