"""The tables of what selections rest on: snapshots, profiles, lines of code, and tuples to learn from."""

from __future__ import annotations

import json

from sonde.core.points import Point
from sonde.core.records import (
    LINES_FORMAT,
    PROFILE_FORMAT,
    SNAPSHOT_FORMAT,
    BuildKey,
    ContextKey,
    Fingerprint,
    LinesRecord,
    ProfileKey,
    ProfileRecord,
    SnapshotRecord,
    TupleRecord,
)
from sonde.core.revisions import RevisionId
from sonde.effects.store.evidence_codec import (
    decode_lines,
    decode_profile,
    decode_snapshot,
    encode_lines,
    encode_profile,
    encode_snapshot,
)
from sonde.effects.store.table import NEW_CONFIGURATION, RecordTable, Row, Statement, read_configuration


def _write_snapshot(record: SnapshotRecord) -> tuple[Statement, ...]:
    sql = (
        "INSERT INTO snapshots (fingerprint, format, content) VALUES (?, ?, ?) ON CONFLICT DO UPDATE "
        "SET format = excluded.format, content = excluded.content WHERE excluded.format > format"
    )
    return ((sql, (record.fingerprint, record.format, encode_snapshot(record.snapshot))),)


# An older format is as good as not there: nobody can read it any more.
SNAPSHOTS = RecordTable(
    write=_write_snapshot,
    select=(
        "SELECT fingerprint, format, content "
        f"FROM (SELECT * FROM snapshots WHERE format = {SNAPSHOT_FORMAT}) AS snapshots"
    ),
    order="id",
    read=lambda row: SnapshotRecord(Fingerprint(row[0]), row[1], decode_snapshot(row[2])),
    table="snapshots",
    fields={"fingerprint": "snapshots.fingerprint IN {}"},
)

_NEW_PROFILE = """
INSERT INTO profiles (key, format, benchmark, revision, configuration, profiled_at, content) VALUES (
    ?, ?, ?, ?, (SELECT id FROM configurations WHERE chosen = ?), ?, ?
) ON CONFLICT DO NOTHING
"""


def _write_profile(record: ProfileRecord) -> tuple[Statement, ...]:
    point, chosen = record.point, record.point.configuration.key
    where = (point.benchmark, point.revision, chosen)
    row = (record.profile, PROFILE_FORMAT, *where, record.profiled_at, encode_profile(record.content))
    return ((NEW_CONFIGURATION, (chosen,)), (_NEW_PROFILE, row))


def _read_profile(row: Row) -> ProfileRecord:
    key, benchmark, revision, chosen, profiled_at, content = row
    point = Point(RevisionId(revision), read_configuration(chosen), benchmark)
    return ProfileRecord(ProfileKey(key), point, profiled_at, decode_profile(content))


PROFILES = RecordTable(
    write=_write_profile,
    select=(
        "SELECT key, benchmark, revision, configurations.chosen, profiled_at, content "
        f"FROM (SELECT * FROM profiles WHERE format = {PROFILE_FORMAT}) AS profiles "
        "JOIN configurations ON configurations.id = profiles.configuration"
    ),
    order="profiles.id",
    read=_read_profile,
    table="profiles",
    fields={
        "profile": "profiles.key IN {}",
        "benchmark": "profiles.benchmark IN {}",
        "revision": "profiles.revision IN {}",
        "configuration": "profiles.configuration IN (SELECT id FROM configurations WHERE chosen IN {})",
    },
)

_NEW_LINES = """
INSERT INTO code_lines (build, format, has_debug_build, content) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
SET format = excluded.format, has_debug_build = excluded.has_debug_build, content = excluded.content
WHERE excluded.format > format OR excluded.has_debug_build > has_debug_build
"""


def _write_lines(record: LinesRecord) -> tuple[Statement, ...]:
    row = (record.build, LINES_FORMAT, record.has_debug_build, encode_lines(record.lines))
    return ((_NEW_LINES, row),)


CODE_LINES = RecordTable(
    write=_write_lines,
    select=(
        "SELECT build, has_debug_build, content "
        f"FROM (SELECT * FROM code_lines WHERE format = {LINES_FORMAT}) AS code_lines"
    ),
    order="id",
    read=lambda row: LinesRecord(BuildKey(row[0]), bool(row[1]), decode_lines(row[2])),
    table="code_lines",
    fields={"build": "code_lines.build IN {}"},
)

_NEW_TUPLE = """
INSERT INTO tuples (
    context, child, parent, configuration, indicators, effect, is_hit, is_proven, is_refused, seconds, hops
) VALUES (
    (SELECT id FROM contexts WHERE key = ?), ?, ?, (SELECT id FROM configurations WHERE chosen = ?),
    ?, ?, ?, ?, ?, ?, ?
) ON CONFLICT DO UPDATE SET indicators = excluded.indicators, effect = excluded.effect,
    is_hit = excluded.is_hit, is_proven = excluded.is_proven, is_refused = excluded.is_refused,
    seconds = excluded.seconds, hops = excluded.hops
"""


def _write_tuple(record: TupleRecord) -> tuple[Statement, ...]:
    chosen = record.configuration.key
    found = (json.dumps(record.values), record.effect, record.is_hit, record.is_proven, record.is_refused)
    row = (record.context, record.child, record.parent, chosen, *found, record.seconds, record.hops)
    return ((NEW_CONFIGURATION, (chosen,)), (_NEW_TUPLE, row))


def _read_tuple(row: Row) -> TupleRecord:
    context, child, parent, chosen, benchmark, indicators, effect, *judged, seconds, hops = row
    is_hit, is_proven, is_refused = map(bool, judged)
    return TupleRecord(
        ContextKey(context),
        RevisionId(child),
        RevisionId(parent),
        read_configuration(chosen),
        benchmark,
        tuple((name, float(value)) for name, value in json.loads(indicators)),
        effect,
        is_hit,
        is_proven,
        is_refused,
        seconds,
        hops,
    )


TUPLES = RecordTable(
    write=_write_tuple,
    select=(
        "SELECT contexts.key, child, parent, configurations.chosen, contexts.benchmark, indicators, effect, "
        "is_hit, is_proven, is_refused, seconds, hops FROM tuples "
        "JOIN contexts ON contexts.id = tuples.context "
        "JOIN configurations ON configurations.id = tuples.configuration"
    ),
    order="tuples.id",
    read=_read_tuple,
    table="tuples",
    fields={
        "context": "tuples.context IN (SELECT id FROM contexts WHERE key IN {})",
        "child": "tuples.child IN {}",
        "parent": "tuples.parent IN {}",
        "configuration": "tuples.configuration IN (SELECT id FROM configurations WHERE chosen IN {})",
        "benchmark": "tuples.context IN (SELECT id FROM contexts WHERE benchmark IN {})",
    },
)
