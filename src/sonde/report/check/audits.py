"""Audits in words: which changes they found, and how often leaving out was wrong so far."""

from __future__ import annotations

from math import ceil

from sonde.core.findings.comparisons import (
    AuditOutcome,
    Audits,
    AuditTally,
    Check,
    Compared,
    NarrowingStep,
    Verdict,
)
from sonde.core.results import Metric
from sonde.report.check.words import how_much, left_out_by, lowered
from sonde.report.labels import difference
from sonde.report.quantities import counted, share_text

MOST_TOLD = 3  # changes; the table has more
MOST_ALL = 1_000  # cases that anyone would measure at once
MORE_AUDITS = 100
_OUTCOMES = {
    AuditOutcome.MISSED: "changed",
    AuditOutcome.REPORTED: "changed as reported above",
    AuditOutcome.UNCHANGED: "unchanged",
    AuditOutcome.UNDECIDED: "inconclusive",
}
_ADVICE = {
    NarrowingStep.IMPACT: "Unless docs/impact.md lists the cause, please report this as a bug.",
    NarrowingStep.SAMPLE: "Use --strength 3 to cover combinations of more options.",
}


def alarm_text(check: Check) -> str:
    """The changes that nobody would have noticed without an audit; empty if there are none."""
    audits = check.audits
    if audits is None or not audits.missed:
        return ""
    missed = audits.missed
    told = [f"{_name(each, check)} {_change(each)}" for each in missed[:MOST_TOLD]]
    if len(missed) > MOST_TOLD:
        told.append(f"and {len(missed) - MOST_TOLD:,} more")
    found = "1 AUDIT FOUND A CHANGE" if len(missed) == 1 else f"{len(missed):,} AUDITS FOUND CHANGES"
    which = "This case was" if len(missed) == 1 else "These cases were"
    sentences = [
        f"{found} THAT WOULD HAVE BEEN MISSED: {'; '.join(told)}.",
        f"{which} skipped {left_out_by(audits.step)}, because {lowered(audits.reason)}.",
    ]
    if _has_more(check):
        sentences.append("Other skipped cases may also have changed.")
    if any(each.metric is not Metric.INSTRUCTIONS and each.ratio for each in missed):
        sentences.append("Times can also change because the code layout changed.")
    sentences.append(_ADVICE[audits.step])
    return " ".join(sentences)


def alarm_command(check: Check) -> str:
    """How to find out more after an alarm; empty if there is none, or if nothing else was left out."""
    if check.audits is None or not check.audits.missed or not _has_more(check):
        return ""
    how = "--all" if check.cases <= MOST_ALL else f"--audit {MORE_AUDITS}"
    return f"sonde check {check.base.short}..{check.head.short} {how}"


def _has_more(check: Check) -> bool:
    return any(not each.is_proven for each in check.dropped)


def audits_text(check: Check) -> str:
    """What was audited in this check and so far; empty if nothing ever was."""
    if check.audits is None:
        return ""
    parts = [_audited(check.audits) if check.audits.cases else "", _so_far(check.audits.tally)]
    return " ".join(filter(None, parts))


def _audited(audits: Audits) -> str:
    """Which cases, and what they say: `2 of 73 cases that were left out ...: no change`."""
    outcomes = [each.outcome for each in audits.cases]
    counts = {outcome: outcomes.count(outcome) for outcome in _OUTCOMES}
    said = ", ".join(f"{number} {_OUTCOMES[outcome]}" for outcome, number in counts.items() if number)
    if counts[AuditOutcome.UNCHANGED] == len(outcomes):
        said = "no change"
    if counts[AuditOutcome.UNDECIDED]:
        said += f" ({_first_reason(audits)})"
    of = f"{len(outcomes):,} of {counted(audits.left_out, 'case')}"
    return f"Audited: {of} that were skipped {left_out_by(audits.step)}, drawn at random: {said}."


def _first_reason(audits: Audits) -> str:
    undecided = (each for each in audits.cases if each.outcome is AuditOutcome.UNDECIDED)
    return next(undecided).compared.reason.rstrip(".")


def _so_far(tally: AuditTally) -> str:
    """How often leaving out was wrong, over all checks; the bound is rounded up."""
    if not tally.audited:
        return ""
    are = "is" if tally.undecided == 1 else "are"
    further = f" ({tally.undecided:,} more {are} inconclusive)" if tally.undecided else ""
    most = ceil(tally.most_missed * 1000 - 1e-9) / 10
    sure = share_text(tally.confidence)
    return (
        f"So far in this project, {tally.missed:,} of {counted(tally.audited, 'audited case')} "
        f"had a change that would have been missed: at most {most:.1f} % of skipped cases do, with {sure} "
        f"confidence{further}."
    )


def _name(compared: Compared, check: Check) -> str:
    return f"{compared.case.benchmark} with {difference(compared.case.configuration, check.default)}"


def _change(compared: Compared) -> str:
    match compared.verdict:
        case Verdict.SLOWER | Verdict.FASTER:
            return f"is {compared.verdict.value} by {how_much(compared.ratio)}"
        case Verdict.FAILS:
            return "fails at the head only"
        case _:
            return "failed at the base only"
