"""Audits: a few of the cases that `sonde check` left out are measured all the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from sonde.core.digests import digest
from sonde.core.events import Noted
from sonde.core.findings.comparisons import (
    Audit,
    AuditOutcome,
    Audits,
    AuditTally,
    Case,
    Compared,
    Dropped,
    NarrowingStep,
)
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName
from sonde.core.protocols import Store, Where
from sonde.core.records import AuditRecord
from sonde.core.revisions import RevisionId
from sonde.methods.comparison.auditing import (
    cases_beside,
    draw_cases,
    most_grown,
    moves,
    outcome_of,
    tally_of,
)
from sonde.methods.comparison.rules import ComparisonRules
from sonde.space.samplers.t_wise import t_wise
from sonde.space.space import Space
from sonde.workflows.check.measuring import Measuring
from sonde.workflows.check.narrowing import Narrowed

AUDITED_STEPS = (NarrowingStep.IMPACT, NarrowingStep.SAMPLE)  # they leave cases out without a proof
MOST_INSTEAD = 50  # cases that are measured because an audit refuted impact
REFUTED = "an audit contradicted sonde impact, so a sample of all configurations was measured instead"
NOT_UNIFORM = "the configuration space is too complex to draw audits uniformly, so their bound is approximate"


@dataclass(frozen=True)
class DrawnAudits:
    """The cases that are audited, and which step left them out; no cases where no step did."""

    dropped: Dropped | None = None  # what they were drawn from; None: there is nothing
    cases: tuple[Case, ...] = ()

    @property
    def benchmarks(self) -> tuple[BenchmarkName, ...]:
        """Of which cases were left out."""
        return self.dropped.benchmarks if self.dropped else ()


@dataclass(frozen=True)
class AuditOutcomes:
    """What came of measuring."""

    every: tuple[Compared, ...]  # case that was measured
    audits: tuple[Audit, ...]
    dropped: tuple[Dropped, ...]  # what was not measured in the end
    warnings: tuple[str, ...]

    @property
    def compared(self) -> tuple[Compared, ...]:
        """The cases that are no audits."""
        audited = {each.compared.case for each in self.audits}
        return tuple(each for each in self.every if each.case not in audited)


def draw_audits(narrowed: Narrowed, at_most: int) -> DrawnAudits:
    """Some of the cases that a step left out without a proof.

    The same two revisions give the same audits, others give others.
    """
    dropped = next((each for each in narrowed.dropped if each.step in AUDITED_STEPS), None)
    if dropped is None or not at_most:
        return DrawnAudits()
    rng = Random(digest("audits", narrowed.base.id, narrowed.head.id))
    known = {*narrowed.left, *narrowed.unchanged}
    return DrawnAudits(dropped, draw_cases(narrowed.space, dropped.benchmarks, known, at_most, rng))


def with_earlier(drawn: DrawnAudits, narrowed: Narrowed, store: Store) -> DrawnAudits:
    """With the audits of the same two revisions that are known: a change that was found stays found."""
    if drawn.dropped is None:
        return drawn
    where: Where = {
        "base": [narrowed.base.id],
        "head": [narrowed.head.id],
        "step": [drawn.dropped.step.value],
    }
    left_out = {*narrowed.left, *narrowed.unchanged}
    earlier = [
        record.case
        for record in store.query(AuditRecord, where)
        if record.case not in left_out
        and record.case.benchmark in drawn.benchmarks
        and _has(narrowed.space, record.case.configuration)
    ]
    return replace(drawn, cases=tuple(dict.fromkeys((*drawn.cases, *earlier))))


def _has(space: Space, configuration: Configuration) -> bool:
    """Whether the project file still allows the configuration; its options may have changed since."""
    chosen = configuration.chosen
    return (
        chosen.keys() == space.option.keys()
        and all(value in space.option[name].values for name, value in chosen.items())
        and space.is_valid(configuration)
    )


def compare_audited(
    measuring: Measuring, narrowed: Narrowed, drawn: DrawnAudits, strength: int
) -> AuditOutcomes:
    """Measure what is left and what is audited, together; and more, where the outcome gives reason to.

    A change that moves a count by less than its threshold, or downwards, may move it by more elsewhere: then
    as many cases again are audited. Where an audit refutes `sonde impact`, a sample is measured instead.
    """
    base, head, cases = narrowed.base, narrowed.head, (*narrowed.left, *drawn.cases)
    compared = measuring.compare(base, head, cases)
    if drawn.cases and moves(compared):
        drawn = with_more(drawn, narrowed, compared)
        measuring.watcher.notice(Noted(f"measured cases changed: auditing {len(drawn.cases)} skipped cases"))
        cases = (*narrowed.left, *drawn.cases)
        compared = measuring.compare(base, head, cases)
    audits = audits_of(drawn, compared, narrowed)
    instead = cases_instead(drawn, audits, narrowed, strength)
    if instead:
        further = f"an audit found a change among the skipped cases: measuring {len(instead)} more cases"
        measuring.watcher.notice(Noted(further))
        measuring.retries = False  # what failed was tried again just now
        compared = measuring.compare(base, head, (*cases, *instead))
        audits = audits_of(drawn, compared, narrowed)
    is_rough = bool(audits) and narrowed.space.diagram is None
    dropped = still_dropped(narrowed, drawn, audits, instead)
    return AuditOutcomes(tuple(compared), audits, dropped, (NOT_UNIFORM,) if is_rough else ())


def with_more(drawn: DrawnAudits, narrowed: Narrowed, compared: Sequence[Compared]) -> DrawnAudits:
    """With as many further cases as were measured: up to half of them beside the one that grows most."""
    assert drawn.dropped is not None
    at_most = min(len(compared), MOST_INSTEAD)
    rng = Random(digest("further audits", narrowed.base.id, narrowed.head.id))
    known = {*narrowed.left, *narrowed.unchanged, *drawn.cases}
    beside = [
        case
        for case in cases_beside(narrowed.space, most_grown(compared))
        if case not in known and case.benchmark in drawn.benchmarks
    ]
    near = beside[: (at_most + 1) // 2]
    others = draw_cases(narrowed.space, drawn.benchmarks, {*known, *near}, at_most - len(near), rng)
    return replace(drawn, cases=(*drawn.cases, *near, *others))


def audits_of(drawn: DrawnAudits, compared: Sequence[Compared], narrowed: Narrowed) -> tuple[Audit, ...]:
    """What the audited cases say beside those that were left; what only one revision has is none of them."""
    left, audited = set(narrowed.left), set(drawn.cases)
    measured = [each for each in compared if each.case in left]
    return tuple(
        Audit(each, outcome_of(each, measured, narrowed.unchanged))
        for each in compared
        if each.case in audited
    )


def cases_instead(
    drawn: DrawnAudits, audits: Sequence[Audit], narrowed: Narrowed, strength: int
) -> tuple[Case, ...]:
    """Where an audit refutes `sonde impact`, a sample of all configurations; otherwise nothing.

    If all of the sample is known already, a stronger one is taken: a refuted answer never stands alone.
    Where an audit finds what sampling missed, nothing else is known that could say where to look.
    """
    is_refuted = any(each.outcome is AuditOutcome.MISSED for each in audits)
    if drawn.dropped is None or drawn.dropped.step is not NarrowingStep.IMPACT or not is_refuted:
        return ()
    known = {*narrowed.left, *narrowed.unchanged, *drawn.cases}
    for together in range(strength, max(strength, len(narrowed.space.options)) + 1):
        sample = (
            Case(benchmark, configuration)
            for configuration in t_wise(narrowed.space, together)
            for benchmark in drawn.benchmarks
        )
        if unknown := tuple(case for case in sample if case not in known):
            return unknown[:MOST_INSTEAD]
    return ()


def still_dropped(
    narrowed: Narrowed, drawn: DrawnAudits, audits: Sequence[Audit], instead: Sequence[Case]
) -> tuple[Dropped, ...]:
    """What was not measured in the end."""
    rest = []
    for each in narrowed.dropped:
        cases = each.cases
        if each is drawn.dropped:
            cases -= len(audits) + len(instead)
        is_refuted = each is drawn.dropped and bool(instead)
        left = replace(each, step=NarrowingStep.SAMPLE, reason=REFUTED) if is_refuted else each
        if cases > 0:
            rest.append(replace(left, cases=cases))
    return tuple(rest)


def keep_audits(
    store: Store, narrowed: Narrowed, drawn: DrawnAudits, audits: Sequence[Audit], rules: ComparisonRules
) -> Audits | None:
    """The audits, with the tally of the project so far, which counts them; None: nothing was left out."""
    if drawn.dropped is None:
        return None
    base, head, step = narrowed.base.id, narrowed.head.id, drawn.dropped.step
    store.append(*(_record(base, head, step, each) for each in audits))
    return Audits(step, drawn.dropped.reason, drawn.dropped.cases, tuple(audits), _tally(store, step, rules))


def _record(base: RevisionId, head: RevisionId, step: NarrowingStep, audit: Audit) -> AuditRecord:
    found = audit.compared
    how = (step, found.metric, found.threshold)
    return AuditRecord(base, head, found.case, *how, found.verdict, audit.outcome, found.ratio)


def _tally(store: Store, step: NarrowingStep, rules: ComparisonRules) -> AuditTally:
    """Of all audits by the thresholds that count now."""
    records = store.query(AuditRecord, {"step": [step.value]})
    return tally_of(each.outcome for each in records if each.threshold == rules.thresholds[each.metric])
