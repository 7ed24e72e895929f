"""What a rule for selecting benchmarks was learned from."""

from __future__ import annotations

from sonde.core.findings.selections import TrainedSelection
from sonde.report.flow import paragraph
from sonde.report.quantities import counted, duration, threshold_text


def training_text(trained: TrainedSelection, most: int) -> str:
    """In a few sentences: the examples, the rule, and what it took."""
    hits = f"{counted(trained.hits, 'hit')}"
    if trained.threshold is not None:
        hits += f" (instructions changed by more than {threshold_text(trained.threshold)})"
    revisions = counted(trained.revisions, "revision")
    examples = f"{counted(trained.pairs, 'example')} of {revisions}"
    sentences = [f"Learned from {examples}: {hits}; {trained.proven:,} proven unchanged."]
    if trained.proven_hits:
        sentences.append(f"{trained.proven_hits:,} of the proven ones changed, which should not happen.")
    if trained.unmeasured:
        sentences.append(f"{counted(trained.unmeasured, 'pair')} skipped: not measured at both revisions.")
    if trained.unusable:
        sentences.append(f"{counted(trained.unusable, 'pair')} skipped: the build or profile cannot be read.")
    cost = trained.cost
    work = f"{counted(cost.builds, 'build')} and {counted(cost.runs, 'profiled run')}"
    return "\n\n".join(
        [
            paragraph(" ".join(sentences), most),
            paragraph(trained.rule, most),
            *(paragraph(f"Warning: {warning}", most) for warning in trained.warnings),
            f"It took {work}, {duration(cost.seconds)} of work.",
        ]
    )


def training_json(trained: TrainedSelection) -> dict[str, object]:
    """The same for scripts."""
    cost = trained.cost
    return {
        "examples": trained.pairs,
        "revisions": trained.revisions,
        "hits": trained.hits,
        "proven": trained.proven,
        "proven_hits": trained.proven_hits,
        "unmeasured": trained.unmeasured,
        "unusable": trained.unusable,
        "threshold": trained.threshold,
        "rule": trained.rule,
        "warnings": list(trained.warnings),
        "spent": {"builds": cost.builds, "runs": cost.runs, "seconds": cost.seconds},
    }
