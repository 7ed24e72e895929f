"""A store that lasts as long as the process: for replays and simulations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from sonde.core.protocols import Where
from sonde.core.records import (
    SNAPSHOT_FORMAT,
    AuditRecord,
    BuildRecord,
    Built,
    ContextRecord,
    FailureRecord,
    InputsRecord,
    LinesRecord,
    PointRecord,
    ProfileRecord,
    Record,
    SampleRecord,
    SnapshotRecord,
    TupleRecord,
)

R = TypeVar("R", bound=Record)


class MemoryStore:
    """A `Store` in a dictionary; nothing is durable."""

    def __init__(self) -> None:
        self._records: dict[tuple[object, ...], Record] = {}

    def append(self, *records: Record) -> None:
        """Keep `records`; what is known already stays as it is."""
        for record in records:
            identity = (type(record), *_identity(record))
            if _replaces(record, self._records.get(identity)):
                self._records[identity] = record

    def query(self, kind: type[R], where: Where) -> Iterator[R]:
        """The records of one kind whose fields have one of the given values, in order of appending."""
        found = [record for record in self._records.values() if isinstance(record, kind)]
        matching = [record for record in found if _is_readable(record) and _matches(record, where)]
        if kind in (SampleRecord, FailureRecord):
            matching.sort(key=_identity)
        return iter(matching)

    def forget(self, kind: type[Record], where: Where) -> int:
        """Remove such records; how many there were."""
        doomed = [
            identity
            for identity, record in self._records.items()
            if isinstance(record, kind) and _matches(record, where)
        ]
        for identity in doomed:
            del self._records[identity]
        return len(doomed)


def _identity(record: Record) -> tuple[Any, ...]:
    match record:
        case ContextRecord():
            return (record.context,)
        case InputsRecord():
            return (record.patterns, record.revision)
        case BuildRecord():
            return (record.build,)
        case PointRecord():
            return (record.context, record.point)
        case SampleRecord():
            return (record.measurement, record.sample.number)
        case FailureRecord():
            return (record.measurement, record.number)
        case SnapshotRecord():
            return (record.fingerprint,)
        case ProfileRecord():
            return (record.profile,)
        case LinesRecord():
            return (record.build,)
        case TupleRecord():
            return (record.context, record.child, record.parent, record.configuration)
        case AuditRecord():
            return (record.base, record.head, record.case, record.step, record.metric, record.threshold)


def _replaces(record: Record, known: Record | None) -> bool:
    """Whether `record` takes the place of what is known."""
    match record, known:
        case SnapshotRecord(), SnapshotRecord():
            return record.format > known.format
        case LinesRecord(), LinesRecord():
            return record.has_debug_build > known.has_debug_build
        case TupleRecord() | AuditRecord(), _:
            return True
        case _:
            return known is None


def _is_readable(record: Record) -> bool:
    return not isinstance(record, SnapshotRecord) or record.format == SNAPSHOT_FORMAT


def _matches(record: Record, where: Where) -> bool:
    return all(_field(record, name) in allowed for name, allowed in where.items())


def _field(record: Record, name: str) -> object:
    match record, name:
        case PointRecord() | ProfileRecord(), "revision":
            return record.point.revision
        case PointRecord() | ProfileRecord(), "configuration":
            return record.point.configuration.key
        case ProfileRecord(), "benchmark":
            return record.point.benchmark
        case TupleRecord(), "configuration":
            return record.configuration.key
        case AuditRecord(), "step":
            return record.step.value
        case BuildRecord(outcome=Built(fingerprint)), "fingerprint":
            return fingerprint
        case BuildRecord(), "fingerprint":
            return None
        case _:
            return getattr(record, name)
