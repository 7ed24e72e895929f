"""How each kind of record is written to its tables and read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from sonde.core.points import Point
from sonde.core.records import (
    AuditRecord,
    BuildKey,
    BuildRecord,
    Built,
    ContextKey,
    ContextRecord,
    FailureRecord,
    Fingerprint,
    InputsRecord,
    LinesRecord,
    MeasurementKey,
    PointRecord,
    ProfileRecord,
    SampleRecord,
    SnapshotRecord,
    TupleRecord,
)
from sonde.core.results import Account, Failed, Gauges, Metric, Sample, Stage
from sonde.core.revisions import RevisionId
from sonde.effects.store.audit_table import AUDITS
from sonde.effects.store.evidence_tables import CODE_LINES, PROFILES, SNAPSHOTS, TUPLES
from sonde.effects.store.table import NEW_CONFIGURATION, RecordTable, Row, Statement, read_configuration


def _write_context(record: ContextRecord) -> tuple[Statement, ...]:
    sql = (
        "INSERT INTO contexts (key, benchmark, metric, environment, description) "
        "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
    )
    row = (record.context, record.benchmark, record.metric.value, record.environment, record.description)
    return ((sql, row),)


def _read_context(row: Row) -> ContextRecord:
    key, benchmark, metric, environment, description = row
    return ContextRecord(ContextKey(key), benchmark, Metric(metric), environment, description)


CONTEXTS = RecordTable(
    write=_write_context,
    select="SELECT key, benchmark, metric, environment, description FROM contexts",
    order="id",
    read=_read_context,
    table="contexts",
    fields={"context": "contexts.key IN {}", "benchmark": "contexts.benchmark IN {}"},
)


def _write_inputs(record: InputsRecord) -> tuple[Statement, ...]:
    sql = "INSERT INTO inputs (revision, patterns, tree) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    return ((sql, (record.revision, record.patterns, record.tree)),)


INPUTS = RecordTable(
    write=_write_inputs,
    select="SELECT revision, patterns, tree FROM inputs",
    order="patterns, revision",
    read=lambda row: InputsRecord(RevisionId(row[0]), row[1], row[2]),
    table="inputs",
    fields={"revision": "inputs.revision IN {}", "patterns": "inputs.patterns IN {}"},
)


def _write_build(record: BuildRecord) -> tuple[Statement, ...]:
    sql = (
        "INSERT INTO builds (key, revision, fingerprint, size_bytes, code, failure, output, timed_out_after, "
        "seconds, built_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
    )
    match record.outcome:
        case Built(fingerprint, size_bytes, code):
            outcome: Row = (fingerprint, size_bytes, code, None, None, None)
        case Failed(reason=reason, output=output, timed_out_after=timed_out_after):
            outcome = (None, None, None, reason, output, timed_out_after)
    return ((sql, (record.build, record.revision, *outcome, record.seconds, record.built_at)),)


def _read_build(row: Row) -> BuildRecord:
    key, revision, fingerprint, size_bytes, code, failure, output, timed_out_after, seconds, built_at = row
    outcome = (
        Failed(Stage.BUILD, failure, output, timed_out_after)
        if fingerprint is None
        else Built(Fingerprint(fingerprint), size_bytes, code and Fingerprint(code))
    )
    return BuildRecord(BuildKey(key), RevisionId(revision), outcome, seconds, built_at)


BUILDS = RecordTable(
    write=_write_build,
    select=(
        "SELECT key, revision, fingerprint, size_bytes, code, failure, output, timed_out_after, seconds, "
        "built_at FROM builds"
    ),
    order="id",
    read=_read_build,
    table="builds",
    fields={
        "build": "builds.key IN {}",
        "revision": "builds.revision IN {}",
        "fingerprint": "builds.fingerprint IN {}",
    },
)

_NEW_MEASUREMENT = "INSERT INTO measurements (key) VALUES (?) ON CONFLICT DO NOTHING"


_NEW_POINT = """
INSERT INTO points (context, revision, configuration, build, measurement) VALUES (
    (SELECT id FROM contexts WHERE key = ?), ?,
    (SELECT id FROM configurations WHERE chosen = ?), ?,
    (SELECT id FROM measurements WHERE key = ?)
) ON CONFLICT DO NOTHING
"""


def _write_point(record: PointRecord) -> tuple[Statement, ...]:
    chosen = record.point.configuration.key
    row = (record.context, record.point.revision, chosen, record.build, record.measurement)
    new_measurement = ((_NEW_MEASUREMENT, (record.measurement,)),) if record.measurement else ()
    return (*new_measurement, (NEW_CONFIGURATION, (chosen,)), (_NEW_POINT, row))


def _read_point(row: Row) -> PointRecord:
    context, benchmark, revision, chosen, build, measurement = row
    point = Point(RevisionId(revision), read_configuration(chosen), benchmark)
    key = None if measurement is None else MeasurementKey(measurement)
    return PointRecord(ContextKey(context), point, BuildKey(build), key)


POINTS = RecordTable(
    write=_write_point,
    select=(
        "SELECT contexts.key, contexts.benchmark, points.revision, configurations.chosen, points.build, "
        "measurements.key FROM points JOIN contexts ON contexts.id = points.context "
        "JOIN configurations ON configurations.id = points.configuration "
        "LEFT JOIN measurements ON measurements.id = points.measurement"
    ),
    order="points.id",
    read=_read_point,
    table="points",
    fields={
        "context": "points.context IN (SELECT id FROM contexts WHERE key IN {})",
        "revision": "points.revision IN {}",
        "configuration": "points.configuration IN (SELECT id FROM configurations WHERE chosen IN {})",
        "build": "points.build IN {}",
        "measurement": "points.measurement IN (SELECT id FROM measurements WHERE key IN {})",
    },
)

_METRICS = tuple(metric for metric in Metric)  # the columns of `samples`, in this order
_ACCOUNT = tuple(field.name for field in fields(Account))  # more of them


def _write_sample(record: SampleRecord) -> tuple[Statement, ...]:
    sample, gauges = record.sample, record.sample.gauges
    columns = ", ".join(metric.value for metric in _METRICS)
    sql = (
        f"INSERT INTO samples (measurement, number, taken_at, {columns}, involuntary_switches, pressure, "
        f"output, {', '.join(_ACCOUNT)}) VALUES ((SELECT id FROM measurements WHERE key = ?), "
        f"{', '.join('?' * (5 + len(_METRICS) + len(_ACCOUNT)))}) ON CONFLICT DO NOTHING"
    )
    values = tuple(sample.values.get(metric) for metric in _METRICS)
    row = (record.measurement, sample.number, sample.taken_at, *values)
    account = [getattr(gauges.account, name, None) for name in _ACCOUNT]
    return (
        (_NEW_MEASUREMENT, (record.measurement,)),
        (sql, (*row, gauges.involuntary_switches, gauges.pressure, sample.output or None, *account)),
    )


def _read_sample(row: Row) -> SampleRecord:
    (key, number, taken_at), values, (switches, pressure, output, *told) = row[:3], row[3:8], row[8:]
    metrics = tuple([(m, float(v)) for m, v in zip(_METRICS, values, strict=True) if v is not None])
    account = None if None in told else Account(float(told[0]), *map(int, told[1:]))
    gauges = Gauges(int(switches), float(pressure), account)
    sample = Sample(int(number), metrics, float(taken_at), gauges, output or "")
    return SampleRecord(MeasurementKey(key), sample)


SAMPLES = RecordTable(
    write=_write_sample,
    select=(
        "SELECT measurements.key, number, taken_at, instructions, cpu, wall, memory, printed, "
        f"involuntary_switches, pressure, output, {', '.join(_ACCOUNT)} FROM measurements "
        "JOIN samples ON samples.measurement = measurements.id"
    ),
    order="measurements.id, number",
    read=_read_sample,
    table="samples",
    fields={"measurement": "samples.measurement IN (SELECT id FROM measurements WHERE key IN {})"},
)


def _write_failure(record: FailureRecord) -> tuple[Statement, ...]:
    failed = record.failed
    sql = (
        "INSERT INTO failures (measurement, number, stage, reason, output, timed_out_after, failed_at) "
        "VALUES ((SELECT id FROM measurements WHERE key = ?), ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
    )
    what = (failed.stage.value, failed.reason, failed.output, failed.timed_out_after)
    row = (record.measurement, record.number, *what, record.failed_at)
    return ((_NEW_MEASUREMENT, (record.measurement,)), (sql, row))


def _read_failure(row: Row) -> FailureRecord:
    key, number, stage, reason, output, timed_out_after, failed_at = row
    failed = Failed(Stage(stage), reason, output, timed_out_after)
    return FailureRecord(MeasurementKey(key), number, failed, failed_at)


FAILURES = RecordTable(
    write=_write_failure,
    select=(
        "SELECT measurements.key, number, stage, reason, output, timed_out_after, failed_at "
        "FROM measurements "
        "JOIN failures ON failures.measurement = measurements.id"
    ),
    order="measurements.id, number",
    read=_read_failure,
    table="failures",
    fields={"measurement": "failures.measurement IN (SELECT id FROM measurements WHERE key IN {})"},
)

TABLES: Mapping[type, RecordTable[Any]] = {
    ContextRecord: CONTEXTS,
    InputsRecord: INPUTS,
    BuildRecord: BUILDS,
    PointRecord: POINTS,
    SampleRecord: SAMPLES,
    FailureRecord: FAILURES,
    SnapshotRecord: SNAPSHOTS,
    ProfileRecord: PROFILES,
    LinesRecord: CODE_LINES,
    TupleRecord: TUPLES,
    AuditRecord: AUDITS,
}
