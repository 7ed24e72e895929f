"""The page of what `sonde check` found."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from sonde.core.findings.comparisons import CasePattern, Check, Compared, Grown, Ratio, Verdict
from sonde.core.results import Metric
from sonde.report.check.audits import alarm_text, audits_text
from sonde.report.check.words import (
    base_text,
    dropped_text,
    headline,
    in_order,
    not_executed_text,
    outputs,
    reasons,
    rules_text,
    saving_text,
)
from sonde.report.labels import difference
from sonde.report.page.histories import PageContext, options_of
from sonde.report.page.model import (
    ChangeEvidence,
    ComparedCase,
    ListedChange,
    Page,
    ReportFact,
    ShownEffect,
    StateCount,
)
from sonde.report.page.ranking import ranked
from sonde.report.quantities import quantity, share_text
from sonde.report.revisions import revision_text
from sonde.report.terms import where

SLOWER = (Verdict.SLOWER, Verdict.NO_MORE_WORK)
FASTER = (Verdict.FASTER, Verdict.NO_LESS_WORK)
LISTED = (*SLOWER, *FASTER, Verdict.DEPENDS)
UNDECIDED = (Verdict.INCONCLUSIVE, Verdict.BROKEN)
MOST_GROWN = 5  # functions named with a change


def check_page(check: Check, context: PageContext) -> Page:
    """The page of a verdict: what changed, every case, and what was left out."""
    changed = (_listed(each, check, context) for each in check.patterns if each.verdict in LISTED)
    return Page(
        f"{context.project}: check of {check.head.short}",
        f"{revision_text(check.head)}, compared with {base_text(check)}",
        headline(check),
        tuple(_counts(check)),
        ranked(change for change in changed if change is not None),
        cases=tuple(_case(each, check) for each in _all_cases(check)),
        left_out=tuple(_left_out(check)),
        warnings=tuple(text for text in (alarm_text(check), *check.warnings, *outputs(check)) if text),
        facts=(*context.facts, ReportFact("Cost", saving_text(check)), *_facts(check)),
    )


def _all_cases(check: Check) -> list[Compared]:
    """What the verdict rests on, the worst first; then audits without a change."""
    answers = in_order(check)
    audits = check.audits.cases if check.audits else ()
    return [*answers, *(each.compared for each in audits if each.compared not in answers)]


def _counts(check: Check) -> Iterator[StateCount]:
    verdicts = [each.verdict for each in _all_cases(check)]

    def number(*wanted: Verdict) -> int:
        return sum(verdict in wanted for verdict in verdicts)

    proven = sum(each.cases for each in check.dropped if each.is_proven)
    left_out = sum(each.cases for each in check.dropped if not each.is_proven)
    yield StateCount("slower", number(*SLOWER), "Cases that are slower at the head.", True)
    yield StateCount("faster", number(*FASTER), "Cases that are faster at the head.", False)
    yield StateCount("measured equal", number(Verdict.EQUAL), "Cases within the threshold.")
    yield StateCount("proven equal", proven, "Cases that cannot have changed, so nothing was measured.")
    yield StateCount("left out", left_out, "Cases that were not measured, without a proof.")
    yield StateCount("failed", number(Verdict.FAILS), "Cases that fail at the head only.", is_alarm=True)
    undecided = number(*UNDECIDED, Verdict.DEPENDS)
    yield StateCount("undecided", undecided, "Cases that are inconclusive, or fail on both sides.")


def _listed(pattern: CasePattern, check: Check, context: PageContext) -> ListedChange | None:
    """The row of a pattern; None if it has no size."""
    worst = next((each for each in check.answers if each.case == pattern.worst), None)
    if pattern.worst is None or worst is None or worst.ratio is None:
        return None
    culprit = next((each for each in check.culprits if each.case == pattern.worst), None)
    is_spread = pattern.cases > 1 and pattern.least is not None
    return ListedChange(
        f"{check.head.short}-{pattern.verdict.name.lower()}-{pattern.benchmark}",
        _effect(worst.ratio),
        pattern.least.log if is_spread and pattern.least else None,
        culprit.earliest if culprit else check.head,
        culprit.revision if culprit else check.head,
        2 if culprit and culprit.earliest != culprit.revision else 1,
        pattern.benchmark,
        _place(pattern, check),
        _options(pattern, check),
        *_levels(worst),
        ChangeEvidence.COUNTED if worst.metric is Metric.INSTRUCTIONS else ChangeEvidence.PAIRED,
        (),
        _command(pattern, check, context),
        " ".join([*_verdict_note(pattern, worst), *_grown(pattern.grown)]),
    )


def _effect(ratio: Ratio) -> ShownEffect:
    return ShownEffect(ratio.log, ratio.low, ratio.high)


def _levels(compared: Compared) -> tuple[str, str]:
    base, head = (
        "" if value is None else quantity(value, compared.metric)
        for value in (compared.base_value, compared.head_value)
    )
    return base, head


def _place(pattern: CasePattern, check: Check) -> str:
    if pattern.term:
        return where(pattern.term)
    if pattern.cases == pattern.of_cases == 1 and pattern.worst is not None:
        name = difference(pattern.worst.configuration, check.default)
        return "in the default configuration" if name == "default" else f"with {name}"
    return f"in {pattern.cases} of {pattern.of_cases} measured configurations"


def _options(pattern: CasePattern, check: Check) -> tuple[str, ...]:
    if pattern.term:
        return tuple(sorted(literal.option for literal in pattern.term))
    return options_of(pattern.worst.configuration, check.default) if pattern.worst else ()


def _command(pattern: CasePattern, check: Check, context: PageContext) -> str:
    words = ["sonde", "check", f"{check.base.short}..{check.head.short}", "-b", pattern.benchmark]
    name = difference(pattern.worst.configuration, check.default) if pattern.worst else "default"
    chosen = [] if name == "default" else ["-c", name]
    return shlex.join([*words, *chosen, *context.words])


def _verdict_note(pattern: CasePattern, worst: Compared) -> Iterator[str]:
    if pattern.verdict not in (Verdict.SLOWER, Verdict.FASTER):
        yield f"Verdict: {pattern.verdict.value}."
    if worst.ratio is not None and worst.metric is not Metric.INSTRUCTIONS:
        yield f"{worst.ratio.pairs} pairs of runs."


def _grown(grown: tuple[Grown, ...]) -> Iterator[str]:
    """The functions behind it, with their share of the change."""
    names = [f"{each.name} ({share_text(abs(each.share))})" for each in grown[:MOST_GROWN] if each.share > 0]
    if names:
        yield f"Functions with the largest part in it: {', '.join(names)}."


def _case(compared: Compared, check: Check) -> ComparedCase:
    return ComparedCase(
        compared.case.benchmark,
        difference(compared.case.configuration, check.default),
        compared.verdict.value,
        None if compared.ratio is None else _effect(compared.ratio),
        compared.threshold,
        *_levels(compared),
        compared.reason,
    )


def _left_out(check: Check) -> Iterator[str]:
    yield from map(dropped_text, check.dropped)
    yield from reasons(in_order(check))
    yield from filter(None, (not_executed_text(check), audits_text(check)))


def _facts(check: Check) -> Iterator[ReportFact]:
    rules = rules_text(check)
    if rules:
        yield ReportFact("Project file", rules)
