"""The order of the list of changes: what got slower first, then by size x certainty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from sonde.report.page.model import ChangeEvidence, ListedChange

UNCLEAR_WEIGHT = 0.1  # of a size that may be noise
RANGE_WEIGHT = 0.75  # the size is known, its revision is not


def ranked(changes: Iterable[ListedChange]) -> tuple[ListedChange, ...]:
    """Regressions first, each direction by its score; ties in the order of the revisions."""
    return _numbered(sorted(changes, key=lambda change: (not change.is_slower, -score(change))))


def _numbered(changes: Iterable[ListedChange]) -> tuple[ListedChange, ...]:
    """Keys that occur more than once get a number."""
    seen = Counter[str]()
    numbered = []
    for change in changes:
        seen[change.key] += 1
        number = seen[change.key]
        numbered.append(replace(change, key=f"{change.key}-{number}") if number > 1 else change)
    return tuple(numbered)


def score(change: ListedChange) -> float:
    """The size that its interval leaves no doubt about, less where the revision is not known."""
    size = max(change.effect.certain, UNCLEAR_WEIGHT * abs(change.effect.log))
    if change.evidence is ChangeEvidence.UNCLEAR:
        return UNCLEAR_WEIGHT * size
    return size if change.apart == 1 else RANGE_WEIGHT * size
