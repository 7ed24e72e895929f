"""The change points of one series, as a table."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sonde.core.findings.histories import ChangePoint, SeriesHistory
from sonde.core.revisions import History
from sonde.report.flow import flowing_table
from sonde.report.glyphs import Glyphs
from sonde.report.quantities import counted, quantity
from sonde.report.revisions import revision_range
from sonde.report.tables import shortened

AUTHOR_WIDTH = 20


def change_table(series: SeriesHistory, history: History, width: int, glyphs: Glyphs) -> str:
    """The change points, numbered from 1 as in the plot; the last column is cut to the width."""
    levels = [
        f"{quantity(change.before, series.metric)} {glyphs.arrow} {quantity(change.after, series.metric)}"
        for change in series.changes
    ]
    head = ["", "revision", "change", f"before {glyphs.arrow} after", "where", "author", "subject"]
    rows = [
        [
            str(number),
            revision_range(change.earliest, change.latest, history),
            _size(change),
            level,
            place(change),
            *_commit(change, history),
        ]
        for number, (change, level) in enumerate(zip(series.changes, levels, strict=True), 1)
    ]
    return flowing_table(head, rows, "r", width)


def place(change: ChangePoint) -> str:
    """How well its revision is known."""
    if change.revisions_apart > 1:
        return f"{counted(change.revisions_apart, 'revision')} apart"
    return "exact" if change.is_exact else "within noise"


def _size(change: ChangePoint) -> str:
    return with_interval(change) + (" in all" if change.revisions_apart > 1 else "")


def _commit(change: ChangePoint, history: History) -> tuple[str, str]:
    """Author and subject; a range is not one person's work."""
    if not change.is_exact:
        return "", ""
    revision = history[change.position]
    return shortened(revision.author, AUTHOR_WIDTH), revision.subject


def with_interval(change: ChangePoint) -> str:
    """The change with its 90 % interval: `+12.3 % (11.0 to 13.5)`, or `x52.6 (51.0 to 54.2)`."""
    effects = change.effect, change.effect_low, change.effect_high
    if _is_huge(change.effect):
        effect, low, high = (f"{math.exp(effect):.3g}" for effect in effects)
        return f"x{effect} ({low} to {high})"
    digits = _digits(effects)
    low, high = (f"{100 * math.expm1(effect):.{digits}f}" for effect in effects[1:])
    return f"{100 * math.expm1(change.effect):+.{digits}f} % ({low} to {high})"


def in_percent(effect: float) -> str:
    """A log ratio as a signed change in percent, or as a factor where that reads better."""
    if _is_huge(effect):
        return f"x{math.exp(effect):.3g}"
    return f"{100 * math.expm1(effect):+.{_digits([effect])}f} %"


def _is_huge(effect: float) -> bool:
    """Whether it is a factor of more than ten, or less than one in a thousand."""
    return effect > math.log(10) or effect < -math.log(1000)


def _digits(effects: Sequence[float]) -> int:
    """How many digits after the point leave about three that count."""
    largest = max(abs(100 * math.expm1(effect)) for effect in effects)
    return 2 if largest < 1 or 99 <= largest < 100 else 1 if largest < 100 else 0
