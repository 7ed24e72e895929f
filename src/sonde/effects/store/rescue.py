"""Reads what a damaged store still holds, table by table, around what cannot be read."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

Row = tuple[Any, ...]

_TYPES: dict[str, tuple[type, ...]] = {
    "INTEGER": (int,),
    "REAL": (int, float),
    "TEXT": (str,),
    "BLOB": (bytes,),
}
_LONGEST_LEAP = 1 << 24  # in keys: beyond so many unreadable ones, nothing more is looked for


@dataclass(frozen=True)
class StoreColumn:
    """A column of a table, as its schema has it."""

    name: str
    type: str
    may_be_empty: bool
    place_in_key: int  # from 1; 0: no part of the primary key

    def takes(self, value: object) -> bool:
        """Whether a value may stand here."""
        return self.may_be_empty if value is None else isinstance(value, _TYPES[self.type])


def columns_of(connection: sqlite3.Connection, table: str) -> tuple[StoreColumn, ...]:
    """The columns of a table."""
    rows = connection.execute(f"PRAGMA table_info({table})").fetchall()
    return tuple(StoreColumn(name, type, not is_needed, place) for _, name, type, is_needed, _, place in rows)


class TableReader:
    """Reads the rows of a table from both ends, and leaps over what is damaged between them.

    The connection gives texts as bytes, since some may be none.
    """

    def __init__(self, connection: sqlite3.Connection, table: str, columns: tuple[StoreColumn, ...]) -> None:
        self._connection = connection
        self.table = table
        self._columns = columns
        self._select = f"SELECT {', '.join(each.name for each in columns)} FROM {table}"
        ordered = sorted(columns, key=lambda each: each.place_in_key)
        self._key = tuple(columns.index(each) for each in ordered if each.place_in_key)
        self.is_whole = True  # as far as was read

    def rows(self) -> Iterator[Row | None]:
        """Each row that can be read, once; None for one whose values are of wrong types."""
        seen: set[Row] = set()
        for raw in self._raw_rows():
            values = tuple(_decoded(each, value) for each, value in zip(self._columns, raw, strict=True))
            identity = self.key_of(values)
            if identity not in seen:
                seen.add(identity)
                fits = all(each.takes(value) for each, value in zip(self._columns, values, strict=True))
                yield values if fits else None

    def key_of(self, row: Row) -> Row:
        """The primary key of a row."""
        return tuple(row[at] for at in self._key)

    @property
    def key(self) -> tuple[str, ...]:
        """The names of the columns that the primary key is made of."""
        return tuple(self._columns[at].name for at in self._key)

    def _raw_rows(self) -> Iterator[Row]:
        last = yield from self._until_damaged(f"ORDER BY {', '.join(self.key)}")
        if self.is_whole:
            return
        end = yield from self._until_damaged(f"ORDER BY {', '.join(f'{name} DESC' for name in self.key)}")
        leap = 1
        # Keys that are no numbers cannot be leapt over.
        while isinstance(last, int) and isinstance(end, int) and last + leap < end and leap < _LONGEST_LEAP:
            first = self.key[0]
            between = f"WHERE {first} >= {last + leap} AND {first} < {end} ORDER BY {', '.join(self.key)}"
            reached = yield from self._until_damaged(between)
            if isinstance(reached, int) and reached >= last + leap:
                last, leap = reached, 1
            else:
                leap *= 2

    def _until_damaged(self, order: str) -> Generator[Row, None, object]:
        """Rows up to the first that cannot be read; returns how far the first column of the key came."""
        last = None
        try:
            for row in self._connection.execute(f"{self._select} {order}"):
                last = row[self._key[0]]
                yield row
        except sqlite3.DatabaseError:
            self.is_whole = False
        return last


def _decoded(column: StoreColumn, value: object) -> object:
    if column.type != "TEXT" or not isinstance(value, bytes):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value  # no text may be bytes, so that the row is refused
