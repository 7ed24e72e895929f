"""Sizes, places and whole findings in words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sonde.core.findings.histories import SeriesHistory
from sonde.core.revisions import History, Revision
from sonde.report.history.change_table import in_percent
from sonde.report.page.model import ChangeEvidence, ListedChange
from sonde.report.quantities import counted, quantity
from sonde.report.revisions import revision_range
from sonde.report.tables import shortened

_LAST_SECOND = 253402300799  # of the year 9999
MOST_TOLD = 3  # changes in the sentence of a series
SUBJECT_WIDTH = 60


def date_text(revision: Revision) -> str:
    """The day of a revision, in UTC."""
    seconds = min(max(revision.committed_at, 0), _LAST_SECOND)
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def scope_text(history: History) -> str:
    """Which revisions: `90 revisions, 1a2b3c4d (2024-01-01) to 5e6f7a8b (2024-06-01)`."""
    first, last = history[0], history[-1]
    ends = f"{first.short} ({date_text(first)}) to {last.short} ({date_text(last)})"
    return f"{counted(len(history), 'revision')}, {ends}"


def lead_sentence(changes: Sequence[ListedChange], compared: int, all_series: int) -> str:
    """How much changed, and the change that matters most; `changes` are ranked."""
    if not changes:
        return _nothing_changed(compared, all_series)
    slower = sum(change.is_slower for change in changes)
    parts = [
        f"{counted(number, name)}"
        for number, name in ((slower, "regression"), (len(changes) - slower, "improvement"))
        if number
    ]
    return f"{' and '.join(parts)} found. {_largest(changes[0])}"


def _largest(change: ListedChange) -> str:
    what = "The most important regression" if change.is_slower else "The most important improvement"
    revision = change.revision
    when = f"{revision.short} of {date_text(revision)}"
    text = f"{what}: {change.benchmark} {in_percent(change.effect.log)} {change.where}, "
    if change.apart > 1:
        return f"{text}at one of {change.apart:,} revisions up to {when}."
    subject = shortened(revision.subject, SUBJECT_WIDTH)
    text += f"since {when} by {revision.author} (“{subject}”)"
    return f"{text}, within noise." if change.evidence is ChangeEvidence.UNCLEAR else f"{text}."


def _nothing_changed(compared: int, all_series: int) -> str:
    if not compared:
        return "No change can be found: fewer than two revisions of each series have a value."
    rest = all_series - compared
    text = f"No change found in {counted(compared, 'series').replace('seriess', 'series')}."
    return f"{text} {rest:,} more have too few values to compare." if rest else text


def series_sentence(series: SeriesHistory, history: History) -> str:
    """The changes of one series in order, and where it ends."""
    known = [estimate.value for estimate in series.estimates if estimate is not None]
    if not known:
        return "No value is known."
    start, end = quantity(known[0], series.metric), quantity(known[-1], series.metric)
    if not series.changes:
        few = series.measured + series.proven < 2
        return f"About {end}. " + ("Too few values to find a change." if few else "No change found.")
    largest = sorted(series.changes, key=lambda change: -abs(change.effect))[:MOST_TOLD]
    told = [
        f"{in_percent(change.effect)} at {revision_range(change.earliest, change.latest, history)}"
        for change in series.changes
        if change in largest
    ]
    more = len(series.changes) - len(told)
    rest = f" and {counted(more, 'smaller change')}" if more else ""
    return f"From {start} to {end}: {', '.join(told)}{rest}."
