"""Revisions and series as JSON: packed for the page, or in outline."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from sonde.core.findings.histories import ChangePoint
from sonde.core.results import Metric
from sonde.core.revisions import History
from sonde.report.harmless import harmless
from sonde.report.history.change_table import in_percent
from sonde.report.page.model import PlottedSeries
from sonde.report.page.packing import packed, packed_rows, rows_of
from sonde.report.page.sparks import spark

LEAST_ROWS = 500  # of a series
CHANGED_WEIGHT = 3  # a series with changes gets so many times the rows of one without

_UNITS = {
    Metric.CPU: "seconds",
    Metric.WALL: "seconds",
    Metric.INSTRUCTIONS: "count",
    Metric.MEMORY: "bytes",
    Metric.PRINTED: "plain",
}


def packed_revisions(history: History) -> str:
    """Revisions as packed JSON, in columns."""
    columns = {
        "id": [revision.id for revision in history],
        "committed_at": [revision.committed_at for revision in history],
        "author": [harmless(revision.author) for revision in history],
        "subject": [harmless(revision.subject) for revision in history],
    }
    return packed(json.dumps(columns, ensure_ascii=False, separators=(",", ":")).encode())


def row_shares(series: Sequence[PlottedSeries], most_rows: int) -> list[int]:
    """How many rows each series may have; those with changes get more."""
    weights = [CHANGED_WEIGHT if each.history.changes else 1 for each in series]
    total = sum(weights)
    return [max(LEAST_ROWS, most_rows * weight // total) for weight in weights]


def packed_series(series: PlottedSeries, most_rows: int) -> dict[str, object]:
    """A series with its course in packed rows."""
    rows = rows_of(series.history, most_rows)
    bucket = math.ceil(len(series.history.estimates) / len(rows)) if rows.is_bucketed else 1
    return {**series_outline(series), "bucket": bucket, "rows": len(rows), "packed": packed_rows(rows)}


def series_outline(series: PlottedSeries) -> dict[str, object]:
    """A series without its course."""
    history = series.history
    return {
        "benchmark": history.benchmark,
        "configuration": series.configuration,
        "options": list(series.options),
        "metric": history.metric.value,
        "unit": _UNITS[history.metric],
        "sentence": series.sentence,
        "measured": history.measured,
        "proven": history.proven,
        "failed": len(history.failed),
        "spark": spark(history.estimates),
        "changes": [_point(change) for change in history.changes],
    }


def _point(change: ChangePoint) -> dict[str, object]:
    return {
        "position": change.position,
        "earliest": change.earliest,
        "latest": change.latest,
        "before": change.before,
        "after": change.after,
        "size": in_percent(change.effect),
        "is_slower": change.effect > 0,
    }
