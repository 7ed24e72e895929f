"""Appending a sample, and reading one series out of 10 million samples.

Appending makes a sample durable on disk together with its point, in one transaction. The 10 million samples
are of one benchmark at 500 revisions in 1,100 configurations: 1,000 of them have 10 runs a point, 100 have
100. They were loaded in bulk, by SQL into the store's own tables and in the order of their keys. A series is
one configuration over all revisions; its time is that of opening the store and making its results.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from benchmarks.frame import Row, in_turn, medians_in_turn, seconds_of
from sonde.core.digests import digest
from sonde.core.options import Configuration
from sonde.core.points import Point
from sonde.core.records import (
    BuildKey,
    ContextKey,
    ContextRecord,
    MeasurementKey,
    PointRecord,
    Record,
    SampleRecord,
)
from sonde.core.results import Gauges, Measurement, Metric, Sample
from sonde.core.revisions import RevisionId
from sonde.effects.executors.knowledge import PointGrid, known_results
from sonde.effects.store import open_store

R = TypeVar("R", bound=Record)

REVISIONS = 500
RUNS = {10: 1_000, 100: 100}  # runs a point -> configurations that have so many
APPENDS = 500
READS = 15

_DISK = "/var/tmp"  # unlike /tmp, never in memory
_OPTIONS = 11
_CONTEXT = ContextRecord(ContextKey(digest("context")), "compress", Metric.CPU, "a machine", "{}")
_CONFIGURATIONS = sum(RUNS.values())
_SAMPLES = REVISIONS * sum(runs * configurations for runs, configurations in RUNS.items())


def rows() -> Iterable[Row]:
    """Times of writing and reading."""
    with TemporaryDirectory(dir=_DISK) as name:
        folder = Path(name)
        yield from _append_rows(folder / "new.sqlite", "a new store")
        full = folder / "full.sqlite"
        _fill(full)
        yield Row(f"file of {_SAMPLES:,} samples", full.stat().st_size / 1e6, "MB")
        yield from _series_rows(full)
        yield from _append_rows(full, f"a store of {_SAMPLES:,}")


def _append_rows(path: Path, words: str) -> Iterator[Row]:
    records = [_records(number) for number in range(APPENDS)]
    lines = [json.dumps(repr(each)) + "\n" for each in records]
    ours, theirs, plain = iter(records), iter(lines), iter(lines)
    with (
        open_store(path) as store,
        path.with_suffix(".jsonl").open("w") as file,
        closing(sqlite3.connect(path.with_suffix(".peer"), isolation_level=None)) as connection,
    ):
        store.append(_CONTEXT)
        for statement in (
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "CREATE TABLE lines (line)",
        ):
            connection.execute(statement)

        def write_line() -> None:
            file.write(next(theirs))
            file.flush()
            os.fsync(file.fileno())

        acts: Mapping[str, Callable[[], object]] = {
            "ours": lambda: store.append(*next(ours)),
            "line": write_line,
            "sqlite": lambda: connection.execute("INSERT INTO lines VALUES (?)", (next(plain),)),
        }
        times = in_turn(acts, APPENDS)
    what = f"append a sample with its point to {words}"
    peers = {"line": "a line of text, and fsync", "sqlite": "sqlite3, the line into one table"}
    for name, peer in peers.items():
        yield Row(what, times["ours"] * 1e3, "ms", 5.0, peer, times[name] * 1e3)


def _records(number: int) -> tuple[PointRecord, SampleRecord]:
    key = MeasurementKey(digest("appended", number))
    revision = RevisionId(digest("revision", number)[:40])
    point = Point(revision, _configuration(_CONFIGURATIONS), _CONTEXT.benchmark)
    metrics = ((Metric.CPU, 1.25), (Metric.WALL, 1.5), (Metric.MEMORY, 5e6))
    sample = Sample(0, metrics, 1.7e9 + number, Gauges(3, 0.01))
    return PointRecord(_CONTEXT.context, point, BuildKey(digest(revision)), key), SampleRecord(key, sample)


def _configuration(number: int) -> Configuration:
    return Configuration(tuple((f"option{bit:02}", bool(number >> bit & 1)) for bit in range(_OPTIONS)))


def _revision(position: int) -> RevisionId:
    return RevisionId(digest("loaded", position)[:40])


_FILL = """
WITH RECURSIVE numbers (number) AS
    (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < :runs - 1)
INSERT INTO samples (measurement, number, taken_at, instructions, cpu, wall, memory, printed,
    involuntary_switches, pressure)
