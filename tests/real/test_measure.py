"""`sonde measure` from the command line to the store, on a real repository."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sonde.core.records import BuildRecord, SampleRecord
from sonde.effects.store import open_store
from tests.real.subjects import (
    BROKEN,
    CHANGED,
    CRASHING,
    FIRST,
    LAST,
    MENDED,
    PROJECT_FILE,
    README_ONLY,
    UNUSED_INPUT,
    make_subject,
    sonde,
    write_project,
)

pytestmark = pytest.mark.needs("git", "bwrap")


@pytest.fixture
def revisions(tmp_path):
    write_project(tmp_path)
    return make_subject(tmp_path)


def points_of(printed: str) -> dict[int, dict[str, Any]]:
    answer = json.loads(printed)
    assert answer["unknown"] == 0
    return {point["position"]: point for point in answer["points"]}


def test_every_revision_is_measured_shared_or_failed_with_its_reason(tmp_path, revisions):
    points = points_of(sonde(tmp_path, "measure", "--json").stdout)

    assert len(points[FIRST]["samples"]) == 3
    assert "twin" not in points[FIRST]
    for position, home, reason in [
        (README_ONLY, FIRST, "same build inputs"),
        (UNUSED_INPUT, FIRST, "same build outputs"),
        (MENDED, CHANGED, "same build inputs"),
    ]:
        assert points[position]["twin"]["revision"] == revisions[home]
        assert points[position]["twin"]["reason"] == reason
        assert points[position]["samples"] == points[home]["samples"]
    assert points[BROKEN]["failed"]["stage"] == "build"
    assert points[BROKEN]["failed"]["reason"] == "The build ended with exit code 3."
    assert "no rule to make work" in points[BROKEN]["failed"]["output"]
    assert points[CRASHING]["failed"]["stage"] == "run"
    assert "exit code 7" in points[CRASHING]["failed"]["reason"]
    assert all(sample["cpu"] > 0 and sample["memory"] > 0 for sample in points[LAST]["samples"])


def test_what_is_known_is_not_measured_again(tmp_path, revisions):
    first = json.loads(sonde(tmp_path, "measure", "--json").stdout)
    second = json.loads(sonde(tmp_path, "measure", "--json").stdout)

    assert first["spent"]["runs"] == 3 * 3 + 1  # three programs three times, and one that fails at once
    assert first["spent"]["builds"] == 6  # of eight revisions, two have the inputs of another
    assert second["spent"] == {"builds": 0, "runs": 0, "seconds": 0.0}
    assert second["points"] == first["points"]


@pytest.mark.slow
def test_more_runs_are_added_to_those_that_are_there(tmp_path, revisions):
    sonde(tmp_path, "measure", "HEAD^!")

    answer = json.loads(sonde(tmp_path, "measure", "HEAD^!", "--runs", "5", "--json").stdout)

    assert answer["spent"]["runs"] == 2
    assert len(answer["points"][0]["samples"]) == 5


def test_a_changed_benchmark_is_never_mixed_with_the_old_one(tmp_path, revisions):
    sonde(tmp_path, "measure", "HEAD^!")
    write_project(tmp_path, PROJECT_FILE.replace("{build}/work", "/bin/sh {build}/work"))

    answer = json.loads(sonde(tmp_path, "measure", "HEAD^!", "--json").stdout)

    assert answer["spent"]["runs"] == 3
    write_project(tmp_path)
    assert json.loads(sonde(tmp_path, "measure", "HEAD^!", "--json").stdout)["spent"]["runs"] == 0


@pytest.mark.slow
def test_a_changed_input_file_is_never_mixed_with_the_old_one(tmp_path, revisions):
    text = PROJECT_FILE.replace('metric = "cpu"', 'metric = "cpu"\ninputs = ["data.txt"]')
    write_project(tmp_path, text)
    (tmp_path / "data.txt").write_text("one")
    sonde(tmp_path, "measure", "HEAD^!")
    (tmp_path / "data.txt").write_text("two")

    answer = json.loads(sonde(tmp_path, "measure", "HEAD^!", "--json").stdout)

    assert answer["spent"]["runs"] == 3


def test_failures_are_remembered_and_a_retry_is_explicit(tmp_path, revisions):
    words = ("measure", f"{revisions[BROKEN]}^!", "--json")
    sonde(tmp_path, *words, codes=(3,))

    again = sonde(tmp_path, *words, codes=(3,))
    retried = sonde(tmp_path, *words, "--retry", codes=(3,))

    assert json.loads(again.stdout)["spent"]["builds"] == 0
    assert json.loads(retried.stdout)["spent"]["builds"] == 1
    assert "every build or run failed" in retried.stderr


def test_a_configuration_chooses_words_and_is_refused_where_its_option_is_missing(tmp_path, revisions):
    request = ("-c", "depth=2,fast", "-c", "default")
    answer = json.loads(sonde(tmp_path, "measure", *request, "--json").stdout)

    by_place = {(p["position"], p["configuration"]["depth"]): p for p in answer["points"]}
    assert by_place[FIRST, 2]["failed"]["stage"] == "space"
    assert by_place[FIRST, 2]["failed"]["reason"] == "Option 'depth' does not exist here, only since v1."
    assert len(by_place[CHANGED, 2]["samples"]) == 3
    assert by_place[CHANGED, 2]["samples"] != by_place[CHANGED, 1]["samples"]


@pytest.mark.slow
def test_outputs_that_were_pruned_are_built_again_when_they_are_needed(tmp_path, revisions):
    sonde(tmp_path, "measure", "HEAD^!")
    pruned = json.loads(sonde(tmp_path, "prune", "--limit", "0", "--json").stdout)

    answer = json.loads(sonde(tmp_path, "measure", "HEAD^!", "--runs", "4", "--json").stdout)

    assert pruned["freed_bytes"] > 0
    assert pruned["kept_bytes"] == 0
    assert answer["spent"]["runs"] == 1
    assert len(answer["points"][0]["samples"]) == 4


def test_a_budget_is_kept_and_the_rest_is_unknown(tmp_path, revisions):
    answer = json.loads(sonde(tmp_path, "measure", "--budget", "4", "--json").stdout)

    assert answer["spent"]["runs"] == 4
    assert answer["ending"] == "the budget of 4 runs is spent"
    assert answer["unknown"] > 0


def test_a_dry_run_tells_what_there_is_to_do_and_does_nothing(tmp_path, revisions):
    plan = json.loads(sonde(tmp_path, "measure", "--dry-run", "--json").stdout)

    assert plan == {
        "points": 8,
        "known": 0,
        "impossible": 0,
        "builds": 6,
        "runs": 6 * 3,
        "seconds": None,
        "budget": "unlimited",
    }
    with open_store(tmp_path / ".sonde" / "store.sqlite") as store:
        assert not list(store.query(BuildRecord, {}))
        assert not list(store.query(SampleRecord, {}))


@pytest.mark.slow
def test_a_dry_run_knows_what_is_missing_pruned_and_to_be_tried_again(tmp_path, revisions):
    sonde(tmp_path, "measure")
    words = ("measure", "--dry-run", "--json")

    def work(*more: str) -> tuple[int, int]:
        planned = json.loads(sonde(tmp_path, *words, *more).stdout)
        return planned["builds"], planned["runs"]

    assert work() == (0, 0)
    assert work("--runs", "5") == (0, 3 * 2)
    assert json.loads(sonde(tmp_path, *words, "--runs", "5").stdout)["seconds"] > 0  # by the runs before
    assert work("--retry")[0] >= 1
    sonde(tmp_path, "prune", "--limit", "0")
    assert work("--runs", "5") == (3, 3 * 2)
    assert "is invalid" in sonde(tmp_path, *words, "--budget", "much", codes=(2,)).stderr


@pytest.mark.slow
def test_show_tells_of_what_was_measured_otherwise(tmp_path, revisions):
    sonde(tmp_path, "measure", "HEAD^!")
    write_project(tmp_path, PROJECT_FILE.replace("{build}/work", "/bin/sh {build}/work"))

    shown = sonde(tmp_path, "show", "HEAD^!").stdout

    assert "1 unknown" in shown
    assert "Of the unknown ones, 1 was measured with a different recipe, tool or machine." in shown


def test_show_prints_what_is_known_and_the_log_of_a_failure(tmp_path, revisions):
    sonde(tmp_path, "measure")

    shown = sonde(tmp_path, "show").stdout
    log = sonde(tmp_path, "show", "--log", revisions[BROKEN]).stdout

    assert "does not build" in shown
    assert f"[same build inputs as {revisions[FIRST][:8]}]" in shown
    assert "no rule to make work" in log


@pytest.mark.slow
def test_it_works_without_a_sandbox_and_does_not_mix_the_two(tmp_path, revisions):
    sonde(tmp_path, "measure", "HEAD^!")

    bare = json.loads(sonde(tmp_path, "measure", "HEAD^!", "--no-sandbox", "--json").stdout)

    assert bare["spent"]["runs"] == 3
    assert len(bare["points"][0]["samples"]) == 3


def test_a_build_sees_its_inputs_and_nothing_else(tmp_path):
    make_subject(tmp_path)
    command = "ls -a > seen; cp src/work.sh work; chmod +x work"
    text = PROJECT_FILE.replace('"sh src/build.sh"', f'"{command}"').replace('["work"]', '["work", "seen"]')
    write_project(tmp_path, text)

    sonde(tmp_path, "measure", "HEAD^!")

    seen = next((tmp_path / ".sonde" / "builds").glob("*/seen")).read_text().split()
    assert seen == [".", "..", "seen", "src"]


def test_the_user_s_repository_is_left_as_it_was(tmp_path, revisions):
    def state() -> dict[str, float]:
        folder = tmp_path / "subject"
        return {str(path): path.stat().st_mtime for path in folder.rglob("*")}

    before = state()
    sonde(tmp_path, "measure")

    assert state() == before
