"""When `sonde check` believes that something fails, and when it tries again."""

from __future__ import annotations

from pathlib import Path

import pytest

from sonde.core.errors import NothingMeasured
from sonde.core.findings.comparisons import Check, Verdict
from sonde.workflows.api import Silence
from sonde.workflows.check.judging import check
from sonde.workflows.check.request import CheckRequest
from sonde.workflows.projects import open_project
from sonde.workflows.targets import MeasuringRequest
from tests.real.checks import make_history

pytestmark = pytest.mark.needs("git", "bwrap", "valgrind")

PROJECT_FILE = """\
repository = "subject"
branch = "main"

[build]
command = "sh src/build.sh {world}"
outputs = ["work"]
inputs = ["src/**"]

[environment]
writable = ["{world}"]

[benchmarks.timed]
command = "{{build}}/work {world}"
metric = "printed"
pattern = "took ([0-9.]+)"

[benchmarks.counted]
command = "{{build}}/work {world}"
metric = "instructions"
"""

BUILDS = "cp src/work.sh work\nchmod +x work\n"
NO_BUILD = f'test -f "$1/no-build" && exit 3\n{BUILDS}'
DOUBTS = """\
echo run >> "$1/runs"
test -f "$1/no-run" && exit 7
test -f "$1/fluke" && { rm "$1/fluke"; exit 7; }
"""


def work(took: int, before: str = "") -> str:
    return f"#!/bin/sh\n{before}\necho took {took}\n"


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A folder that builds and runs of the head look at: whether they fail depends on what lies there."""
    folder = tmp_path / "world"
    folder.mkdir()
    make_history(
        tmp_path,
        [
            ("Begin", {"src/work.sh": work(100), "src/build.sh": BUILDS, "README": "one\n"}),
            (
                "Depend on the world",
                {"src/work.sh": work(100, DOUBTS), "src/build.sh": NO_BUILD},
            ),
            ("Say more", {"README": "two\n"}),
            ("Do more", {"src/work.sh": work(130)}),
        ],
        PROJECT_FILE.format(world=folder),
    )
    return folder


def ask(world: Path, revision: str, benchmark: str, *, retry: bool = False) -> Check:
    request = MeasuringRequest("", (), (benchmark,), retry=retry)
    return check(open_project(world.parent), request, CheckRequest(revision), True, Silence())


@pytest.mark.parametrize("benchmark", ["timed", "counted"])
def test_a_failing_run_is_remembered_until_a_retry(world, benchmark):
    (world / "no-run").touch()
    ask(world, "main~2", benchmark)
    (world / "no-run").unlink()

    again = ask(world, "main~2", benchmark)
    retried = ask(world, "main~2", benchmark, retry=True)
    after = ask(world, "main~2", benchmark)

    assert [each.verdict for each in again.compared] == [Verdict.FAILS]
    assert [each.verdict for each in retried.compared] != [Verdict.FAILS]
    assert after.compared == retried.compared


@pytest.mark.slow
def test_what_is_counted_is_run_twice_until_a_failure_is_believed(world):
    (world / "no-run").touch()

    found = ask(world, "main~2", "counted")

    assert [each.verdict for each in found.compared] == [Verdict.FAILS]
    assert len((world / "runs").read_text().split()) == 2
    assert ask(world, "main~2", "counted").compared == found.compared
    assert len((world / "runs").read_text().split()) == 2


@pytest.mark.slow
def test_what_fails_and_then_does_not_is_no_regression_but_inconclusive_and_said(world):
    (world / "fluke").touch()

    found = ask(world, "main~2", "counted")
    again = ask(world, "main~2", "counted")
    retried = ask(world, "main~2", "counted", retry=True)

    assert [each.verdict for each in found.compared] == [Verdict.INCONCLUSIVE]
    assert "Some runs fail: The benchmark ended with exit code 7." in found.compared[0].reason
    assert (again.compared, again.cost.runs) == (found.compared, 0)
    assert not {Verdict.INCONCLUSIVE, Verdict.FAILS} & {each.verdict for each in retried.compared}


def test_a_failing_build_is_remembered_until_a_retry(world):
    (world / "no-build").touch()
    with pytest.raises(NothingMeasured):
        ask(world, "main~2", "timed")
    (world / "no-build").unlink()

    with pytest.raises(NothingMeasured, match="exit code 3"):
        ask(world, "main~2", "timed")
    retried = ask(world, "main~2", "timed", retry=True)

    assert [each.verdict for each in retried.compared] == [Verdict.EQUAL]


@pytest.mark.slow
def test_a_base_whose_twin_failed_to_build_is_tried_again(world):
    (world / "no-build").touch()
    with pytest.raises(NothingMeasured):
        ask(world, "main~2", "timed")
    (world / "no-build").unlink()

    passed_over = ask(world, "main", "timed")
    retried = ask(world, "main", "timed", retry=True)

    assert passed_over.base.subject == "Begin"
    assert retried.base.subject == "Say more"
