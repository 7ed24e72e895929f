"""The page of what `sonde pinpoint` found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sonde.core.findings.pinpoints import Pinpointed, Pinpoints, TermChange
from sonde.report.cost import ending_text
from sonde.report.page.histories import PageContext, change_counts
from sonde.report.page.model import (
    ChangeEvidence,
    ListedChange,
    MatrixCell,
    Page,
    ReportFact,
    ShownEffect,
    StateCount,
    TermMatrix,
)
from sonde.report.page.ranking import ranked
from sonde.report.page.wording import lead_sentence, scope_text
from sonde.report.pinpoint.commands import measure_command
from sonde.report.quantities import counted
from sonde.report.terms import probability_text, where


def pinpoint_page(pinpoints: Pinpoints, context: PageContext) -> Page:
    """The page of changes, and of which options each depends on."""
    rows = [
        (change, found, _listed(change, found, pinpoints, context))
        for found in pinpoints.benchmarks
        for change in found.findings
    ]
    changes = ranked(row for _, _, row in rows)
    reasons = "; ".join(dict.fromkeys(found.ending for found in pinpoints.benchmarks))
    measured = sum(bool(found.points) for found in pinpoints.benchmarks)
    return Page(
        f"{context.project}: changes by option",
        scope_text(pinpoints.history),
        lead_sentence(changes, measured, len(pinpoints.benchmarks)),
        (*change_counts(changes), *_point_counts(pinpoints)),
        changes,
        pinpoints.history,
        context.tags,
        matrices=tuple(_matrix(found, pinpoints, changes) for found in pinpoints.benchmarks),
        facts=(*context.facts, ReportFact("Cost", ending_text(reasons, pinpoints.spent))),
    )


def _listed(
    change: TermChange, found: Pinpointed, pinpoints: Pinpoints, context: PageContext
) -> ListedChange:
    history = pinpoints.history
    place = where(change.term, change.unless)
    return ListedChange(
        _key(change, found, pinpoints),
        ShownEffect(change.effect, change.effect_low, change.effect_high),
        change.least_effect,
        history[change.earliest],
        history[change.latest],
        change.latest - change.earliest + 1,
        found.benchmark,
        place,
        tuple(sorted({literal.option for literal in change.term | change.unless})),
        "",
        "",
        _evidence(change),
        (),
        measure_command(change, found, pinpoints, context.words),
        f"Probability {probability_text(change.probability)}; both sides were measured in "
        f"{counted(change.configurations, 'configuration')}.",
    )


def _key(change: TermChange, found: Pinpointed, pinpoints: Pinpoints) -> str:
    direction = "slower" if change.effect > 0 else "faster"
    options = "+".join(sorted(map(str, change.term))) or "all"
    return f"{pinpoints.history[change.latest].short}-{direction}-{found.benchmark}-{options}"


def _evidence(change: TermChange) -> ChangeEvidence:
    if change.effect_low <= 0 <= change.effect_high:
        return ChangeEvidence.UNCLEAR
    if not change.is_exact:
        return ChangeEvidence.RANGE
    return ChangeEvidence.EXACT if change.configurations else ChangeEvidence.ESTIMATED


def _point_counts(pinpoints: Pinpoints) -> Iterator[StateCount]:
    grounds = [pinpoints.grounds[found.benchmark] for found in pinpoints.benchmarks]
    measured = sum(found.points for found in pinpoints.benchmarks)
    failed = sum(found.failed for found in pinpoints.benchmarks)
    equal = sum(ground.revisions - ground.steps for ground in grounds)
    total = sum(ground.points for ground in grounds)
    yield StateCount("measured", measured, "Points (revision, configuration, benchmark) that were used.")
    yield StateCount("revisions proven equal", equal, "Revisions whose build inputs equal those before.")
    yield StateCount("failed", failed, "Points that do not build or do not run.")
    yield StateCount("never looked at", max(0, total - measured - failed), "Points that were not measured.")


def _matrix(found: Pinpointed, pinpoints: Pinpoints, changes: Sequence[ListedChange]) -> TermMatrix:
    """Terms by the revisions that changed something, both in the order in which they occur."""
    findings = sorted(found.findings, key=lambda change: change.position)
    terms = list(dict.fromkeys(where(change.term, change.unless) for change in findings))
    columns = list(dict.fromkeys(change.latest for change in findings))
    keys = {change.key for change in changes}
    return TermMatrix(
        found.benchmark,
        tuple(terms),
        tuple(pinpoints.history[column] for column in columns),
        tuple(
            MatrixCell(
                terms.index(where(change.term, change.unless)),
                columns.index(change.latest),
                change.effect,
                change.probability,
                key if (key := _key(change, found, pinpoints)) in keys else "",
            )
            for change in findings
        ),
    )
