"""A damaged store is named as one, wherever the damage is; nothing worse happens."""

import contextlib
import random
import sqlite3
from pathlib import Path

import pytest

from sonde.core.errors import CorruptStore, NewerStore, StoreNotWritable
from sonde.core.records import (
    AuditRecord,
    BuildRecord,
    MeasurementKey,
    ProfileRecord,
    SampleRecord,
    SnapshotRecord,
)
from sonde.effects.store import open_store
from tests.values import sample

KINDS = (SampleRecord, BuildRecord, SnapshotRecord, ProfileRecord, AuditRecord)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("store") / "store.sqlite"
    with open_store(path) as store:
        store.append(*(SampleRecord(MeasurementKey(f"m{number}"), sample(number)) for number in range(100)))
    return path.read_bytes()


def read_all(path: Path) -> None:
    with open_store(path) as store:
        for kind in KINDS:
            list(store.query(kind, {}))


@pytest.mark.parametrize("seed", range(60))
def test_any_bytes_may_be_wrong(whole, tmp_path, seed):
    rng = random.Random(seed)
    content = bytearray(whole)
    for _ in range(rng.choice([1, 4, 64])):
        content[rng.randrange(len(content))] = rng.randrange(256)
    cut = rng.randrange(len(content)) if seed % 5 == 0 else len(content)
    (tmp_path / "store.sqlite").write_bytes(content[:cut])

    with contextlib.suppress(CorruptStore, NewerStore, StoreNotWritable):
        read_all(tmp_path / "store.sqlite")


def test_a_format_that_sqlite_does_not_know_is_damage(whole, tmp_path):
    schema_format = slice(44, 48)
    content = bytearray(whole)
    content[schema_format] = (5).to_bytes(4, "big")
    (tmp_path / "store.sqlite").write_bytes(content)

    with pytest.raises(CorruptStore):
        read_all(tmp_path / "store.sqlite")


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE samples",
        "UPDATE samples SET number = 'many'",
        "UPDATE samples SET cpu = 'much'",
        "UPDATE measurements SET key = CAST(x'ff' AS TEXT) WHERE id = 1",
        "ALTER TABLE samples RENAME COLUMN cpu TO gpu",
    ],
)
def test_tables_and_values_may_be_others(whole, tmp_path, statement):
    path = tmp_path / "store.sqlite"
    path.write_bytes(whole)
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()

    with pytest.raises(CorruptStore, match="is damaged"):
        read_all(path)