SELECT id, number, 1.7e9 + number, NULL, 1 + (id * 7919 + number * 104729) % 1000 / 1e4,
    1.1 + (id * 7919 + number * 104729) % 1000 / 1e4, 5000000 + id % 1000 * 4096, NULL, number % 3, 0.01
FROM (SELECT measurement AS id FROM points WHERE configuration BETWEEN :first AND :last ORDER BY measurement)
CROSS JOIN numbers
"""


def _fill(path: Path) -> None:
    """Write all samples, without the care that a store takes of each."""
    with open_store(path) as store:
        store.append(_CONTEXT)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for setting in ("synchronous = OFF", "journal_mode = OFF", "cache_size = -500000"):
            connection.execute(f"PRAGMA {setting}")
        connection.execute("BEGIN")
        chosen = ((json.dumps(_configuration(number).values),) for number in range(_CONFIGURATIONS))
        connection.executemany("INSERT INTO configurations (chosen) VALUES (?)", chosen)
        keys = ((digest("filled", number),) for number in range(REVISIONS * _CONFIGURATIONS))
        connection.executemany("INSERT INTO measurements (key) VALUES (?)", keys)
        connection.executemany(
            "INSERT INTO points (context, revision, configuration, build, measurement) "
            "VALUES (1, ?, ?, ?, ?)",
            _points(),
        )
        first = 1
        for runs, configurations in RUNS.items():
            last = first + configurations - 1
            connection.execute(_FILL, {"runs": runs, "first": first, "last": last})
            first = last + 1
        connection.execute("COMMIT")
        found = connection.execute("SELECT count(*) FROM samples").fetchone()[0]
    if found != _SAMPLES:
        raise RuntimeError(f"{found:,} samples are in the store, not {_SAMPLES:,}")


def _points() -> Iterator[tuple[str, int, str, int]]:
    """Revision by revision, so that a series lies scattered over the file."""
    for position in range(REVISIONS):
        revision, build = _revision(position), digest("build", position)
        for number in range(_CONFIGURATIONS):
            yield revision, number + 1, build, position * _CONFIGURATIONS + number + 1


def _series_rows(path: Path) -> Iterator[Row]:
    number = 0
    for runs, configurations in RUNS.items():
        chosen = _configuration(number + configurations // 2)
        number += configurations
        ours, theirs = partial(_read_series, path, chosen, runs), partial(_select_series, path, chosen, runs)
        what = f"one series, {REVISIONS} revisions x {runs} runs"
        times = in_turn({"ours": ours, "sqlite": theirs}, READS)
        yield Row(what, times["ours"], "s", 0.1, "sqlite3, rows as tuples", times["sqlite"])
        cold = medians_in_turn(
            {
                "ours": partial(_seconds_from_disk, ours, path),
                "sqlite": partial(_seconds_from_disk, theirs, path),
            },
            rounds=READS,
        )
        yield Row(f"{what}, not in memory", cold["ours"], "s", None, "the same", cold["sqlite"])


def _seconds_from_disk(act: Callable[[], object], path: Path) -> float:
    """How long `act` takes where the system does not hold the file in memory."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return seconds_of(act)


def _read_series(path: Path, chosen: Configuration, runs: int) -> None:
    revisions = tuple(_revision(position) for position in range(REVISIONS))
    with open_store(path) as store:
        results = list(known_results(store, PointGrid((_CONTEXT.context,), revisions, (chosen,))))
    measurements = [result.outcome for result in results if isinstance(result.outcome, Measurement)]
    _expect(REVISIONS * runs, sum(len(measurement.samples) for measurement in measurements))


_SELECT = """
SELECT points.revision, samples.* FROM points JOIN samples ON samples.measurement = points.measurement
WHERE context = (SELECT id FROM contexts WHERE key = ?)
    AND configuration = (SELECT id FROM configurations WHERE chosen = ?)
    AND revision IN (SELECT value FROM json_each(?))
ORDER BY points.id, number
"""


def _select_series(path: Path, chosen: Configuration, runs: int) -> None:
    revisions = json.dumps([_revision(position) for position in range(REVISIONS)])
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute(_SELECT, (_CONTEXT.context, chosen.key, revisions)).fetchall()
    _expect(REVISIONS * runs, len(found))


def _expect(wanted: int, found: int) -> None:
    if found != wanted:
        raise RuntimeError(f"the series has {found:,} samples, not {wanted:,}")
