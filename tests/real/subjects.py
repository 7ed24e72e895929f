"""A small subject whose revisions show every way in which measuring can go; no compiler needed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from sonde.core.records import SampleRecord
from sonde.core.revisions import RevisionId
from sonde.effects.store import open_store
from tests.real.repositories import RepositoryMaker
from tests.real.warm_sonde import warm_sonde

SONDE = [sys.executable, "-m", "sonde"]

BUILD = "test -f src/broken && { echo 'no rule to make work'; exit 3; }\ncp src/work.sh work\nchmod +x work\n"


def work(seed: int, extra: str = "") -> str:
    """A program that does a little and says so."""
    return f"#!/bin/sh\ni={seed}\nwhile [ $i -lt {seed + 300} ]; do i=$((i+1)); done\n{extra}\necho work $i\n"


# position -> what changes there
FIRST, README_ONLY, UNUSED_INPUT, CHANGED, BROKEN, MENDED, CRASHING, LAST = range(8)


def make_subject(folder: Path) -> Mapping[int, RevisionId]:
    """Write the repository `folder/subject`; the revision at each position."""
    maker = RepositoryMaker()
    maker.revision({"src/work.sh": work(1), "src/build.sh": BUILD, "README": "one\n"}, subject="Begin")
    maker.revision({"README": "two\n"}, subject="Say more in the README")
    maker.revision({"src/notes.txt": "a note\n"}, subject="Keep a note beside the source")
    maker.revision({"src/work.sh": work(2)}, subject="Begin at two")
    maker.revision({"src/broken": "\n"}, subject="Break the build")
    maker.revision({"src/broken": None}, subject="Mend the build")
    maker.revision({"src/work.sh": work(3, "exit 7")}, subject="Leave with 7")
    maker.revision({"src/work.sh": work(4)}, subject="Leave as before")
    maker.tag("v1", 4)
    ids = maker.make(folder / "subject")
    return {mark - 1: revision for mark, revision in ids.items()}


PROJECT_FILE = """\
repository = "subject"
branch = "main"

[build]
command = "sh src/build.sh"
outputs = ["work"]
inputs = ["src/**"]

[options.fast]
words = "--fast"

[options.depth]
levels = [1, 2]
words = "--depth={value}"
since = "v1"

[benchmarks.work]
command = "{build}/work {options}"
metric = "cpu"
runs = 3
"""


def write_project(folder: Path, text: str = PROJECT_FILE) -> None:
    """Write the project file."""
    (folder / "sonde.toml").write_text(text)


def stored_runs(folder: Path) -> frozenset[SampleRecord]:
    """All runs that the project's store has."""
    with open_store(folder / ".sonde" / "store.sqlite") as store:
        return frozenset(store.query(SampleRecord, {}))


def sonde(folder: Path, *words: str, codes: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess[str]:
    """What `sonde` printed, run in `folder`; it must end with one of `codes`, and never with a traceback."""
    ended = warm_sonde().run(folder, words, {**os.environ, "CI": "1"})
    assert ended.returncode in codes, f"exit code {ended.returncode}\n{ended.stdout}\n{ended.stderr}"
    assert "Traceback" not in ended.stderr
    return ended
