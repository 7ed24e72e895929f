"""Writes a new store from what can be read of a damaged one."""

from __future__ import annotations

import itertools
import shutil
import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sonde.core.errors import CorruptStore, StoreNotWritable
from sonde.core.findings.repairs import Repaired, Rescued
from sonde.effects.store.rescue import Row, StoreColumn, TableReader, columns_of
from sonde.effects.store.sqlite_store import UNREADABLE, SqliteStore, explained, open_store
from sonde.effects.store.table import RecordTable
from sonde.effects.store.tables import TABLES

# In an order in which each table comes behind those that it refers to.
TABLE_NAMES = (
    *("contexts", "configurations", "measurements", "inputs", "builds", "points", "samples", "failures"),
    *("snapshots", "profiles", "code_lines", "tuples", "audits"),
)


def is_sound(path: Path) -> bool:
    """Whether everything in a store can be read."""
    try:
        with open_store(path) as store:
            return store.setting("integrity_check") == "ok" and all(_can_read(store, kind) for kind in TABLES)
    except CorruptStore:
        return False


def _can_read(store: SqliteStore, kind: type) -> bool:
    deque(store.query(kind, {}), maxlen=0)
    return True


def repair_store(path: Path) -> Repaired:
    """Put a new store in the place of a damaged one, which is kept beside it."""
    fresh = path.with_name(f"{path.name}.repaired")
    _remove(fresh)
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as old:
            old.text_factory = bytes
            known = _known_columns(old)
            with explained(fresh):
                open_store(fresh).close()
                tables = tuple(_copied(old, fresh, known))
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter within a message of SQLite
        raise CorruptStore(
            f"{path}: no part of the store can be read ({error}). Move the file away to start without it."
        ) from error
    except StoreNotWritable:
        _remove(fresh)
        raise
    return Repaired(tables, str(_put_in_place(fresh, path)))


def _put_in_place(fresh: Path, path: Path) -> Path:
    """Where the damaged store lies now. There is a store at `path` at every moment."""
    damaged = _free_name(path)
    for suffix in ("-wal", "-shm", ""):
        if (each := path.with_name(path.name + suffix)).exists():
            _keep(each, damaged.with_name(damaged.name + suffix))
    for suffix in ("-wal", "-shm"):  # SQLite would take them for those of the new one
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    fresh.replace(path)
    return damaged


def _keep(file: Path, name: Path) -> None:
    """Give a file a second name, or a copy where there are no second names."""
    try:
        name.hardlink_to(file)
    except OSError:
        shutil.copy2(file, name)


def _known_columns(old: sqlite3.Connection) -> dict[str, frozenset[str]]:
    """The columns of each table that a damaged store has; those whose names are damaged are unknown."""
    tables = _names(row[0] for row in old.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))
    return {
        table: _names(row[1] for row in old.execute(f"PRAGMA table_info({table})"))
        for table in tables.intersection(TABLE_NAMES)
    }


def _names(raw: Iterable[bytes]) -> frozenset[str]:
    return frozenset(name.decode(errors="replace") for name in raw)


def _copied(old: sqlite3.Connection, fresh: Path, known: Mapping[str, Set[str]]) -> Iterator[Rescued]:
    kinds = {table.table: table for table in TABLES.values()}
    with closing(sqlite3.connect(fresh, isolation_level=None)) as new:
        new.execute("PRAGMA foreign_keys = ON")
        for name in TABLE_NAMES:
            if name not in known:
                yield Rescued(name, 0, 0, is_whole=False)
                continue
            new.execute("BEGIN")
            columns = tuple(each for each in columns_of(new, name) if each.name in known[name])
            yield _copy(TableReader(old, name, columns), new, columns, kinds.get(name))
            new.execute("COMMIT")


def _copy(
    reader: TableReader,
    new: sqlite3.Connection,
    columns: Sequence[StoreColumn],
    kind: RecordTable[Any] | None,
) -> Rescued:
    name, kept, refused = reader.table, 0, 0
    insert = (
        f"INSERT INTO {name} ({', '.join(each.name for each in columns)}) "
        f"VALUES ({', '.join('?' * len(columns))})"
    )
    where = " AND ".join(f"{name}.{each} = ?" for each in reader.key)
    for row in reader.rows():
        if (
            row is not None
            and _takes(new, insert, row)
            and _makes_sense(new, kind, where, reader.key_of(row))
        ):
            kept += 1
            continue
        refused += 1
        if row is not None:
            new.execute(f"DELETE FROM {name} WHERE {where}", reader.key_of(row))
    return Rescued(name, kept, refused, reader.is_whole)


def _takes(new: sqlite3.Connection, insert: str, row: Row) -> bool:
    """Whether a row goes into the new store: it does not if what it refers to is lost."""
    try:
        new.execute(insert, row)
    except (sqlite3.IntegrityError, OverflowError):
        return False
    return True


def _makes_sense(new: sqlite3.Connection, kind: RecordTable[Any] | None, where: str, key: Row) -> bool:
    """Whether a row can be read as a record."""
    if kind is None:
        return True
    try:
        for row in new.execute(f"{kind.select} WHERE {where}", key):
            kind.read(row)
    except UNREADABLE:
        return False
    return True


def _free_name(path: Path) -> Path:
    numbers = itertools.count(1)
    return next(
        place for number in numbers if not (place := path.with_name(f"{path.name}.damaged-{number}")).exists()
    )


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
