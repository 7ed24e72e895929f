"""How performance evolved: plots and change points, or an overview of many series; and as JSON."""

from __future__ import annotations

import math
from statistics import median

from sonde.core.findings.histories import ChangePoint, Estimate, Histories, Known, SeriesHistory
from sonde.core.revisions import History, short
from sonde.report.cost import ending_text
from sonde.report.flow import paragraph
from sonde.report.glyphs import ASCII, UNICODE, Glyphs
from sonde.report.history.change_table import change_table
from sonde.report.history.many_series import revisions_table, series_table
from sonde.report.labels import series_name
from sonde.report.plots.series import plot
from sonde.report.quantities import counted
from sonde.report.revisions import place_json, revisions_json
from sonde.report.tables import shortened

MOST_PLOTS = 6  # more series than this are told in a line each
RANGES = (
    "If there are unmeasured revisions between two measured ones, the size is the total "
    "change of all of them. --exact measures these revisions, unless they fail."
)


def history_text(histories: Histories, width: int, unicode: bool = True) -> str:
    """What `history` found, on lines of at most `width` columns, 40 or more; then what it cost."""
    glyphs = UNICODE if unicode else ASCII
    if len(histories.series) <= MOST_PLOTS:
        blocks = [_series_text(series, histories, width, glyphs) for series in histories.series]
    else:
        blocks = [
            series_table(histories, width, glyphs),
            revisions_table(histories, width),
            paragraph(_overview(histories, glyphs), width),
        ]
    ending = paragraph(ending_text(histories.ending, histories.spent), width)
    return glyphs.written("\n\n".join(block for block in [*blocks, ending] if block))


def _series_text(series: SeriesHistory, histories: Histories, width: int, glyphs: Glyphs) -> str:
    """The plot of a series, its change points, and how its revisions are known."""
    title = f"{series_name(series, histories.default)}: {series.metric.value}"
    if series.reference is not None:
        title += f" beside {short(series.reference)}"
    parts = [
        shortened(title, width),
        *plot(series, histories.history, width, glyphs=glyphs),
        "",
        change_table(series, histories.history, width, glyphs)
        if series.changes
        else paragraph(_no_change(series), width),
        *_range_note(series, width),
        "",
        paragraph(_summary((series,), glyphs), width),
    ]
    return "\n".join(parts)


def _range_note(series: SeriesHistory, width: int) -> list[str]:
    """What it means that a change is a range."""
    if all(change.revisions_apart == 1 for change in series.changes):
        return []
    return ["", paragraph(RANGES, width)]


def _no_change(series: SeriesHistory) -> str:
    """Never compared is not the same as unchanged."""
    if series.measured + series.proven < 2:
        return "Too few points were measured to find a change."
    return "No change found."


def _overview(histories: Histories, glyphs: Glyphs) -> str:
    changed = sum(bool(series.changes) for series in histories.series)
    compared = sum(series.measured + series.proven >= 2 for series in histories.series)
    text = f"{changed:,} of {len(histories.series):,} series changed. "
    if compared < len(histories.series):
        text += f"Too few points were measured to judge the other {len(histories.series) - compared:,}. "
    return text + _summary(histories.series, glyphs)


def _summary(series: tuple[SeriesHistory, ...], glyphs: Glyphs) -> str:
    """How many revisions are known in which way, and how well."""
    known = [estimate for each in series for estimate in each.estimates if estimate is not None]
    parts = {
        "measured": sum(each.measured for each in series),
        "proven equal": sum(each.proven for each in series),
        "estimated": sum(map(_count_estimated, series)),
        "failed": sum(len(each.failed) for each in series),
        "without the options": sum(map(_count_absent, series)),
    }
    noun = "revision" if len(series) == 1 else "point"
    total = counted(sum(len(each.estimates) for each in series), noun)
    told = ", ".join(f"{number:,} {state}" for state, number in parts.items() if number)
    widths = [_half_width(estimate) for estimate in known if estimate.value]
    if not any(widths):
        return f"{total}: {told or 'nothing known'}."
    band = f"{glyphs.plus_minus}{100 * median(widths):.2g} %"
    return f"{total}: {told}. The 90 % band is typically {band}."


def _count_estimated(series: SeriesHistory) -> int:
    failed = set(series.failed)
    return sum(
        estimate is not None and estimate.known is Known.ESTIMATED and position not in failed
        for position, estimate in enumerate(series.estimates)
    )


def _count_absent(series: SeriesHistory) -> int:
    failed = set(series.failed)
    return sum(
        estimate is None and position not in failed for position, estimate in enumerate(series.estimates)
    )


def _half_width(estimate: Estimate) -> float:
    """Of the 90 % band, as a share of the value."""
    return (estimate.high - estimate.low) / 2 / abs(estimate.value)


def history_json(histories: Histories) -> dict[str, object]:
    """Everything that is known.

    - revisions: position (from 0), id, committed_at (seconds since the epoch), author, subject
    - series: configuration, benchmark, metric, reference (the revision that ran beside each run, in whose
      seconds times are; null: none did), measured and proven (numbers of revisions), failed
      (positions), estimates and changes
    - estimates: one a revision: value, low and high (of the 90 % band), known ("measured", "proven equal" or
      "estimated"); null where the revision lacks an option of the configuration
    - changes: between (the ids of the two revisions that differ, which are measured or proven); earliest and
      latest (positions at which the change can be) and position (the most likely one); is_exact (it is at one
      position, and clear of noise), and only then revision, author and subject, else null; before and after
      (values of the two); effect (log ratio, after / before), effect_low and effect_high (of its 90 %
      interval), and these in percent: percent, percent_low and percent_high
    - default (configuration), planner, ending, spent: builds, runs, seconds

    Values are in the unit of the metric: seconds, bytes, or a number.
    """
    spent = histories.spent
    return {
        "revisions": revisions_json(histories.history),
        "default": dict(histories.default.values),
        "series": [_series_json(series, histories.history) for series in histories.series],
        "planner": histories.planner,
        "ending": histories.ending,
        "spent": {"builds": spent.builds, "runs": spent.runs, "seconds": spent.seconds},
    }


def _series_json(series: SeriesHistory, history: History) -> dict[str, object]:
    return {
        "configuration": dict(series.configuration.values),
        "benchmark": series.benchmark,
        "metric": series.metric.value,
        "reference": series.reference,
        "measured": series.measured,
        "proven": series.proven,
        "failed": list(series.failed),
        "estimates": [_estimate_json(estimate) for estimate in series.estimates],
        "changes": [_change_json(change, history) for change in series.changes],
    }


def _estimate_json(estimate: Estimate | None) -> dict[str, object] | None:
    if estimate is None:
        return None
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "known": estimate.known.value,
    }


def _change_json(change: ChangePoint, history: History) -> dict[str, object]:
    return {
        **place_json(change, history),
        "before": change.before,
        "after": change.after,
        "effect": change.effect,
        "effect_low": change.effect_low,
        "effect_high": change.effect_high,
        "percent": 100 * math.expm1(change.effect),
        "percent_low": 100 * math.expm1(change.effect_low),
        "percent_high": 100 * math.expm1(change.effect_high),
    }
