"""A store that lasts as long as the process: for replays and simulations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from sonde.core.protocols import Where
from sonde.core.records import (
    BuildRecord,
    Built,
    ContextRecord,
    FailureRecord,
    InputsRecord,
    PointRecord,
    Record,
    SampleRecord,
)

R = TypeVar("R", bound=Record)


class MemoryStore:
    """A `Store` in a dictionary; nothing is durable."""

    def __init__(self) -> None:
        self._records: dict[tuple[object, ...], Record] = {}

    def append(self, *records: Record) -> None:
        """Keep `records`; what is known already stays as it is."""
        for record in records:
            self._records.setdefault((type(record), *_identity(record)), record)

    def query(self, kind: type[R], where: Where) -> Iterator[R]:
        """The records of one kind whose fields have one of the given values, in order of appending."""
        found = [record for record in self._records.values() if isinstance(record, kind)]
        matching = [record for record in found if _matches(record, where)]
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


def _matches(record: Record, where: Where) -> bool:
    return all(_field(record, name) in allowed for name, allowed in where.items())


def _field(record: Record, name: str) -> object:
    match record, name:
        case PointRecord(), "revision":
            return record.point.revision
        case PointRecord(), "configuration":
            return record.point.configuration.key
        case BuildRecord(outcome=Built(fingerprint)), "fingerprint":
            return fingerprint
        case BuildRecord(), "fingerprint":
            return None
        case _:
            return getattr(record, name)
