"""`sonde pinpoint` by CPU time: each configuration has a reference of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.real.repositories import RepositoryMaker
from tests.real.subjects import sonde, write_project

pytestmark = pytest.mark.needs("git", "bwrap")

REVISIONS, CHANGE = 8, 5
WORK = """\
#!/bin/sh
# {position}
n=6000
case "$*" in *--deep*) n={deep};; esac
i=0
while [ $i -lt $n ]; do i=$((i+1)); done
"""
PROJECT_FILE = """\
repository = "subject"

[build]
command = "cp src/work.sh work; chmod +x work"
outputs = ["work"]
inputs = ["src/**"]

[options.deep]
words = "--deep"

[benchmarks.work]
command = "{build}/work {options}"
metric = "cpu"
runs = 3
"""


def make_history(folder: Path) -> Path:
    """A subject that does five times the work from one revision on, where an option is on."""
    maker = RepositoryMaker()
    for position in range(REVISIONS):
        script = WORK.format(position=position, deep=30_000 if position >= CHANGE else 6_000)
        maker.revision({"src/work.sh": script}, subject=f"Revision {position}")
    maker.make(folder / "subject")
    write_project(folder, PROJECT_FILE)
    return folder


def test_a_change_of_an_option_is_found_beside_references_and_again_for_nothing(tmp_path):
    project = make_history(tmp_path)
    words = ("pinpoint", "--threshold", "50%", "--budget", "100%", "--json")

    first = json.loads(sonde(project, *words).stdout)
    second = json.loads(sonde(project, *words).stdout)

    assert f"Revision {CHANGE}" in json.dumps(first)
    assert first["spent"]["runs"] > 0
    assert second["spent"]["runs"] == 0


def test_the_report_names_the_reference(tmp_path):
    project = make_history(tmp_path)
    words = ("pinpoint", "--threshold", "50%", "--budget", "8")

    answer = json.loads(sonde(project, *words, "--json").stdout)
    text = sonde(project, *words).stdout
    alone = json.loads(sonde(project, *words, "--json", "--no-reference").stdout)

    last = answer["revisions"][-1]["id"]
    assert answer["benchmarks"][0]["references"] == [last]
    assert f"work: cpu beside {last[:8]}" in text
    assert alone["benchmarks"][0]["references"] == []
