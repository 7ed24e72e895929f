"""What exhaustive regression found, as the judge of pinpointing reads it, and findings beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sonde.core.options import Term
from studies.pinpoint.exhaustive import Step
from studies.pinpoint.extents import Extents, read_term
from studies.pinpoint.releases import Releases

NEUTRAL = 0.02  # smaller effects are those of a quiet release


def truth(steps: Iterable[Step]) -> dict[str, object]:
    """What the judge of pinpointing reads as its truth.

    A release with nothing but smaller terms does not count: findings there are neither right nor wrong.
    """
    points: list[dict[str, object]] = []
    for step in steps:
        for each in step.terms:
            options = sorted(map(str, each.term))
            points.append(
                {"revision": step.revision, "options": options, "step": each.effect, "counts": True}
            )
        if not step.terms and any(abs(each.effect) >= NEUTRAL for each in step.smaller):
            points.append({"revision": step.revision, "options": None, "counts": False})
    return {"change_points": points, "tolerance_revisions": 0}


def simplified(findings: Sequence[dict[str, object]], extents: Extents) -> list[dict[str, object]]:
    """Findings as the judge reads them, each with the term that stands for all of its extent."""
    return [
        {**each, "options": sorted(map(str, extents.simplest(read_term(_texts(each["options"])))))}
        for each in findings
    ]


def explained_share(releases: Releases, extents: Extents, found: Iterable[tuple[int, Term]]) -> float:
    """How much of the squares of all log steps terms explain at their revisions, fitted to all points.

    It does not depend on how a term is called, and forgives a term that is nearly right.
    """
    by_revision: dict[int, list[Term]] = {}
    for revision, term in found:
        by_revision.setdefault(revision, []).append(term)
    total = left = 0.0
    for at, steps in enumerate(releases.log_steps.T, start=1):
        is_known = np.isfinite(steps)
        known = steps[is_known]
        total += float(known @ known)
        terms = by_revision.get(releases.revisions[at], [])
        if terms:
            columns = np.array([extents.of(term) for term in terms], dtype=np.float64).T[is_known]
            known = known - columns @ np.linalg.lstsq(columns, known, rcond=None)[0]
        left += float(known @ known)
    return 1.0 - left / total if total else 1.0


def _texts(options: object) -> list[str]:
    return [str(each) for each in options] if isinstance(options, list) else []
