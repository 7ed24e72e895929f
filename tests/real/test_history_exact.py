"""`sonde history` by counted instructions: what is known exactly is reported exactly."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tests.real.repositories import RepositoryMaker
from tests.real.subjects import sonde, write_project

pytestmark = pytest.mark.needs("git", "bwrap", "valgrind")

PROJECT_FILE = """\
repository = "subject"

[build]
command = "sh src/build.sh"
outputs = ["work"]

[benchmarks.work]
command = "{build}/work"
metric = "instructions"
"""
BUILD = "cp src/work.sh work; chmod +x work\n"


def work(rounds: int) -> str:
    return f"#!/bin/sh\ni=0\nwhile [ $i -lt {rounds} ]; do i=$((i+1)); done\n"


def make_history(folder: Path, rounds: list[int], text: str = PROJECT_FILE) -> Path:
    """A subject whose revision number n does `rounds[n]` rounds."""
    maker = RepositoryMaker()
    for position, count in enumerate(rounds):
        files = {"src/work.sh": work(count), "src/build.sh": BUILD, "README": f"{position}\n"}
        maker.revision(files, subject=f"Revision {position}")
    maker.make(folder / "subject")
    write_project(folder, text)
    return folder


def series_of(folder: Path, *words: str) -> dict[str, Any]:
    (series,) = json.loads(sonde(folder, "history", *words, "--json").stdout)["series"]
    return series  # type: ignore[no-any-return]


def counted(folder: Path, position: int) -> float:
    """The instructions of a revision, as `sonde measure` has them."""
    points = json.loads(sonde(folder, "measure", "--json").stdout)["points"]
    (value,) = [point["value"] for point in points if point["position"] == position]
    return float(value)


def test_two_distinct_builds_in_eight_revisions_are_a_change(tmp_path):
    project = make_history(tmp_path, [200] * 4 + [1500] * 4)

    series = series_of(project)

    (change,) = series["changes"]
    assert (change["position"], change["is_exact"]) == (4, True)
    effect = math.log(counted(project, 4) / counted(project, 3))
    assert change["effect"] == pytest.approx(effect, abs=1e-3)
    assert change["effect_low"] - 1e-9 <= effect <= change["effect_high"] + 1e-9


@pytest.mark.slow
def test_a_size_is_what_measuring_both_neighbours_gives_though_the_value_drifts(tmp_path):
    rounds = [1000 + 4 * at + 100 * (at >= 9) for at in range(16)]
    project = make_history(tmp_path, rounds)

    (change,) = series_of(project, "--exact")["changes"]

    assert (change["position"], change["is_exact"]) == (9, True)
    effect = math.log(counted(project, 9) / counted(project, 8))
    assert change["effect"] == pytest.approx(effect, abs=1e-4)


@pytest.mark.slow
def test_what_is_known_stays_known_when_another_part_of_the_file_is_edited(tmp_path):
    """A build command for other revisions, another benchmark: none of it touches what was found."""
    project = make_history(tmp_path, [200 + at // 2 + 1300 * (at >= 13) for at in range(24)])
    before = series_of(project, "--exact")
    edited = PROJECT_FILE.replace(
        '"sh src/build.sh"',
        f'[{{ run = "sh ./src/build.sh", until = "{revision_at(project, 3)}" }}, '
        '{ run = "sh src/build.sh" }]',
    )
    write_project(project, edited)

    after = series_of(project, "--budget", "1")

    (change,) = before["changes"]
    assert (change["position"], change["is_exact"]) == (13, True)
    assert after["changes"] == before["changes"]
    known = [at for at in range(4, 24) if before["estimates"][at]["known"] != "estimated"]
    assert all(after["estimates"][at] == before["estimates"][at] for at in known)
    shown = json.loads(sonde(project, "show", "--json").stdout)["points"]
    assert {point["position"] for point in shown} >= set(known)


@pytest.mark.slow
def test_a_new_option_leaves_what_is_known_without_it(tmp_path):
    project = make_history(tmp_path, [200, 210, 1500, 1510])
    before = series_of(project, "--budget", "100%")
    option = '\n[options.fast]\nwords = "--fast"\n'
    write_project(project, PROJECT_FILE.replace('{build}/work"', '{build}/work {options}"') + option)

    answer = json.loads(sonde(project, "history", "--budget", "100%", "--json").stdout)

    assert answer["spent"]["runs"] == 0
    assert answer["series"][0]["changes"] == before["changes"]


@pytest.mark.slow
def test_a_command_and_a_list_of_that_one_command_are_the_same_recipe(tmp_path):
    project = make_history(tmp_path, [200, 200, 1500])
    before = series_of(project, "--budget", "100%")
    listed = PROJECT_FILE.replace('"sh src/build.sh"', '[{ run = "sh src/build.sh" }]')
    write_project(project, listed.replace('"{build}/work"', '[{ run = "{build}/work" }]'))

    plan = sonde(project, "measure", "--dry-run", "--json").stdout

    assert json.loads(plan)["runs"] == 0
    after = series_of(project, "--budget", "100%")
    assert (after["changes"], after["measured"]) == (before["changes"], before["measured"])


def revision_at(project: Path, position: int) -> str:
    revisions = json.loads(sonde(project, "show", "--json").stdout)["revisions"]
    return str(revisions[position]["id"])
