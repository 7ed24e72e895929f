"""Whether a revision is slower, in words."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from sonde.core.comparisons import Check, Compared, Culprit, Grown, Pattern, Verdict
from sonde.core.results import Metric
from sonde.report.check_words import (
    dropped_text,
    headline,
    in_order,
    interval,
    reasons,
    saving_text,
    signed,
)
from sonde.report.flow import paragraph
from sonde.report.labels import difference
from sonde.report.quantities import counted, quantity, share_text
from sonde.report.revisions import revision_text
from sonde.report.tables import shortened, table

MOST_ROWS = 12
MOST_GROWN = 5
MOST_NAME = 48  # columns


def check_text(check: Check, most: int) -> str:
    """The verdict first, then its evidence, what was left out and why, and what to do next."""
    heading = f"{revision_text(check.head)}\nCompared with {revision_text(check.base)}"
    parts = [heading, paragraph(headline(check), most), _rows(check, most)]
    parts += [growth_text(each, check) for each in check.patterns if not check.culprits]
    parts += [culprit_text(each, check, most) for each in check.culprits]
    parts.append("\n".join(paragraph(dropped_text(each), most) for each in check.dropped))
    parts.append(paragraph(saving_text(check), most))
    parts.append(_next(check))
    parts += [paragraph(f"Warning: {warning}", most) for warning in check.warnings]
    return "\n\n".join(filter(None, parts))


def _rows(check: Check, most: int) -> str:
    """What changed or is not decided; how many are equal."""
    told = [each for each in in_order(check) if each.verdict is not Verdict.EQUAL]
    lines = []
    if told:
        head = ("", "benchmark", "configuration", "base", "head", "change", "interval")
        rows = [row(each, check) for each in told[:MOST_ROWS]]
        widest = max(24, most - 70)
        rows = [(*each[:2], shortened(each[2], widest), *each[3:]) for each in rows]
        lines.append(table(head, rows, right="   rrrr"))
        if len(told) > MOST_ROWS:
            lines.append(f"and {len(told) - MOST_ROWS:,} more; --json has them all")
        lines += [paragraph(reason, most) for reason in reasons(told)]
    if (equal := len(check.compared) - len(told)) and told:
        lines.append(f"{counted(equal, 'other case')} measured: no change beyond the threshold")
    return "\n".join(lines)


def row(each: Compared, check: Check) -> tuple[str, ...]:
    """The cells of one case."""
    base, head = (
        quantity(value, each.metric) if value is not None else ""
        for value in (each.base_value, each.head_value)
    )
    change, where = (signed(each.ratio.log), interval(each.ratio)) if each.ratio else ("", "")
    configuration = difference(each.case.configuration, check.default)
    return each.verdict.value, each.case.benchmark, configuration, base, head, change, where


def culprit_text(culprit: Culprit, check: Check, most: int) -> str:
    """Which revision did it, and in which functions."""
    name = f"{culprit.case.benchmark}, {difference(culprit.case.configuration, check.default)}"
    which = f"It was {revision_text(culprit.revision)}"
    if culprit.earliest != culprit.revision:
        which = f"It was between {culprit.earliest.short} and {revision_text(culprit.revision)}"
    sure = f"{share_text(culprit.confidence)} sure, {counted(culprit.probed, 'revision')} compared"
    found = paragraph(f"{which} ({name}; {culprit.reason}; {sure}).", most)
    return "\n".join([found, *grown_lines(culprit.grown)])


def growth_text(pattern: Pattern, check: Check) -> str:
    """The functions behind the largest change of a pattern; empty if nobody looked."""
    if not pattern.grown or pattern.worst is None:
        return ""
    name = f"{pattern.benchmark}, {difference(pattern.worst.configuration, check.default)}"
    return "\n".join([f"Own cost of functions ({name}):", *grown_lines(pattern.grown)])


def grown_lines(grown: Sequence[Grown]) -> list[str]:
    """One line a function."""
    rows = [
        (
            f"  {shortened(each.name, MOST_NAME)}",
            quantity(each.before, Metric.INSTRUCTIONS),
            "->",
            quantity(each.after, Metric.INSTRUCTIONS),
            f"{100 * each.share:.0f} % of the difference",
        )
        for each in grown[:MOST_GROWN]
    ]
    return table(("",) * 5, rows, right=" r rr").split("\n") if rows else []


def _next(check: Check) -> str:
    """Commands that lead on."""
    slow = next((each for each in in_order(check) if each.verdict is Verdict.SLOWER), None)
    both = f"{check.base.short}..{check.head.short}"
    if slow is not None and not check.culprits:
        case = ["-b", slow.case.benchmark]
        name = difference(slow.case.configuration, check.default)
        case += [] if name == "default" else ["-c", name]
        if check.head.parents[:1] != (check.base.id,):
            return f"$ sonde check {both} --bisect {both} {shlex.join(case)}"
        return f"$ sonde impact {check.head.short} -b {shlex.quote(slow.case.benchmark)}"
    if any(each.verdict is Verdict.INCONCLUSIVE for each in check.compared):
        return f"$ sonde check {both} --pairs 100"
    return ""
