"""How much the repetitions of recorded points deviate."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isnan
from pathlib import Path

from sonde.effects.recordings.errors import mistake, quoted
from sonde.effects.recordings.points import Recording, SeriesKey
from sonde.effects.recordings.tables import find_table, integer, read_table

FILE_NAME = "relative-deviation.csv"
REVISIONS_FILE_NAME = "revisions.csv"
FIRST_COLUMNS = ("configuration", "config_id")


def read_relative_deviations(folder: Path, recording: Recording) -> Mapping[SeriesKey, Mapping[int, float]]:
    """The relative deviation of each point, by series and revision; empty where the folder has no such file.

    The file has a row a configuration and a column a revision, under the name that `revisions.csv` gives it,
    or under its number where there is no such file. Cells may be empty. Rows of configurations that are not
    in the recording are passed over. Raises RecordingError.
    """
    file = find_table(folder, FILE_NAME)
    if file is None:
        return {}
    shown = str(file)
    rows = read_table(file)
    line, head = next(rows)
    if head[0] not in FIRST_COLUMNS:
        raise mistake(shown, line, "the first column is not 'configuration'. Write it.")
    if recording.key_columns != ("configuration",):
        message = "the file distinguishes configurations, but the points do not. Remove the file."
        raise mistake(shown, 0, message)
    revisions = _revisions(shown, line, head[1:], _names(folder))
    recorded = {series.configuration for series in recording.series}
    deviations: dict[SeriesKey, Mapping[int, float]] = {}
    for line, (configuration, *cells) in rows:
        key = (configuration, "")
        if key in deviations:
            message = f"configuration {quoted(configuration)} is listed twice. Remove one of them."
            raise mistake(shown, line, message)
        if configuration in recorded:
            read = [_deviation(shown, line, text) for text in cells]
            deviations[key] = {
                revision: deviation
                for revision, deviation in zip(revisions, read, strict=True)
                if not isnan(deviation)
            }
    return deviations


def _names(folder: Path) -> Mapping[str, int] | None:
    """The revision of each name, or None where they have no names."""
    file = find_table(folder, REVISIONS_FILE_NAME)
    if file is None:
        return None
    shown = str(file)
    rows = read_table(file)
    line, head = next(rows)
    if not {"revision", "name"} <= set(head):
        raise mistake(shown, line, "there are no columns 'revision' and 'name'. Add them.")
    at_revision, at_name = head.index("revision"), head.index("name")
    names: dict[str, int] = {}
    for line, row in rows:
        if row[at_name] in names:
            message = f"two revisions are called {quoted(row[at_name])}. Rename one of them."
            raise mistake(shown, line, message)
        names[row[at_name]] = integer(shown, line, row[at_revision])
    return names


def _revisions(shown: str, line: int, columns: list[str], names: Mapping[str, int] | None) -> list[int]:
    if names is None:
        return [integer(shown, line, column) for column in columns]
    for column in columns:
        if column not in names:
            message = f"no revision in {REVISIONS_FILE_NAME} is called {quoted(column)}. Add or rename it."
            raise mistake(shown, line, message)
    return [names[column] for column in columns]


def _deviation(shown: str, line: int, text: str) -> float:
    try:
        deviation = float(text.strip() or "nan")
    except ValueError:
        deviation = inf
    if deviation < 0 or deviation == inf:
        message = (
            f"the deviation {quoted(text)} is not a number of at least 0. Leave it empty if there is none."
        )
        raise mistake(shown, line, message)
    return deviation
