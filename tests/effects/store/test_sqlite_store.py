"""What the SQLite store promises beyond the conformance suite."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from sonde.core.errors import CorruptStore, NewerStore, StoreNotWritable
from sonde.core.records import (
    BuildKey,
    BuildRecord,
    Built,
    Fingerprint,
    MeasurementKey,
    SampleRecord,
    SnapshotRecord,
)
from sonde.core.results import Failed, Metric, Stage
from sonde.core.revisions import RevisionId
from sonde.effects.store import open_store
from sonde.effects.store.schema import APPLICATION_ID, MIGRATIONS, VERSION
from tests.values import sample


def test_a_new_store_has_the_newest_schema_and_survives_being_reopened(tmp_path):
    path = tmp_path / "deep" / "store.sqlite"
    with open_store(path) as store:
        store.append(SampleRecord(MeasurementKey("m"), sample(0)))

    with open_store(path) as store:
        assert [one.sample for one in store.query(SampleRecord, {})] == [sample(0)]

    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
    connection.close()


def test_every_commit_is_synced_to_disk(tmp_path):
    with open_store(tmp_path / "store.sqlite") as store:
        assert store.setting("synchronous") == 2  # FULL
        assert store.setting("journal_mode") == "wal"


FIRST_RELEASE = """
INSERT INTO contexts (key, benchmark, metric, environment, description) VALUES ('c', 'pack', 'cpu', '', '{}');
INSERT INTO builds (key, revision, fingerprint, size_bytes, seconds, built_at)
VALUES ('b', 'r', 'f', 3, 1, 2);
INSERT INTO measurements (key) VALUES ('m');
INSERT INTO samples VALUES (1, 0, 5.0, NULL, 1.5, NULL, NULL, NULL, 0, 0.0);
"""


def test_a_store_of_the_first_schema_is_brought_up_to_date_and_keeps_everything(tmp_path):
    path = tmp_path / "store.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(MIGRATIONS[0] + FIRST_RELEASE)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 1")
    connection.close()

    for _ in range(2):
        with open_store(path) as store:
            (build,) = store.query(BuildRecord, {})
            assert build.outcome == Built(Fingerprint("f"), 3, code=None)
            (taken,) = store.query(SampleRecord, {"measurement": ["m"]})
            assert taken.sample.values == {Metric.CPU: 1.5}
            assert list(store.query(SnapshotRecord, {})) == []
            assert store.setting("user_version") == VERSION


def test_a_store_of_a_newer_schema_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "store.sqlite"
    open_store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    before = path.read_bytes()

    with pytest.raises(NewerStore, match=rf"schema {VERSION + 1}.*Update Sonde"):
        open_store(path)

    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_called_damaged_and_left_alone(tmp_path):
    path = tmp_path / "store.sqlite"
    path.write_bytes(b"these are not the bytes of a database" * 100)
    before = path.read_bytes()

    with pytest.raises(CorruptStore, match=r"store\.sqlite: the store is damaged.*sonde doctor --repair"):
        open_store(path)

    assert path.read_bytes() == before


def test_a_database_of_someone_else_is_refused(tmp_path):
    path = tmp_path / "store.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE music (title TEXT)")
    connection.close()

    with pytest.raises(CorruptStore, match="not a store of Sonde"):
        open_store(path)


def test_damage_in_the_middle_of_the_file_is_named_when_it_is_met(tmp_path):
    path = tmp_path / "store.sqlite"
    open_store(path).close()
    tables = path.stat().st_size  # the pages that say which tables there are, and the first one of each
    with open_store(path) as store:
        for number in range(500):
            store.append(SampleRecord(MeasurementKey("m"), sample(number)))
    content = bytearray(path.read_bytes())
    damaged = slice(tables, -4096)
    content[damaged] = b"\xff" * len(content[damaged])
    path.write_bytes(content)

    with open_store(path) as store, pytest.raises(CorruptStore, match="damaged"):
        list(store.query(SampleRecord, {}))


def test_a_folder_that_cannot_be_made_is_an_error_that_says_so(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(StoreNotWritable, match="cannot be written"):
        open_store(tmp_path / "file" / "store.sqlite")


def test_a_transaction_that_fails_leaves_nothing_behind(tmp_path):
    with open_store(tmp_path / "store.sqlite") as store:
        good, bad = SampleRecord(MeasurementKey("m"), sample(0)), SampleRecord(MeasurementKey("m"), sample(1))
        object.__setattr__(bad.sample, "taken_at", None)  # breaks NOT NULL

        with pytest.raises(sqlite3.IntegrityError):
            store.append(good, bad)

        assert list(store.query(SampleRecord, {})) == []


def test_what_is_no_text_is_stored_with_question_marks(tmp_path):
    """As in a reason that names a file which a build has left."""
    failed = Failed(Stage.BUILD, "the output '\udcff' is a link", "\ud800")
    record = BuildRecord(BuildKey("b"), RevisionId("r"), failed, 1.0, 2.0)

    with open_store(tmp_path / "store.sqlite") as store:
        store.append(record)
        (kept,) = store.query(BuildRecord, {})

    assert kept.outcome == Failed(Stage.BUILD, "the output '?' is a link", "?")


def test_many_writers_at_once_lose_nothing(tmp_path):
    path = tmp_path / "store.sqlite"

    def write(writer: int) -> None:
        with open_store(path) as store:
            for number in range(25):
                store.append(SampleRecord(MeasurementKey(f"m{writer}"), sample(number)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))

    with open_store(path) as store:
        assert len(list(store.query(SampleRecord, {}))) == 200


FILL_A_LIMITED_FILE = """
import resource, signal, sys
from pathlib import Path
from sonde.core.errors import StoreNotWritable
from sonde.effects.store import open_store
from tests.effects.store.test_sqlite_store import MeasurementKey, SampleRecord, sample

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = open_store(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
number = 0
try:
    while True:
        store.append(SampleRecord(MeasurementKey("m"), sample(number)))
        number += 1
except StoreNotWritable as error:
    print(number)
    print(error)
"""


def test_a_full_disk_is_an_error_that_says_so_and_loses_nothing(tmp_path):
    path = tmp_path / "store.sqlite"
    program = [sys.executable, "-c", FILL_A_LIMITED_FILE, str(path)]

    printed = subprocess.run(program, capture_output=True, text=True, check=True).stdout

    stored, message = printed.split("\n", 1)
    assert "Everything stored so far is safe" in message
    with open_store(path) as store:
        assert len(list(store.query(SampleRecord, {}))) == int(stored) > 0


def test_what_can_only_be_read_is_read(tmp_path, monkeypatch):
    path = tmp_path / "store.sqlite"
    with open_store(path) as store:
        store.append(SampleRecord(MeasurementKey("m"), sample(0)))
    monkeypatch.setattr("sonde.effects.store.sqlite_store.os.access", lambda *_: False)

    with open_store(path) as store:
        assert [one.sample for one in store.query(SampleRecord, {})] == [sample(0)]
        with pytest.raises(StoreNotWritable, match="cannot be written"):
            store.append(SampleRecord(MeasurementKey("m"), sample(1)))


def test_an_old_store_that_can_only_be_read_says_what_to_do(tmp_path, monkeypatch):
    path = tmp_path / "store.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(MIGRATIONS[0])
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.close()
    monkeypatch.setattr("sonde.effects.store.sqlite_store.os.access", lambda *_: False)

    with pytest.raises(StoreNotWritable, match=r"older Sonde.*--state"):
        open_store(path)
