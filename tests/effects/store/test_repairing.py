"""What a repair keeps is right, and all that can be read is kept."""

import contextlib
import random
import sqlite3
from pathlib import Path
from statistics import median

import pytest

from sonde.core.digests import digest
from sonde.core.errors import CorruptStore
from sonde.core.records import (
    BuildRecord,
    ContextRecord,
    PointRecord,
    Record,
    SampleRecord,
    SnapshotRecord,
)
from sonde.effects.store import is_sound, open_store, repair_store
from tests.effects.store.filled_stores import records

PAGE, COUNT = 4096, 400
KINDS = (ContextRecord, BuildRecord, PointRecord, SampleRecord, SnapshotRecord)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("store") / "store.sqlite"
    with open_store(path) as store:
        store.append(*records(COUNT))
    return path.read_bytes()


def read(path: Path) -> list[Record]:
    with open_store(path) as store:
        return [record for kind in KINDS for record in store.query(kind, {})]


def repaired(folder: Path, content: bytes) -> list[Record]:
    path = folder / "store.sqlite"
    path.write_bytes(content)
    result = repair_store(path)
    assert Path(result.damaged).read_bytes() == content
    assert is_sound(path)
    return read(path)


def test_a_store_without_damage_is_sound_and_loses_nothing(whole, tmp_path):
    path = tmp_path / "store.sqlite"
    path.write_bytes(whole)

    assert is_sound(path)
    assert repair_store(path).is_whole
    assert sorted(map(digest, read(path))) == sorted(map(digest, records(COUNT)))


def test_any_page_may_be_lost(whole, tmp_path):
    truth = set(map(digest, records(COUNT)))
    kept = []
    for number in range(1, len(whole) // PAGE):
        folder = tmp_path / str(number)
        folder.mkdir()
        content = bytearray(whole)
        content[number * PAGE : (number + 1) * PAGE] = bytes([0xA5]) * PAGE

        try:
            found = set(map(digest, repaired(folder, bytes(content))))
        except CorruptStore:  # a part of the list of tables
            found = set()

        assert found <= truth, number
        kept.append(len(found) / len(truth))
    assert sum(share == 0 for share in kept) <= 3
    assert median(kept) > 0.8  # most pages are leaves, and take their own rows only


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_made_up_wherever_bytes_are_wrong(whole, tmp_path, seed):
    rng = random.Random(seed)
    content = bytearray(whole)
    for _ in range(rng.choice([1, 8, 64])):
        content[rng.randrange(len(content))] = rng.randrange(256)
    path = tmp_path / "store.sqlite"
    path.write_bytes(content)

    with contextlib.suppress(CorruptStore):  # where not even the list of tables can be read
        repair_store(path)
        assert is_sound(path)


def test_rows_without_sense_are_refused_with_what_refers_to_them(whole, tmp_path):
    path = tmp_path / "store.sqlite"
    path.write_bytes(whole)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE measurements SET key = CAST(x'ff' AS TEXT) WHERE id = 7")
    connection.execute("UPDATE samples SET cpu = 'much' WHERE measurement = 9")
    connection.execute("UPDATE snapshots SET content = x'00'")
    connection.commit()
    connection.close()

    result = {each.table: each.refused for each in repair_store(path).tables if each.refused}

    assert result == {"measurements": 1, "points": 1, "samples": 4, "snapshots": 1}
    assert is_sound(path)


def test_the_name_of_a_column_may_be_damaged(whole, tmp_path):
    path = tmp_path / "store.sqlite"
    assert b"profiled_at" in whole
    path.write_bytes(whole.replace(b"profiled_at", b"pr\x85filed_at"))

    result = repair_store(path)

    assert {each.kept for each in result.tables if each.table == "samples"} != {0}
    assert is_sound(path)


def test_a_list_of_tables_that_is_no_text_is_told(whole, tmp_path):
    path = tmp_path / "store.sqlite"
    path.write_bytes(whole.replace(b"CREATE TABLE builds", b"CR\x8aATE TABLE bui\x8ads"))

    with pytest.raises(CorruptStore, match="no part of the store can be read"):
        repair_store(path)
