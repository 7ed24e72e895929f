"""Many series at a glance: a line each, then the revisions that changed most of them."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.findings.histories import Histories, SeriesHistory
from sonde.report.flow import flowing_table, paragraph
from sonde.report.glyphs import Glyphs
from sonde.report.history.change_table import AUTHOR_WIDTH, in_percent
from sonde.report.history.common_changes import CommonChange, common_changes
from sonde.report.labels import series_names, shortened_inside
from sonde.report.plots.sparkline import sparkline
from sonde.report.quantities import counted, quantity
from sonde.report.revisions import revision_range
from sonde.report.tables import GAP, shortened, table

SPARKLINE = 30
REVISIONS_SHOWN = 10
_NARROW = 80  # columns; below, the line has no room for values
_LEAST_NAME = 10


def series_table(histories: Histories, width: int, glyphs: Glyphs) -> str:
    """A line a series, those with the largest change first."""
    shown = sorted(histories.series, key=lambda series: -abs(_largest(series)))
    heads = ["history", "changes", "largest", *(["at", "now"] if width >= _NARROW else [])]
    columns = min(SPARKLINE, width // (4 if width >= _NARROW else 5))
    rows = [_cells(series, histories, columns, glyphs)[: len(heads)] for series in shown]
    taken = sum(max(map(len, column)) + len(GAP) for column in zip(heads, *rows, strict=True))
    room = max(width - taken, _LEAST_NAME)
    names = [shortened_inside(name, room) for name in series_names(shown, histories.default)]
    return table(["series", *heads], [[name, *row] for name, row in zip(names, rows, strict=True)], "llrrlr")


def _cells(series: SeriesHistory, histories: Histories, columns: int, glyphs: Glyphs) -> list[str]:
    last = series.estimates[-1] if series.estimates else None
    now = quantity(last.value, series.metric) if last is not None else ""
    line = sparkline(series.estimates, columns, glyphs.levels) or "unknown"
    if not series.changes:
        return [line, "", "", "", now]
    largest = max(series.changes, key=lambda change: abs(change.effect))
    return [
        line,
        str(len(series.changes)),
        in_percent(largest.effect),
        revision_range(largest.earliest, largest.latest, histories.history),
        now,
    ]


def _largest(series: SeriesHistory) -> float:
    return max((change.effect for change in series.changes), key=abs, default=0.0)


def revisions_table(histories: Histories, width: int) -> str:
    """The revisions that changed most series, with how many, and the least and the largest change."""
    common = common_changes(histories.series, REVISIONS_SHOWN)
    if not common:
        return ""
    rows = [_revision_row(each, histories) for each in common]
    if not any(each.exact for each in common):
        rows = [[*row[:2], *row[3:]] for row in rows]
    lines = [
        "Revisions that changed most series:",
        flowing_table([""] * len(rows[0]), rows, "lrr", width),
    ]
    further = sum(len(series.changes) for series in histories.series) - sum(
        len(each.changes) for each in common
    )
    if further:
        lines.append(f"{counted(further, 'further change')} at other revisions.")
    if not all(change.is_exact for each in common for change in each.changes):
        lines.append(paragraph(_CAVEAT, width))
    return "\n".join(lines)


_CAVEAT = (
    "A change that is only known as a range counts for the revision of the range that can "
    "have changed most series; an exact change is certain."
)


def _revision_row(common: CommonChange, histories: Histories) -> list[str]:
    revision = histories.history[common.position]
    return [
        revision.short if common.exact else _shared_range(common, histories),
        f"{common.series:,} of {len(histories.series):,} series",
        f"{common.exact:,} exact" if common.exact else "",
        _span([change.effect for change in common.changes]),
        shortened(revision.author, AUTHOR_WIDTH) if common.exact else "",
        revision.subject if common.exact else "",
    ]


def _shared_range(common: CommonChange, histories: Histories) -> str:
    """The revisions in which all of these changes can be."""
    first = max(change.earliest for change in common.changes)
    last = min(change.latest for change in common.changes)
    return revision_range(first, last, histories.history)


def _span(effects: Sequence[float]) -> str:
    low, high = in_percent(min(effects)), in_percent(max(effects))
    return low if low == high else f"{low} to {high}"
