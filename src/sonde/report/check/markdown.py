"""Whether a revision is slower, as Markdown: for the summary of a CI job or a comment."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.findings.comparisons import Check, Verdict
from sonde.report.check.audits import alarm_command, alarm_text, audits_text
from sonde.report.check.moved import moved_texts
from sonde.report.check.rows import row
from sonde.report.check.text import culprit_text, growth_text
from sonde.report.check.words import (
    base_text,
    dropped_text,
    headline,
    in_order,
    near_thresholds,
    not_executed_text,
    outputs,
    reasons,
    rules_text,
    saving_text,
)
from sonde.report.quantities import counted
from sonde.report.revisions import revision_text

MOST_ROWS = 50
WIDE = 10_000  # columns: a renderer breaks lines itself
_HEAD = ("verdict", "benchmark", "configuration", "base", "head", "change", "interval")


def check_markdown(check: Check) -> str:
    """The verdict, the rows that changed, then what was skipped and why, then cost and saving."""
    between = f"{_plain(revision_text(check.head))}, compared with {_plain(base_text(check))}"
    parts = [f"### Sonde: {_plain(headline(check))}", between]
    if alarm := alarm_text(check):
        parts.append(f"> **{_plain(alarm)}**")
    if command := alarm_command(check):
        parts.append(f"```\n{command}\n```")
    told = [each for each in in_order(check) if each.verdict is not Verdict.EQUAL]
    if told:
        parts.append(_table([row(each, check) for each in told[:MOST_ROWS]]))
    if len(told) > MOST_ROWS:
        parts.append(f"and {len(told) - MOST_ROWS:,} more")
    said = (*near_thresholds(told), *reasons(told), *moved_texts(told, check.default))
    parts += [_plain(each) for each in said]
    if equal := sum(each.verdict is Verdict.EQUAL for each in check.compared):
        parts.append(f"{counted(equal, 'case')} measured: no change beyond the threshold.")
    parts += [_plain(each) for each in outputs(check)]
    growth = [growth_text(each, check, WIDE) for each in check.patterns if not check.culprits]
    culprits = [culprit_text(each, check, WIDE) for each in check.culprits]
    parts += [f"```\n{each.replace('```', '')}\n```" for each in (*growth, *culprits) if each]
    if check.dropped:
        parts.append("\n".join(f"- {_plain(dropped_text(each))}" for each in check.dropped))
    if check.not_executed:
        parts.append(_plain(not_executed_text(check)))
    parts += filter(None, (_plain(audits_text(check)), saving_text(check), _plain(rules_text(check))))
    parts += [f"> Warning: {_plain(warning)}" for warning in check.warnings]
    return "\n\n".join(parts)


def _table(rows: Sequence[Sequence[str]]) -> str:
    lines = [
        _HEAD,
        ("---", "---", "---", "---:", "---:", "---:", "---:"),
        *([map(_plain, each) for each in rows]),
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _plain(text: str) -> str:
    """Text without anything that Markdown or HTML would take for its own, and without calling for anybody."""
    for letter in "\\`*_<>|[]~#&":
        text = text.replace(letter, f"\\{letter}")
    text = text.replace("@", "@<!-- -->")
    return text.replace("\n", "  \n")
