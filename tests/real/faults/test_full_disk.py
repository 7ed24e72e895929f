"""A full disk is named in whichever phase it is met; with room again, the same command ends the work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.real.faults.small_disks import FILLER, on_small_disk
from tests.real.repositories import RepositoryMaker
from tests.real.subjects import BUILD, write_project
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("git", "bwrap")

MEASURE = "$SONDE measure --json"
MAKE_ROOM = f"rm .sonde/{FILLER}"
ROOM_BYTES = 600_000  # enough for the store and what belongs to it
NEEDED = 1_000_000
FULL = ("No space left on device", "disk is full")  # as the system says it, and as SQLite does

PROJECT_FILE = """\
repository = "subject"

[build]
command = "sh src/build.sh"
outputs = ["work"]
inputs = ["src/**"]

[benchmarks.work]
command = "{build}/work"
metric = "cpu"
runs = 2
"""

WORK = "#!/bin/sh\n{}\necho worked\nexit 0\n"
WRITES = f"head -c {NEEDED} /dev/zero > {{}} || exit 1\n"


def make_project(folder: Path, build: str = "", run: str = "", size_bytes: int = 0) -> None:
    """One revision whose file, build or run takes what is not there."""
    files = {"src/work.sh": WORK.format(run), "src/build.sh": BUILD + build, "src/large": "0" * size_bytes}
    maker = RepositoryMaker()
    maker.revision(files)
    maker.make(folder / "subject")
    write_project(folder, PROJECT_FILE)


CASES: dict[str, dict[str, Any]] = {
    "checkout": {"size_bytes": NEEDED},
    "build": {"build": WRITES.format("object")},
    "outputs": {"build": f"head -c {2 * ROOM_BYTES // 3} /dev/zero >> work\n"},
    "run": {"run": WRITES.format("result")},
}


@pytest.mark.parametrize("phase", slow_except(["outputs"], CASES))
def test_a_full_disk_is_named_and_forgotten(tmp_path, phase):
    make_project(tmp_path, **CASES[phase])

    full, again = on_small_disk(tmp_path, f"fill {ROOM_BYTES}; {MEASURE}", f"{MAKE_ROOM}; {MEASURE}")

    assert full.code == 3, full.said
    assert any(words in full.said for words in FULL), full.said
    assert again.code == 0, again.said
    assert [len(point["samples"]) for point in answer_of(again.said)["points"]] == [2]


def test_a_full_disk_loses_no_run_that_is_stored(tmp_path):
    """A run takes the last room through a folder of its own, so that the next thing that is stored fails."""
    journal = tmp_path / ".sonde" / "journal"
    take_all = f"cat /dev/zero > {journal}/filler 2> /dev/null; :"
    make_project(tmp_path, run=f"test -s {journal}/open || {{ echo > {journal}/runs; {take_all}; }}")
    write_project(tmp_path, f'{PROJECT_FILE}[environment]\nwritable = ["{journal}"]\n')

    full, shown, again = on_small_disk(
        tmp_path,
        f"mkdir {journal}; {MEASURE}",
        "$SONDE show --json",
        f"rm {journal}/filler; echo > {journal}/open; {MEASURE}",
    )

    assert full.code == 3, full.said
    assert "Everything stored so far is safe" in full.said
    assert shown.code == 0, shown.said
    assert again.code == 0, again.said
    assert [len(point["samples"]) for point in answer_of(again.said)["points"]] == [2]


def answer_of(said: str) -> Any:
    """The JSON after what was said of the progress."""
    return json.loads(said[said.index("{") :])
