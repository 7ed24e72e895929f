"""Kills of Sonde at random moments, over all commands: `python -m tests.real.faults.kills [KILLS [SECONDS]]`.

Each run of the subject writes a line to a journal that lies outside of all that Sonde keeps, so runs are
counted by what happened and not by what is stored.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from sonde.core.records import MeasurementKey, ProfileRecord, SampleRecord
from sonde.effects.store import open_store
from tests.real.faults.leftovers import assert_nothing_stays_behind
from tests.real.repositories import RepositoryMaker, git
from tests.real.subjects import BUILD, SONDE, write_project

REVISIONS = 8
RUNS, LATEST_SECONDS = 12, 12.0  # of a point; after the start of a command, when it is killed
RUNS_OF_A_PAIR = 2
INSIDE_SHARE = 0.3  # of the kills hit a process in the sandbox first, and Sonde a little later

PROJECT_FILE = """\
repository = "subject"
branch = "main"

[build]
command = "sh src/build.sh"
outputs = ["work"]
inputs = ["src/**"]

[options.fast]
words = "--fast"

[benchmarks.work]
command = "{{build}}/work {journal} {{options}}"
metric = "printed"
pattern = "took ([0-9.]+)"
runs = {runs}

[environment]
writable = ["{journal}"]
"""

WORK = """\
#!/bin/sh
echo "{number} $2" >> "$1/runs"
sleep 0.1
echo took {number}
"""

PYTHON_FILE = PROJECT_FILE.replace('command = "sh src/build.sh"', 'command = "true"').replace(
    'outputs = ["work"]', 'outputs = ["src"]'
)
PYTHON_FILE = PYTHON_FILE.replace("{{build}}/work", "python3 {{build}}/src/work.py")

PYTHON_WORK = """\
import sys
import time


def took(options):
    return took_with(len(options))


def took_with(number):
    time.sleep(0.1)
    return {took} + 0 * number


with open(sys.argv[1] + "/runs", "a") as journal:
    journal.write("{number} " + " ".join(sys.argv[2:]) + "\\n")
