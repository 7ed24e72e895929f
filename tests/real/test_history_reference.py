"""`sonde history` by CPU time: one revision runs beside every other one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.real.repositories import RepositoryMaker
from tests.real.subjects import sonde, write_project

pytestmark = pytest.mark.needs("git", "bwrap")

REVISIONS, CHANGE = 16, 9
PROJECT_FILE = """\
repository = "subject"

[build]
command = "sh src/build.sh"
outputs = ["work"]
inputs = ["src/**"]

[benchmarks.work]
command = "{build}/work"
metric = "cpu"
runs = 3
"""
BUILD = "test -f src/broken && exit 3\ncp src/work.sh work\nchmod +x work\n"


def work(rounds: int, remark: int) -> str:
    return f"#!/bin/sh\n# {remark}\ni=0\nwhile [ $i -lt {rounds} ]; do i=$((i+1)); done\n"


def make_history(folder: Path, *, broken: frozenset[int] = frozenset(), crashing: bool = False) -> Path:
    """A subject that does three times the work from one revision on; some revisions do not build."""
    maker = RepositoryMaker()
    for position in range(REVISIONS):
        script = work(8_000 if position < CHANGE else 24_000, position) + ("exit 7\n" if crashing else "")
        files = {"src/work.sh": script, "src/build.sh": BUILD}
        is_broken = {"src/broken": "\n" if position in broken else None}
        maker.revision(
            {**files, **is_broken} if {position, position - 1} & broken else files,
            subject=f"Revision {position}",
        )
    maker.make(folder / "subject")
    write_project(folder, PROJECT_FILE)
    return folder


def answer_of(folder: Path, *words: str, codes: tuple[int, ...] = (0,)) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(sonde(folder, "history", *words, "--json", codes=codes).stdout)
    return found


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    return make_history(tmp_path_factory.mktemp("reference"))


def test_a_change_is_found_beside_the_last_revision_and_a_second_run_measures_nothing(project):
    first = answer_of(project, "--exact", "--budget", "40%")
    second = answer_of(project, "--exact", "--budget", "40%")

    (series,) = first["series"]
    (change,) = series["changes"]
    assert change["position"] == CHANGE
    assert change["percent"] > 100
    assert series["reference"] == first["revisions"][-1]["id"]
    assert second["spent"]["runs"] == 0
    assert second["series"] == first["series"]


def test_values_are_in_seconds_of_the_reference(project):
    (series,) = answer_of(project, "--budget", "40%")["series"]
    measured = json.loads(sonde(project, "show", "--json").stdout)["points"]
    (alone,) = [point["value"] for point in measured if point["value"] is not None]

    after = [each["value"] for each in series["estimates"][CHANGE + 1 :]]

    assert after == pytest.approx([alone] * len(after), rel=0.5)


def test_without_a_reference_times_are_taken_alone(project):
    found = answer_of(project, "--budget", "25%", "--no-reference")

    assert found["series"][0]["reference"] is None


def test_a_longer_range_keeps_the_reference(tmp_path):
    folder = make_history(tmp_path)

    (before,) = answer_of(folder, "--range", "main~15..main~4", "--budget", "4")["series"]
    (after,) = answer_of(folder, "--budget", "4")["series"]

    assert after["reference"] == before["reference"]


def test_the_reference_is_a_revision_that_builds(tmp_path):
    folder = make_history(tmp_path, broken=frozenset({REVISIONS - 1, REVISIONS - 2}))

    found = answer_of(folder, "--budget", "25%")

    assert found["series"][0]["reference"] == found["revisions"][REVISIONS - 3]["id"]


def test_where_nothing_runs_there_is_no_reference_and_it_is_said(tmp_path):
    folder = make_history(tmp_path, crashing=True)

    done = sonde(folder, "history", "--budget", "10", codes=(3,))

    assert "measured without a reference" in done.stderr
