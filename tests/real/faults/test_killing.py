"""A sample, once taken, is never lost and never taken twice, whatever is killed whenever."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from sonde.core.records import BuildRecord, SampleRecord
from sonde.effects.store import open_store
from tests.real.faults.leftovers import assert_nothing_stays_behind
from tests.real.gates import Gate, stop_at
from tests.real.repositories import RepositoryMaker
from tests.real.sandboxes import wait_until
from tests.real.subjects import BUILD, SONDE, sonde, work, write_project
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("git", "bwrap")

REVISIONS, RUNS, KILLS = 8, 12, 20

PROJECT_FILE = """\
repository = "subject"

[build]
command = "sh src/build.sh"
outputs = ["work"]
inputs = ["src/**"]

[benchmarks.work]
command = "{{build}}/work {gate}"
metric = "cpu"
runs = {runs}
"""


def make_project(folder: Path, runs: int, gate: Gate) -> None:
    """A subject whose runs write into the folder of a gate, outside of everything that Sonde keeps."""
    maker = RepositoryMaker()
    for number in range(REVISIONS):
        files = {"src/work.sh": work(number, gate.lines + 'echo $$ >> "$1/ended"'), "src/build.sh": BUILD}
        maker.revision(files, subject=f"Work {number}")
    maker.make(folder / "subject")
    write_project(folder, PROJECT_FILE.format(gate=gate.folder, runs=runs) + gate.environment)


def start(folder) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "CI": "1"}
    return subprocess.Popen([*SONDE, "measure"], cwd=folder, stdout=-3, stderr=-3, env=environment)


def wait_for_changes(number: int, watched: Callable[[], object]) -> None:
    """Return as soon as what is watched has changed so many times."""
    seen = [watched()]

    def has_changed() -> bool:
        now = watched()
        if now != seen[-1]:
            seen.append(now)
        return len(seen) > number

    wait_until(has_changed)


def size_of(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


@pytest.mark.slow
def test_killed_twenty_times_and_resumed_every_sample_is_stored_exactly_once(tmp_path):
    project, gate = tmp_path, Gate(tmp_path / "gate", at=REVISIONS * RUNS)  # so it never ends by itself
    make_project(project, RUNS, gate)
    rng = random.Random(20)
    begun, ended, stored = gate.folder / "runs", gate.folder / "ended", project / ".sonde/store.sqlite-wal"
    for _ in range(KILLS):
        process = start(project)
        watched = rng.choice([begun, ended, stored])  # the moment is what is tested
        wait_for_changes(rng.randint(1, 3), partial(size_of, watched))
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    gate.open()

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
    assert 0 <= gate.runs - REVISIONS * RUNS <= KILLS  # at most the run in flight was repeated a kill
    assert json.loads(sonde(project, "measure", "--json").stdout)["spent"]["runs"] == 0
    assert_nothing_stays_behind(project)


@pytest.mark.parametrize("sent", slow_except([signal.SIGINT], [signal.SIGINT, signal.SIGTERM]))
def test_an_interrupted_campaign_ends_cleanly_and_goes_on(tmp_path, sent):
    project, runs, gate = tmp_path, 6, Gate(tmp_path / "gate", at=3)
    make_project(project, runs, gate)

    assert stop_at(gate, project, "measure", sent=sent) == 130
    assert_nothing_stays_behind(project)
    assert json.loads(sonde(project, "measure", "--json").stdout)["unknown"] == 0
    assert gate.runs == REVISIONS * runs + 1  # the one that was stopped was repeated, and no other


def test_a_build_whose_sandbox_is_killed_has_not_failed(tmp_path):
    gate = Gate(tmp_path / "gate", at=1)
    make_project(tmp_path, 1, gate)
    text = (tmp_path / "sonde.toml").read_text()
    waiting = f"set -- {gate.folder}; {gate.lines}".replace("\n", ";").replace('"', '\\"')
    (tmp_path / "sonde.toml").write_text(text.replace('"sh src/build.sh"', f'"{waiting} sh src/build.sh"'))
    process = subprocess.Popen([*SONDE, "measure", "HEAD^!"], cwd=tmp_path, stdout=-3, stderr=-3)
    wait_until(lambda: gate.runs >= 1)

    for number in processes_of("bwrap", str(tmp_path)):
        os.kill(number, signal.SIGKILL)
    process.wait()
    gate.open()

    answer = json.loads(sonde(tmp_path, "measure", "HEAD^!", "--json").stdout)
    assert [len(point["samples"]) for point in answer["points"]] == [1]
    assert answer["unknown"] == 0


def processes_of(program: str, mark: str) -> list[int]:
    """The processes of a program in whose words a mark occurs."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0") if folder.name.isdigit() else [b""]
        except OSError:
            continue
        if Path(words[0].decode()).name == program and any(mark.encode() in word for word in words):
            found.append(int(folder.name))
    return found
