"""`sonde report` after other commands: the page and its JSON, without measuring."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.real.subjects import sonde, stored_runs
from tests.real.test_history import CHANGE, REVISIONS, make_history
from tests.real.test_history_reference import make_history as make_timed_history

pytestmark = pytest.mark.needs("git", "bwrap")


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    folder = make_history(tmp_path_factory.mktemp("report"))
    sonde(folder, "history", "--exact", "--budget", "20%", "--html", "history.html")
    return folder


def report_of(folder: Path, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(sonde(folder, "report", "--json", *words).stdout)
    return found


def test_what_history_found_is_on_the_page_and_nothing_is_measured(project):
    before = stored_runs(project)

    found = report_of(project)

    (change,) = found["changes"]
    assert change["revision"]["subject"] == f"Revision {CHANGE}"
    assert change["evidence"] == "exact"
    assert change["benchmark"] == "work"
    assert stored_runs(project) == before


def test_the_page_is_written_where_the_user_wants_it(project):
    said = sonde(project, "report", "--output", "page.html").stdout

    assert said.endswith("Written to page.html.\n")
    page = (project / "page.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "default-src 'none'" in page


def test_history_writes_its_part_of_the_page(project):
    page = (project / "history.html").read_text("utf-8")

    assert f"Revision {CHANGE}" in page
    assert "sonde history --exact" in page


def test_check_writes_its_page_before_it_ends_with_its_code(project):
    steps_back = REVISIONS - 1 - CHANGE

    sonde(project, "check", f"HEAD~{steps_back}", "--html", "check.html", codes=(1,))

    assert "SLOWER" in (project / "check.html").read_text("utf-8")


def test_the_command_of_a_change_shows_it(project):
    (change,) = report_of(project)["changes"]

    said = sonde(project, *change["command"].split()[1:]).stdout

    assert "150" in said
    assert "100" in said


def test_tags_are_marked(project):
    subprocess.run(["git", "-C", project / "subject", "tag", "v1", "HEAD~3"], check=True)

    assert report_of(project)["tags"] == [[36, "v1"]]


def test_nothing_measured_is_an_error_that_says_what_to_do(tmp_path):
    folder = make_history(tmp_path)

    said = sonde(folder, "report", codes=(3,)).stderr

    assert "nothing is measured yet" in said
    assert not (folder / "sonde-report.html").exists()


def test_times_beside_a_reference_are_known_without_measuring(tmp_path):
    folder = make_timed_history(tmp_path)
    answer = json.loads(sonde(folder, "history", "--exact", "--budget", "40%", "--json").stdout)

    found = report_of(folder)

    (series,) = found["series"]
    assert series["measured"] == answer["series"][0]["measured"]
    assert [change["position"] for change in series["changes"]] == [
        change["position"] for change in answer["series"][0]["changes"]
    ]
