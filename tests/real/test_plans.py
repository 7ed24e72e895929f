"""What `--dry-run` says before anything is built, and afterwards by what was learned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sonde.core.records import BuildRecord
from sonde.effects.store import open_store
from tests.real.subjects import PROJECT_FILE, make_subject, sonde, write_project

pytestmark = pytest.mark.needs("git", "bwrap")

# What is printed needs no quiet machine.
PRINTED = PROJECT_FILE.replace('metric = "cpu"', 'metric = "printed"\npattern = "work ([0-9]+)"')


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_project(tmp_path, PRINTED)
    make_subject(tmp_path)
    return tmp_path


def planned(project: Path, *words: str) -> dict[str, Any]:
    plan = json.loads(sonde(project, *words, "--dry-run", "--json").stdout)
    assert isinstance(plan, dict)
    return plan


def test_a_plan_builds_nothing_and_knows_no_time_before_the_first_build(project):
    for command in ("history", "pinpoint", "check"):
        plan = planned(project, command)
        assert plan["builds"] > 0
        assert plan["runs"] > 0
        assert plan["seconds"] is None
        assert "unknown until the first build" in sonde(project, command, "--dry-run").stdout
    with open_store(project / ".sonde" / "store.sqlite") as store:
        assert not list(store.query(BuildRecord, {}))


def test_a_plan_knows_the_time_of_earlier_builds_and_runs(project):
    sonde(project, "measure", "HEAD~3..", "--runs", "3")

    for command in ("history", "pinpoint", "check"):
        assert planned(project, command)["seconds"] > 0


def test_a_history_of_which_all_is_known_has_nothing_to_do(project):
    sonde(project, "measure")

    plan = planned(project, "history")

    assert (plan["asked"], plan["builds"], plan["runs"], plan["known"]) == (0, 0, 0, plan["points"])


@pytest.mark.parametrize("command", ["history", "pinpoint"])
def test_a_budget_that_is_too_small_is_warned_of_before_anything_runs(project, command):
    plan = planned(project, command, "--budget", "2")
    enough = plan["sufficiency"]["enough"]
    stderr = sonde(project, command, "--budget", "2").stderr

    assert plan["sufficiency"]["is_short"]
    assert not planned(project, command, "--budget", enough)["sufficiency"]["is_short"]
    assert f"warning: the budget of 2 runs allows for about {plan['sufficiency']['allowed']} point" in stderr
    assert f"give --budget {enough} or more" in stderr


def test_too_few_pairs_are_warned_of_before_anything_runs(project):
    plan = planned(project, "check", "--pairs", "6")

    assert plan["least_pairs"] > plan["pairs"] == 6
    assert (
        "no change of times can be significant" in sonde(project, "check", "--pairs", "6", "--dry-run").stdout
    )
