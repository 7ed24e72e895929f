"""A sample, once taken, is never lost and never taken twice, whatever is killed whenever."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections import Counter

import pytest

from sonde.core.records import BuildRecord, SampleRecord
from sonde.effects.store import open_store
from tests.real.repositories import RepositoryMaker
from tests.real.sandboxes import living
from tests.real.subjects import BUILD, SONDE, sonde, work, write_project

pytestmark = pytest.mark.needs("git", "bwrap")

REVISIONS, RUNS, KILLS = 8, 48, 20

PROJECT_FILE = """\
repository = "subject"

[build]
command = "sh src/build.sh"
outputs = ["work"]
inputs = ["src/**"]

[environment]
writable = ["{journal}"]

[benchmarks.work]
command = "{{build}}/work {journal}/runs"
metric = "cpu"
runs = {runs}
"""


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path, RUNS)


def make_project(tmp_path, runs: int):
    """A subject whose runs write into a journal, outside of everything that Sonde keeps."""
    maker = RepositoryMaker()
    for number in range(REVISIONS):
        write = f'sleep 0.05; echo "{number} $$" >> "$1"'  # more work than twenty kills leave time for
        maker.revision({"src/work.sh": work(number, write), "src/build.sh": BUILD}, subject=f"Work {number}")
    maker.make(tmp_path / "subject")
    (tmp_path / "journal").mkdir()
    write_project(tmp_path, PROJECT_FILE.format(journal=tmp_path / "journal", runs=runs))
    return tmp_path


def start(folder) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "CI": "1"}
    return subprocess.Popen([*SONDE, "measure"], cwd=folder, stdout=-3, stderr=-3, env=environment)


def test_killed_twenty_times_and_resumed_every_sample_is_stored_exactly_once(project):
    rng = random.Random(20)
    kills = 0
    while kills < KILLS:
        process = start(project)
        time.sleep(rng.uniform(0.2, 2.4))  # the moment is what is tested
        assert process.poll() is None, "it ended before it was killed: too little work for this machine"
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1

    answer = json.loads(sonde(project, "measure", "--json").stdout)

    assert answer["unknown"] == 0
    with open_store(project / ".sonde" / "store.sqlite") as store:
        stored = Counter(record.measurement for record in store.query(SampleRecord, {}))
        numbers = Counter(
            (record.measurement, record.sample.number) for record in store.query(SampleRecord, {})
        )
        builds = list(store.query(BuildRecord, {}))
    assert len(builds) == REVISIONS
    assert sorted(stored.values()) == [RUNS] * REVISIONS
    assert max(numbers.values()) == 1
    made = len((project / "journal" / "runs").read_text().splitlines())
    assert 0 <= made - REVISIONS * RUNS <= kills  # at most the run in flight was repeated a kill
    assert json.loads(sonde(project, "measure", "--json").stdout)["spent"]["runs"] == 0
    assert_nothing_stays_behind(project)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_campaign_ends_cleanly_and_goes_on(tmp_path, sent):
    project, runs = make_project(tmp_path, runs=6), 6
    process = start(project)
    while process.poll() is None and not (project / "journal" / "runs").exists():
        time.sleep(0.05)
    process.send_signal(sent)

    assert process.wait(timeout=20) == 130
    assert_nothing_stays_behind(project)
    assert json.loads(sonde(project, "measure", "--json").stdout)["unknown"] == 0
    made = len((project / "journal" / "runs").read_text().splitlines())
    assert 0 <= made - REVISIONS * runs <= 1


def assert_nothing_stays_behind(project) -> None:
    deadline = time.monotonic() + 10  # the kernel may need a moment to end what it was told to
    while living(str(project)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert living(str(project)) == []
    assert not list((project / ".sonde" / "scratch").rglob("*"))
    assert not list((project / ".sonde").rglob("*.lock"))
    assert not list((project / ".sonde").rglob("unfinished-*"))
    assert (
        subprocess.run(
            ["git", "worktree", "list"], cwd=project / "subject", capture_output=True, text=True, check=True
        ).stdout.count("\n")
        == 1
    )
