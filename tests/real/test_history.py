"""`sonde history` from the command line to the answer, on a real repository whose truth is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.real.gates import Gate, stop_at
from tests.real.repositories import RepositoryMaker
from tests.real.sandboxes import living
from tests.real.subjects import make_subject, sonde, stored_runs, write_project
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("git", "bwrap")

REVISIONS, CHANGE = 40, 23
BROKEN = frozenset({5, 20, 21})

# A number that is printed needs no quiet machine.
PROJECT_FILE = """\
repository = "subject"

[build]
command = "sh src/build.sh"
outputs = ["work"]
inputs = ["src/**"]

[benchmarks.work]
command = "{build}/work"
metric = "printed"
pattern = "took ([0-9.]+)"
runs = 1
"""

BUILD = "test -f src/broken && exit 3\ncp src/work.sh work\nchmod +x work\n"


def make_history(folder: Path, *, broken=BROKEN, revisions: int = REVISIONS, before: str = "") -> Path:
    maker = RepositoryMaker()
    for position in range(revisions):
        took = 100 if position < CHANGE else 150
        script = f"#!/bin/sh\n# {position}\n{before}\necho took {took}.{position % 3}\n"
        files = {"src/work.sh": script, "src/build.sh": BUILD, "README": f"{position}\n"}
        maker.revision(
            {**files, "src/broken": "\n" if position in broken else None}
            if position in broken or position - 1 in broken
            else files,
            subject=f"Revision {position}",
        )
    maker.make(folder / "subject")
    write_project(folder, PROJECT_FILE)
    return folder


def answer_of(folder: Path, *words: str, codes: tuple[int, ...] = (0,)) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(sonde(folder, "history", *words, "--json", codes=codes).stdout)
    return found


def test_a_change_is_narrowed_down_to_its_revision_and_a_second_run_measures_nothing(tmp_path):
    project = make_history(tmp_path)

    first = answer_of(project, "--exact", "--budget", "20%")
    second = answer_of(project, "--exact", "--budget", "20%")

    (series,) = first["series"]
    (change,) = series["changes"]
    assert (change["position"], change["is_exact"]) == (CHANGE, True)
    assert change["percent"] == pytest.approx(50, abs=2)
    assert series["measured"] < REVISIONS / 2
    assert series["measured"] <= first["spent"]["runs"] <= 4 * series["measured"]
    assert set(series["failed"]) <= BROKEN
    values = [estimate["value"] for estimate in series["estimates"]]
    assert values == pytest.approx([100] * CHANGE + [150] * (REVISIONS - CHANGE), rel=0.02)
    assert second["spent"] == {"builds": 0, "runs": 0, "seconds": 0.0}
    assert second["series"] == first["series"]


@pytest.mark.slow
def test_it_prints_the_change_and_what_it_cost(tmp_path):
    project = make_history(tmp_path)

    text = sonde(project, "history", "--exact", "--budget", "20%").stdout

    assert f"Revision {CHANGE}" in text
    assert "each change was narrowed down as far as possible" in " ".join(text.split())


@pytest.mark.parametrize("planner", slow_except(["paper"], ["paper", "greedy", "random"]))
def test_other_planners_keep_to_the_budget(tmp_path, planner):
    project = make_history(tmp_path)

    (series,) = answer_of(project, "--planner", planner, "--budget", "20%")["series"]

    assert series["measured"] + len(series["failed"]) == 8


@pytest.mark.slow
def test_interrupted_in_the_middle_it_goes_on_where_it_was(tmp_path):
    gate = Gate(tmp_path / "gate", at=6)
    project = make_history(tmp_path, before=gate.lines)
    command = f"{{build}}/work {gate.folder}"
    write_project(project, PROJECT_FILE.replace("{build}/work", command) + gate.environment)

    assert stop_at(gate, project, "history", "--budget", "50%") == 130
    assert living(f"{project}/") == []
    resumed = answer_of(project, "--budget", "50%")
    (series,) = resumed["series"]
    assert series["measured"] + len(series["failed"]) == REVISIONS / 2
    assert resumed["spent"]["runs"] == gate.runs - gate.at > 0
    assert len(stored_runs(project)) == gate.runs - 1  # but for the one that was stopped, none was in vain


def test_a_history_of_one_revision(tmp_path):
    project = make_history(tmp_path, revisions=1)

    text = sonde(project, "history", "--exact").stdout
    (series,) = answer_of(project)["series"]

    assert "Too few points were measured to find a change." in text
    assert series["measured"] == 1
    assert series["changes"] == []


def test_where_nothing_builds_it_says_so(tmp_path):
    project = make_history(tmp_path, broken=range(REVISIONS))

    ended = sonde(project, "history", codes=(3,))

    assert "no revision has a value, because every build or run failed" in ended.stderr
    (series,) = answer_of(project, codes=(3,))["series"]
    assert set(series["estimates"]) == {None}
    assert len(series["failed"]) == 6


@pytest.mark.slow
def test_twins_are_known_without_a_run(tmp_path):
    make_subject(tmp_path)
    write_project(tmp_path)

    (series,) = answer_of(tmp_path, "--budget", "100%")["series"]

    assert (series["measured"], series["proven"], len(series["failed"])) == (3, 3, 2)


def test_an_option_that_no_revision_has_is_no_crash(tmp_path):
    make_subject(tmp_path)
    write_project(tmp_path)

    ended = sonde(tmp_path, "history", "--range", "HEAD~6", "-c", "depth=2", codes=(2, 3))

    assert ended.stderr.startswith("sonde: ")


@pytest.mark.slow
def test_mistakes_are_told_in_a_sentence(tmp_path):
    project = make_history(tmp_path, revisions=2)

    def complaint(*words: str) -> str:
        return sonde(project, "history", *words, codes=(2,)).stderr

    assert "there is no planner 'best'" in complaint("--planner", "best")
    assert "budget 'much' is invalid" in complaint("--budget", "much")
    assert "is not a rule for when to stop" in complaint("--until", "soon")
    assert "Did you mean 'work'?" in complaint("wrok")
