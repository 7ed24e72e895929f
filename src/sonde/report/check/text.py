"""Whether a revision is slower, in words."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from sonde.core.findings.comparisons import Case, CasePattern, Check, Compared, Culprit, Grown, Verdict
from sonde.core.results import Metric
from sonde.report.check.audits import alarm_command, alarm_text, audits_text
from sonde.report.check.rows import rows_text
from sonde.report.check.words import (
    base_text,
    dropped_text,
    headline,
    in_order,
    not_executed_text,
    outputs,
    rules_text,
    saving_text,
)
from sonde.report.flow import paragraph
from sonde.report.labels import difference
from sonde.report.quantities import counted, quantity, share_text
from sonde.report.revisions import revision_text
from sonde.report.tables import GAP, shortened, table, width

MOST_GROWN = 5
MOST_NAME = 48  # columns
WIDE = 80


def check_text(check: Check, most: int) -> str:
    """The verdict first, then its evidence, what was left out and why, and what to do next."""
    heading = [revision_text(check.head), f"Compared with {base_text(check)}"]
    parts = ["\n".join(shortened(line, most) for line in heading)]
    parts += [paragraph(headline(check), most), _alarm(check, most), rows_text(check, most)]
    parts.append("\n".join(paragraph(each, most) for each in outputs(check)))
    parts += [growth_text(each, check, most) for each in check.patterns if not check.culprits]
    parts += [culprit_text(each, check, most) for each in check.culprits]
    parts.append("\n".join(paragraph(dropped_text(each), most) for each in check.dropped))
    parts.append(paragraph(not_executed_text(check), most))
    parts += [paragraph(audits_text(check), most), paragraph(saving_text(check), most)]
    parts.append(paragraph(rules_text(check), most))
    parts.append(_next(check))
    parts += [paragraph(f"Warning: {warning}", most) for warning in check.warnings]
    return "\n\n".join(filter(None, parts))


def _alarm(check: Check, most: int) -> str:
    """What would have been missed, and what to do about it."""
    command = alarm_command(check)
    return "\n".join(filter(None, (paragraph(alarm_text(check), most), f"$ {command}" if command else "")))


def culprit_text(culprit: Culprit, check: Check, most: int) -> str:
    """Which revision did it, and in which functions."""
    name = f"{culprit.case.benchmark}, {difference(culprit.case.configuration, check.default)}"
    which = f"the change is at {revision_text(culprit.revision)}"
    if culprit.earliest != culprit.revision:
        which = f"the change is between {culprit.earliest.short} and {revision_text(culprit.revision)}"
    sure = f"{share_text(culprit.confidence)} confidence, {counted(culprit.probed, 'revision')} compared"
    found = paragraph(f"{name}: {which} ({culprit.reason}; {sure}).", most)
    return "\n".join([found, *_grown(culprit.grown, most)])


def growth_text(pattern: CasePattern, check: Check, most: int) -> str:
    """The functions behind the largest change of a pattern; empty if nobody looked."""
    if not pattern.grown or pattern.worst is None:
        return ""
    name = f"{pattern.benchmark}, {difference(pattern.worst.configuration, check.default)}"
    return "\n".join(
        [shortened(f"Own cost of functions, in instructions ({name}):", most), *_grown(pattern.grown, most)]
    )


def _grown(grown: Sequence[Grown], most: int) -> list[str]:
    """One line a function, as much of its name as there is room for."""
    remark = " of the difference" if most >= WIDE else ""
    figures = [
        (
            quantity(each.before, Metric.INSTRUCTIONS),
            "->",
            quantity(each.after, Metric.INSTRUCTIONS),
            f"{100 * each.share:.0f} %{remark}",
        )
        for each in grown[:MOST_GROWN]
    ]
    if not figures:
        return []
    beside = sum(max(map(width, column)) for column in zip(*figures, strict=True)) + 5 * len(GAP)
    names = [f"{GAP}{shortened(each.name, min(MOST_NAME, most - beside))}" for each in grown]
    rows = [(name, *each) for name, each in zip(names, figures, strict=False)]
    return table(("",) * 5, rows, right=" r rr").split("\n")


def _next(check: Check) -> str:
    """Commands that lead on."""
    both = f"{check.base.short}..{check.head.short}"
    slow = _first(check, Verdict.SLOWER)
    if slow is not None and not check.culprits:
        if check.head.parents[:1] != (check.base.id,):
            return f"To find the revision:\n$ sonde check {both} --bisect {both} {_words(slow.case, check)}"
        if check.audits and slow in check.audits.missed:
            return ""  # sonde impact would say once more that it cannot be
        benchmark = shlex.quote(slow.case.benchmark)
        return f"How the change reaches hot code:\n$ sonde impact {check.head.short} -b {benchmark}"
    undecided = _first(check, Verdict.INCONCLUSIVE)
    if undecided is not None and undecided.ratio is not None:
        pairs = undecided.ratio.pairs_to_decide(undecided.threshold)
        if pairs is not None:
            return (
                f"To measure more pairs:\n$ sonde check {both} --pairs {pairs} "
                f"{_words(undecided.case, check)}"
            )
    return ""


def _first(check: Check, verdict: Verdict) -> Compared | None:
    return next((each for each in in_order(check) if each.verdict is verdict), None)


def _words(case: Case, check: Check) -> str:
    """A case as arguments; its configuration is always named, or all would be looked at."""
    return shlex.join(["-b", case.benchmark, "-c", difference(case.configuration, check.default)])
