"""The cases of a check that are worth a row, as a table or, where that is too wide, in two lines each."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.findings.comparisons import Check, Compared, Verdict
from sonde.report.check.moved import moved_texts
from sonde.report.check.words import in_order, interval, near_thresholds, reasons, signed
from sonde.report.flow import paragraph
from sonde.report.labels import difference, shortened_inside
from sonde.report.quantities import counted, quantity
from sonde.report.tables import GAP, shortened, table, width

MOST_ROWS = 12
LEAST_CONFIGURATION = 16  # columns; a table that leaves less to it is none
_HEAD = ("", "benchmark", "configuration", "base", "head", "change", "interval")


def rows_text(check: Check, most: int) -> str:
    """What changed or is not decided; how many are equal."""
    told = [each for each in in_order(check) if each.verdict is not Verdict.EQUAL]
    lines = []
    if told:
        lines.append(_table_or_lines([row(each, check) for each in told[:MOST_ROWS]], most))
        if len(told) > MOST_ROWS:
            lines.append(f"and {len(told) - MOST_ROWS:,} more; --json lists them all")
        said = (*near_thresholds(told), *reasons(told), *moved_texts(told, check.default))
        lines += [paragraph(each, most) for each in said]
    equal = sum(each.verdict is Verdict.EQUAL for each in check.compared)
    if equal and told:
        lines.append(
            paragraph(f"{counted(equal, 'other case')} measured: no change beyond the threshold", most)
        )
    return "\n".join(lines)


def row(each: Compared, check: Check) -> tuple[str, ...]:
    """The cells of one case."""
    base, head = (
        quantity(value, each.metric) if value is not None else ""
        for value in (each.base_value, each.head_value)
    )
    change, where = (signed(each.ratio.log), interval(each.ratio)) if each.ratio else ("", "")
    configuration = difference(each.case.configuration, check.default)
    is_audit = check.audits is not None and any(one.compared is each for one in check.audits.cases)
    verdict = f"{each.verdict.value}, audit" if is_audit else each.verdict.value
    return verdict, each.case.benchmark, configuration, base, head, change, where


def _table_or_lines(rows: Sequence[Sequence[str]], most: int) -> str:
    """A table whose configurations are cut to what is left for them, or lines if that is too little."""
    widths = [max(map(width, column)) for column in zip(_HEAD, *rows, strict=True)]
    others = sum(widths) - widths[2] + len(GAP) * (len(widths) - 1)
    left = most - others
    if left < min(LEAST_CONFIGURATION, widths[2]):
        return "\n".join(_lines(each, most) for each in rows)
    cut = [(*each[:2], shortened_inside(each[2], left), *each[3:]) for each in rows]
    return table(_HEAD, cut, right="   rrrr")


def _lines(cells: Sequence[str], most: int) -> str:
    """One case: what it is, then its figures."""
    verdict, benchmark, configuration, base, head, change, where = cells
    lines = [shortened(f"{verdict}{GAP}{benchmark}, {configuration}", most)]
    if change:
        figures = f"{GAP}{base} -> {head}{GAP}{change}"
        is_one = width(figures + GAP + where) <= most
        lines += [figures + GAP + where] if is_one else [figures, GAP + where]
    return "\n".join(shortened(line, most) for line in lines)
