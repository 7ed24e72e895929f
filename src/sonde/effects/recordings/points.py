"""The points of a recording, series by series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TypeAlias

from sonde.effects.recordings.errors import mistake, quoted
from sonde.effects.recordings.tables import find_table, integer, read_table

FILE_NAME = "points.csv"
KEY_COLUMNS = ("configuration", "benchmark")

SeriesKey: TypeAlias = tuple[str, str]  # configuration and benchmark


@dataclass(frozen=True)
class RecordedSeries:
    """What was measured of one configuration and benchmark."""

    configuration: str  # as the recording names it; empty where it has no such column
    benchmark: str
    revisions: tuple[int, ...]  # in increasing order
    values: tuple[float, ...]  # one a revision, positive and finite

    @property
    def key(self) -> SeriesKey:
        """What tells it apart from the other series of its recording."""
        return self.configuration, self.benchmark


@dataclass(frozen=True)
class Recording:
    """A folder of measured points."""

    name: str  # of the folder
    series: tuple[RecordedSeries, ...]  # in the order in which they first appear
    key_columns: tuple[str, ...]  # those of KEY_COLUMNS that it has
    left_out: int  # rows whose value is missing, NaN, infinite, zero or negative


def read_recording(folder: Path) -> Recording:
    """What the `points.csv` or `points.csv.gz` of a folder holds; raises RecordingError.

    A point may be listed again with the same value. A series without any value is not there.
    """
    file = _points_file(folder)
    shown = str(file)
    rows = read_table(file)
    head_line, head = next(rows)
    at_revision, at_value = (_position(shown, head_line, head, name) for name in ("revision", "value"))
    # A key that has no column is read from an empty cell at the end.
    at_configuration, at_benchmark = (head.index(name) if name in head else len(head) for name in KEY_COLUMNS)
    points: dict[SeriesKey, dict[int, float]] = {}
    left_out = 0
    for line, row in rows:
        row.append("")
        revision = integer(shown, line, row[at_revision])
        value = _number(shown, line, row[at_value])
        known = points.setdefault((row[at_configuration], row[at_benchmark]), {})
        if not 0 < value < inf:
            left_out += 1
        elif known.setdefault(revision, value) != value:
            message = (
                f"revision {revision} of this series is listed twice, first with the value {known[revision]}"
            )
            raise mistake(shown, line, f"{message}. Keep one of them.")
    if not any(points.values()):
        raise mistake(shown, 0, "no point has a positive value. Write one point per line.")
    return Recording(
        folder.resolve().name,
        tuple(_series(key, values) for key, values in points.items() if values),
        tuple(name for name in KEY_COLUMNS if name in head),
        left_out,
    )


def _points_file(folder: Path) -> Path:
    file = find_table(folder, FILE_NAME)
    if file is not None:
        return file
    if folder.is_dir():
        message = f"there is no {FILE_NAME} or {FILE_NAME}.gz in this folder. Name the folder of a recording."
    elif folder.exists():
        message = f"this is not a folder. Name the folder that contains {FILE_NAME}."
    else:
        message = f"this folder does not exist. Name one that contains {FILE_NAME} or {FILE_NAME}.gz."
    raise mistake(str(folder), 0, message)


def _position(shown: str, line: int, head: Sequence[str], name: str) -> int:
    if name not in head:
        there = quoted(", ".join(head))
        raise mistake(shown, line, f"there is no column '{name}' among {there}. Rename one, or add it.")
    return head.index(name)


def _number(shown: str, line: int, text: str) -> float:
    try:
        return float(text.strip() or "nan")
    except ValueError:
        message = f"the value {quoted(text)} is not a number. Leave it empty if there is none."
        raise mistake(shown, line, message) from None


def _series(key: SeriesKey, values: dict[int, float]) -> RecordedSeries:
    revisions, ordered = zip(*sorted(values.items()), strict=True)
    return RecordedSeries(*key, revisions, ordered)
