"""How many functions seem to change with a revision: by bytes, by what they do, without line numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sonde.core.findings.selections import Churn
from studies.history.markdown import table
from studies.select.project_evidence import ProjectEvidence, Step

MEASURES: tuple[tuple[str, Callable[[Churn], int]], ...] = (
    ("raw", lambda churn: churn.raw),
    ("normalised", lambda churn: churn.normalised),
    ("masked", lambda churn: churn.masked),
)
LISTED = 30


def section(evidence: ProjectEvidence) -> str:
    """Sums and means, and the first revisions one by one."""
    groups = (
        ("all", evidence.steps),
        ("documentation alone", tuple(each for each in evidence.steps if each.is_documentation)),
        ("the others", tuple(each for each in evidence.steps if not each.is_documentation)),
    )
    head = ["revisions", "number", "functions a build"]
    for name, _ in MEASURES:
        head += [f"{name}: sum", "mean", "revisions with any"]
    rows = [[name, *_row(steps)] for name, steps in groups if steps]
    missing = "; ".join(f"{number} because {why}" for why, number in evidence.unknown.items())
    parts = [table(head, rows)]
    if missing:
        parts.append(f"Left out: {missing}.")
    touched = [each for each in evidence.steps if each.churn.raw or each.churn.new or each.churn.deleted]
    if touched:
        few = touched[:LISTED]
        parts += [
            f"The first {len(few)} of {len(touched)} revisions whose functions differ at all:",
            _listed(few),
        ]
    return "\n\n".join(parts)


def _row(steps: Sequence[Step]) -> list[str]:
    functions = sum(each.churn.functions for each in steps) / len(steps)
    row = [str(len(steps)), f"{functions:.0f}"]
    for _, measure in MEASURES:
        counts = [measure(each.churn) for each in steps]
        row += [f"{sum(counts):,}", f"{sum(counts) / len(counts):.1f}", str(sum(map(bool, counts)))]
    return row


def _listed(steps: Sequence[Step]) -> str:
    rows = [
        [
            each.revision.short,
            each.revision.subject.replace("|", "\\|")[:60],
            *(str(measure(each.churn)) for _, measure in MEASURES),
            str(each.churn.new),
            str(each.churn.deleted),
            str(each.churn.objects),
        ]
        for each in steps
    ]
    names = [name for name, _ in MEASURES]
    return table(["revision", "subject", *names, "new", "deleted", "constants"], rows, texts=2)
