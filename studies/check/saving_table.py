"""The tables about what `sonde check` saves and misses."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isinf

from sonde.core.findings.comparisons import AuditOutcome
from sonde.core.revisions import short
from sonde.methods.comparison.auditing import tally_of
from studies.check.saving_judging import Alarm, Judged, Regression

MOST_LETTERS = 60  # of a subject


def saving_table(judged: Sequence[tuple[str, Judged]]) -> str:
    """A row for each history: what was measured of all there is, and what it took."""
    titles = "history|revisions|no answer|cases|proven|by impact|by sample|**measured**|builds|runs|minutes"
    rows = [f"| {titles.replace('|', ' | ')} |", "|---|---|---|---|---|---|---|---|---|---|---|"]
    for name, each in judged:
        checks, cases = each.answered, each.cases
        rows.append(
            f"| {name} | {len(each.checks)} | {len(each.checks) - len(checks)} | {cases:,} "
            f"| {_share(sum(c.proven for c in checks), cases)} "
            f"| {_share(sum(c.by_impact for c in checks), cases)} "
            f"| {_share(sum(c.by_sample for c in checks), cases)} "
            f"| **{_share(each.measured, cases)}** | {sum(c.builds for c in checks):,} "
            f"| {sum(c.runs for c in checks):,} | {sum(c.seconds for c in checks) / 60:.0f} |"
        )
    return "\n".join(rows)


def finding_table(judged: Sequence[tuple[str, Judged]]) -> str:
    """A row for each history: regressions, what was missed, and false alarms."""
    titles = "history|regressions|found|**missed**|cases not measured|false alarms|exit code 1|audits missed"
    rows = [f"| {titles.replace('|', ' | ')} |", "|---|---|---|---|---|---|---|---|"]
    for name, each in judged:
        found = len(each.regressions) - len(each.missed)
        cases = sum(one.configurations for one in each.regressions)
        unmeasured = sum(one.unmeasured for one in each.regressions if one.is_found)
        rows.append(
            f"| {name} | {len(each.regressions)} | {found} | **{len(each.missed)}** "
            f"| {unmeasured:,} of {cases:,} | {len(each.alarms)} | {_failing(each)} | {_audits(each)} |"
        )
    return "\n".join(rows)


def regression_table(regressions: Sequence[Regression]) -> str:
    """A row for each regression."""
    rows = ["| revision | benchmark | configurations | up to | found |", "|---|---|---|---|---|"]
    for each in regressions:
        subject = each.subject[:MOST_LETTERS]
        found = (
            "by an audit" if each.is_audited else "yes" if each.is_called else f"**no**, as {each.example}"
        )
        rows.append(
            f"| {short(each.revision)} {subject} | {each.benchmark} | {each.configurations} "
            f"| {_growth(each.largest)} | {found} |"
        )
    return "\n".join(rows) if regressions else "There is none."


def alarm_list(alarms: Sequence[Alarm]) -> str:
    """A line for each false alarm."""
    lines = [
        f"- {short(each.revision)}, {each.benchmark}, {each.configuration}: "
        f"{'failing' if each.said is None else _growth(each.said)} was said, {_growth(each.true)} is true"
        for each in alarms
    ]
    return "\n".join(lines)


def _failing(judged: Judged) -> str:
    """The revisions with a regression whose check ended with exit code 1."""
    codes = judged.slower_revisions.values()
    return "-" if None in codes else f"{sum(code == 1 for code in codes)} of {len(codes)}"


def _audits(judged: Judged) -> str:
    tally = tally_of(AuditOutcome(outcome) for outcome in judged.audits)
    if not tally.audited:
        return "-"
    return f"{tally.missed} of {tally.audited} (at most {ceil(1000 * tally.most_missed) / 10:.1f} %)"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _growth(growth: float) -> str:
    return "fails" if isinf(growth) else f"{100 * growth:+.1f} %"
