"""The store in one SQLite file: write-ahead log, fsync at every commit, one writer at a time."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from sonde.core.errors import CorruptStore, NewerStore, StoreNotWritable
from sonde.core.protocols import Where
from sonde.core.records import Record
from sonde.effects.store.schema import APPLICATION_ID, MIGRATIONS, VERSION
from sonde.effects.store.tables import TABLES

R = TypeVar("R", bound=Record)

BUSY_SECONDS = 30.0

_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_DAMAGED = (
    "no such table",
    "no such column",
    "Could not decode to UTF-8",
    "unsupported file format",
)  # all of which SQLite calls an error
UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, OverflowError, StopIteration, zlib.error)


def open_store(path: Path) -> SqliteStore:
    """The store at `path`, made if there is none, brought up to the newest schema.

    Where nothing can be written, one that is there can be read all the same.
    """
    with explained(path):
        if path.exists() and not os.access(path.parent, os.W_OK):
            return SqliteStore(_opened_for_reading(path), path)
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return SqliteStore(connection, path)


def _opened_for_reading(path: Path) -> sqlite3.Connection:
    """A connection to a file beside which SQLite cannot make those that it works with."""
    log = path.with_name(f"{path.name}-wal")
    how = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
    connection = sqlite3.connect(f"file:{quote(str(path))}?{how}", uri=True, isolation_level=None)
    try:
        _require_ours(connection, path)
        if _pragma(connection, "user_version") < VERSION:
            raise StoreNotWritable(
                f"{path}: the store was written by an older Sonde and must be upgraded, which needs "
                "write access. Correct the permissions, or copy the folder and name the copy with "
                "--state."
            )
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    _require_ours(connection, path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    if _pragma(connection, "user_version") == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Two processes may open a new store at once: the version is read again under the write lock.
        for migration in MIGRATIONS[_pragma(connection, "user_version") :]:
            for statement in migration.split(";\n"):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _require_ours(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse what is no store of ours, before anything is written to it."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables and _pragma(connection, "application_id") != APPLICATION_ID:
        raise CorruptStore(
            f"{path}: this is an SQLite file, but not a store of Sonde. "
            "Move it away, or name another folder with --state."
        )
    version = _pragma(connection, "user_version")
    if version > VERSION:
        raise NewerStore(
            f"{path}: the store has schema {version}, this Sonde supports schemas up to {VERSION}. "
            "Update Sonde, or name another folder with --state."
        )


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns what SQLite and the file system say into an error that says what to do."""
    try:
        yield
    except OSError as error:
        raise StoreNotWritable(
            f"{path}: cannot be written ({error.strerror}). Everything stored so far is safe. Free "
            "disk space or correct the permissions, then run the same command again."
        ) from error
    except UnicodeDecodeError as error:  # within a message of SQLite, or within a text
        raise _damaged(path, error) from error
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the primary code
        if code in _FULL:
            raise StoreNotWritable(
                f"{path}: cannot be written ({error}). Everything stored so far is safe. Free disk "
                "space or correct the permissions, then run the same command again."
            ) from error
        if code in _CORRUPT or any(sign in str(error) for sign in _DAMAGED):
            raise _damaged(path, error) from error
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreNotWritable(
                f"{path}: another process has locked the store for {BUSY_SECONDS:.0f} s. "
                "Stop it, then run the same command again."
            ) from error
        raise


def _damaged(path: Path, error: Exception) -> CorruptStore:
    return CorruptStore(
        f"{path}: the store is damaged ({error}). Nothing was changed. `sonde doctor --repair` "
        "rebuilds it from the rows that can still be read."
    )


def _readable(value: object) -> object:
    """The same, with question marks for what is no Unicode."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else value


class SqliteStore:
    """A `Store` in one SQLite file. A thread that opened it is the only one to use it."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path

    def append(self, *records: Record) -> None:
        """Make all of `records` durable, or none; what is known already stays as it is."""
        statements = [statement for record in records for statement in TABLES[type(record)].write(record)]
        with self._transaction():
            for sql, row in statements:
                try:
                    self._connection.execute(sql, row)
                except UnicodeEncodeError:  # such as a reason that names a file whose name is no text
                    self._connection.execute(sql, tuple(map(_readable, row)))

    def query(self, kind: type[R], where: Where) -> Iterator[R]:
        """The records of one kind whose fields have one of the given values, in order of appending."""
        table = TABLES[kind]
        conditions, values = _conditions(table.fields, where)
        with explained(self.path):
            rows = self._connection.execute(f"{table.select} {conditions} ORDER BY {table.order}", values)
            for row in rows:
                try:
                    record = table.read(row)
                except UNREADABLE as error:
                    raise _damaged(self.path, error) from error
                yield record

    def forget(self, kind: type[Record], where: Where) -> int:
        """Remove such records, so that they can be taken again; how many there were."""
        table = TABLES[kind]
        conditions, values = _conditions(table.fields, where)
        with self._transaction():
            return self._connection.execute(f"DELETE FROM {table.table} {conditions}", values).rowcount

    def setting(self, pragma: str) -> object:
        """What SQLite says of one of its settings."""
        with explained(self.path):
            return self._connection.execute(f"PRAGMA {pragma}").fetchone()[0]

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with explained(self.path):
            # A deferred BEGIN upgrades its lock too late, and fails at once instead of waiting.
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                # A full disk may have ended the transaction already.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise


def _conditions(fields: Mapping[str, str], where: Where) -> tuple[str, list[str]]:
    parts = [fields[name].format("(SELECT value FROM json_each(?))") for name in where]
    values = [json.dumps(sorted(allowed)) for allowed in where.values()]
    return ("WHERE " + " AND ".join(parts) if parts else ""), values
