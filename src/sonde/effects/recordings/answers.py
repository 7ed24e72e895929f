"""What `sonde replay history` answers of a recording, as files that a judge can read."""

from __future__ import annotations

import csv
import gzip
import io
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite, isnan
from pathlib import Path
from typing import IO, TextIO, TypeAlias

from sonde.effects.recordings.errors import AnswerNotWritable
from sonde.effects.recordings.points import RecordedSeries, Recording

Row: TypeAlias = tuple[str | float, ...]


@dataclass(frozen=True)
class ReplayedSeries:
    """What a replay made of a series. Positions count in the revisions of the series, from 0."""

    series: RecordedSeries
    measured: frozenset[int]  # positions
    predicted: Sequence[float]  # one a revision, as `low` and `high`
    low: Sequence[float]  # of the 90 % interval
    high: Sequence[float]
    changes: Sequence[int]  # positions of the first revisions with a new value

    def __post_init__(self) -> None:
        revisions = len(self.series.revisions)
        for numbers in (self.predicted, self.low, self.high):
            if len(numbers) != revisions:
                raise ValueError(f"{len(numbers)} numbers are given for {revisions} revisions")
        if not all(map(isfinite, self.predicted)) or any(map(isnan, (*self.low, *self.high))):
            raise ValueError(f"a prediction of {self.series.key} is not a number")
        if not all(0 <= position < revisions for position in (*self.measured, *self.changes)):
            raise ValueError(f"a position is not one of the {revisions} from 0 on")


def write_rows(file: Path, recording: Recording, replayed: Iterable[ReplayedSeries]) -> None:
    """Write a row a point: its keys, revision, whether it was measured, prediction and interval.

    Series come in the order of the recording. A name that ends in .gz is packed. Raises AnswerNotWritable.
    """
    head = (*recording.key_columns, "revision", "measured", "predicted", "low", "high")
    ordered = _in_order(recording, replayed)
    _write(file, head, (row for each in ordered for row in _rows(_keys(recording, each.series), each)))


def write_changes(file: Path, recording: Recording, replayed: Iterable[ReplayedSeries]) -> None:
    """Write a row a change point: its keys and its revision, in order; otherwise as `write_rows`."""
    head = (*recording.key_columns, "revision")
    ordered = _in_order(recording, replayed)
    _write(file, head, (row for each in ordered for row in _changes(_keys(recording, each.series), each)))


def _rows(keys: Sequence[str], replayed: ReplayedSeries) -> Iterator[Row]:
    numbers = zip(replayed.series.revisions, replayed.predicted, replayed.low, replayed.high, strict=True)
    for position, (revision, predicted, low, high) in enumerate(numbers):
        yield *keys, revision, int(position in replayed.measured), float(predicted), float(low), float(high)


def _changes(keys: Sequence[str], replayed: ReplayedSeries) -> Iterator[Row]:
    for position in sorted(set(replayed.changes)):
        yield *keys, replayed.series.revisions[position]


def _in_order(recording: Recording, replayed: Iterable[ReplayedSeries]) -> list[ReplayedSeries]:
    order = {series.key: position for position, series in enumerate(recording.series)}
    return sorted(replayed, key=lambda each: order[each.series.key])


def _keys(recording: Recording, series: RecordedSeries) -> tuple[str, ...]:
    named = {"configuration": series.configuration, "benchmark": series.benchmark}
    return tuple(named[column] for column in recording.key_columns)


def _write(file: Path, head: Sequence[str], rows: Iterable[Row]) -> None:
    with _whole_file(file) as opened:
        # Texts in quotes: before Python 3.13, a carriage return would not get them when it needs them.
        writer = csv.writer(opened, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


@contextmanager
def _whole_file(file: Path) -> Iterator[TextIO]:
    """A file that gets its name when all is written: it is whole or not there, whenever we are killed."""
    try:
        target = Path(os.path.realpath(file))  # so that a link stays a link
        if target.is_dir():
            raise AnswerNotWritable(f"{file}: this is a folder. Name a file in it.")
        if target.exists() and not target.is_file():
            raise AnswerNotWritable(f"{file}: this is not a regular file. Name another.")
        if not target.parent.is_dir():
            raise AnswerNotWritable(f"{file}: the folder {file.parent} does not exist. Create it first.")
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".new-") as folder:
            unfinished = Path(folder, "answer")
            with unfinished.open("wb") as raw, _text(raw, file.name.endswith(".gz")) as opened:
                yield opened
            unfinished.replace(target)
    except OSError as error:
        raise AnswerNotWritable(
            f"{file}: cannot be written ({error.strerror}). Name a file in a folder that you can write to."
        ) from None


@contextmanager
def _text(raw: IO[bytes], is_packed: bool) -> Iterator[TextIO]:
    if not is_packed:
        with io.TextIOWrapper(raw, encoding="utf-8", newline="") as opened:
            yield opened
        return
    # Neither the time nor the name of the unfinished file, so that equal answers are equal bytes.
    with (
        gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="") as opened,
    ):
        yield opened