print("took", took(sys.argv[2:]))
"""

RECORDING = "recording"  # a folder of the project, for `replay`
SHOWN = "shown"  # what `demo` writes

# What is killed, and what then ends the work. The commands of a group share a project.
GROUPS: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("measure", "-c", "all"), ("show", "--json"), ("doctor", "--seconds", "1"), ("prune",), ("space",)),
    (("history",), ("show",)),
    (("history", "--exact"),),
    (("pinpoint", "--budget", "60%"),),
    (("check", "HEAD~3..HEAD"), ("show", "--log", "HEAD")),
    (("check", "HEAD~6..HEAD", "--bisect", "HEAD~6..HEAD"),),
    (("select", "HEAD"), ("measure", "HEAD~2..")),
    (("impact", "HEAD"), ("show",)),
    (("init", "--force", "subject"), ("demo", SHOWN), ("replay", "history", RECORDING)),
)


@dataclass
class Tally:
    """What was found over all projects."""

    kills: int = 0
    under_way: int = 0  # kills of a command that had not ended by itself
    runs: int = 0  # that the journals tell
    stored: int = 0  # samples and profiles
    lost: int = 0  # samples that were stored before a kill, and not after it
    repeated: int = 0  # runs that left nothing: those in flight
    twice: int = 0  # runs beyond what is stored and the runs in flight
    per_command: Counter[str] = field(default_factory=Counter)


@dataclass
class Project:
    """A project whose commands are killed."""

    folder: Path
    commands: tuple[tuple[str, ...], ...]
    runs_of_a_point: int = RUNS
    latest_seconds: float = LATEST_SECONDS
    known: set[tuple[MeasurementKey, int, float]] = field(default_factory=set)  # samples that were stored
    in_flight: int = 0  # runs that kills can have cut off

    @property
    def journal(self) -> Path:
        """Where runs write down that they happen."""
        return self.folder / "journal"

    def make(self) -> None:
        """Write the subject and its project file."""
        maker = RepositoryMaker()
        for number in range(1, REVISIONS + 1):
            maker.revision(self._files(number), subject=f"Work {number}")
        maker.make(self.folder / "subject")
        git(self.folder / "subject", "checkout", "--quiet", "main")
        self.journal.mkdir()
        project_file = PYTHON_FILE if self._is_python else PROJECT_FILE
        write_project(self.folder, project_file.format(journal=self.journal, runs=self.runs_of_a_point))
        (self.folder / RECORDING).mkdir()
        values = (f"{at},{100 + 20 * (at > 2_000) + at % 7 / 10}\n" for at in range(4_000))
        (self.folder / RECORDING / "points.csv").write_text("revision,value\n" + "".join(values))

    @property
    def _is_python(self) -> bool:
        return any(words[0] == "impact" for words in self.commands)

    def _files(self, number: int) -> dict[str, str]:
        took = 100 + 20 * (number > REVISIONS // 2)
        if self._is_python:
            return {"src/work.py": PYTHON_WORK.format(number=number, took=took)}
        work = WORK.replace("took {number}", f"took {took}").format(number=number)
        return {"src/work.sh": work, "src/build.sh": BUILD}

    def kill_once(self, words: tuple[str, ...], rng: random.Random) -> bool:
        """Start a command and kill it; whether it was still at work."""
        process = _start(self.folder, words)
        _wait_at_most(process, rng.uniform(0.2, self.latest_seconds))  # the moment is what is tested
        if rng.random() < INSIDE_SHARE and _kill_inside(str(self.folder), rng):
            self.in_flight += RUNS_OF_A_PAIR if words[0] == "check" else 1
            _wait_at_most(process, rng.uniform(0, 1))
        is_under_way = process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.in_flight += RUNS_OF_A_PAIR if words[0] == "check" else 1
        return is_under_way

    def lost(self) -> int:
        """How many samples are gone that were there when this was asked last."""
        now = {(each.measurement, each.sample.number, each.sample.taken_at) for each in self._samples()}
        gone = len(self.known - now)
        self.known = now
        return gone

    def end(self) -> None:
        """Let all commands come to their ends; nothing may stay behind."""
        for words in self.commands:
            process = _start(self.folder, words)
            process.wait()
            assert process.returncode in (0, 1, 3, 4) or self._is_written(words), (words, process.returncode)
        assert_nothing_stays_behind(self.folder)

    def _is_written(self, words: tuple[str, ...]) -> bool:
        """Whether a demo was whole before, so that it was not written again."""
        return words[0] == "demo" and (self.folder / SHOWN / "sonde.toml").exists()

    def runs(self) -> Counter[str]:
        """How often each point was run, by the journal."""
        file = self.journal / "runs"
        return Counter(line.strip() for line in file.read_text().splitlines()) if file.exists() else Counter()

    def stored(self) -> int:
        """How many samples and profiles there are, each once."""
        numbers = Counter((each.measurement, each.sample.number) for each in self._samples())
        assert not numbers or max(numbers.values()) == 1
        with open_store(self.folder / ".sonde" / "store.sqlite") as store:
            return len(numbers) + len(list(store.query(ProfileRecord, {})))

    def _samples(self) -> Iterable[SampleRecord]:
        path = self.folder / ".sonde" / "store.sqlite"
        if not path.exists():
            return []
        with open_store(path) as store:
            return list(store.query(SampleRecord, {}))


def _wait_at_most(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait for the end of a process, or until it is time to kill it."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def _start(folder: Path, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*SONDE, *words],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "CI": "1"},
    )


def _kill_inside(mark: str, rng: random.Random) -> bool:
    """Kill one of the processes of sandboxes that show something of a project; whether there was one."""
    found = []
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            words = (folder / "cmdline").read_bytes() if folder.name.isdigit() else b""
            if mark.encode() in words and b"bwrap" in words.split(b"\0")[0]:
                found.append(int(folder.name))
    if found:
        with suppress(ProcessLookupError):
            os.kill(rng.choice(found), signal.SIGKILL)
    return bool(found)


def kill_over_all_commands(
    folder: Path, kills: int, seed: int, runs_of_a_point: int = RUNS, latest_seconds: float = LATEST_SECONDS
) -> Tally:
    """Kill the commands in turn, let each project come to its end, and count."""
    rng, tally = random.Random(seed), Tally()
    projects = [
        Project(folder / str(number), commands, runs_of_a_point, latest_seconds)
        for number, commands in enumerate(GROUPS)
    ]
    for project in projects:
        project.folder.mkdir(parents=True)
        project.make()
    turns = [(project, words) for project in projects for words in project.commands]
    for number in range(kills):
        project, words = turns[number % len(turns)]
        tally.under_way += project.kill_once(words, rng)
        tally.per_command[words[0]] += 1
        tally.kills += 1
        tally.lost += project.lost()
    for project in projects:
        project.end()
        tally.lost += project.lost()
        runs, stored = project.runs().total(), project.stored()
        tally.runs += runs
        tally.stored += stored
        tally.repeated += runs - stored
        tally.twice += max(0, runs - stored - project.in_flight)
    return tally


def main() -> None:
    """Print what was found."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with TemporaryDirectory() as folder:
        latest_seconds = float(sys.argv[2]) if len(sys.argv) > 2 else LATEST_SECONDS
        tally = kill_over_all_commands(Path(folder), kills, seed=20, latest_seconds=latest_seconds)
    print(tally)


if __name__ == "__main__":
    main()
