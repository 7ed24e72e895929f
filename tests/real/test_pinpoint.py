"""`sonde pinpoint` from the command line to the answer, on a real repository whose truth is known."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

import sonde as package
from sonde.core.errors import ProjectFileError, UsageError
from sonde.core.findings.pinpoints import Pinpoints
from sonde.workflows.api import Silence
from sonde.workflows.pinpoint.searching import NO_STEPS, PinpointRequest, pinpoint
from sonde.workflows.projects import open_project
from sonde.workflows.targets import MeasuringRequest
from tests.real.gates import Gate, stop_at
from tests.real.repositories import RepositoryMaker
from tests.real.subjects import sonde, stored_runs, write_project
from tests.workflows.plain_search import PlainSearch

pytestmark = pytest.mark.needs("git", "bwrap")

REVISIONS, SINCE, FAST, NEW, BOTH = 40, 10, 23, 31, 35
BROKEN = frozenset({16, 30})
CONFIGURATIONS = 6  # deep needs fast; either of them with and without new
POINTS = SINCE * CONFIGURATIONS // 2 + (REVISIONS - SINCE) * CONFIGURATIONS

# A number that is printed needs no quiet machine.
PROJECT_FILE = """\
repository = "subject"
constraints = ["deep implies fast"]

[build]
command = "sh src/build.sh"
outputs = ["work"]
inputs = ["src/**"]

[options.fast]
words = "--fast"

[options.deep]
words = "--deep"

[options.new]
words = "--new"
since = "v1"

[benchmarks.work]
command = "{build}/work {options}"
metric = "printed"
pattern = "took ([0-9.]+)"
runs = 1
"""

BUILD = "test -f src/broken && { echo 'no rule to make work'; exit 3; }\ncp src/work.sh work\nchmod +x work\n"


def script(position: int, before: str = "") -> str:
    """Fast costs more since FAST, new since NEW, and fast with new since BOTH."""
    fast, new, both = (30 if position >= change else 0 for change in (FAST, NEW, BOTH))
    return f"""\
#!/bin/sh
# {position // 2}
{before}
took=100
for word in "$@"; do
    case $word in --fast) fast=1 ;; --new) new=1 ;; --*) ;; esac
done
test "$fast" && took=$((took + {fast}))
test "$new" && took=$((took + {new}))
test "$fast$new" = 11 && took=$((took + 3 * {both}))
echo took $took
"""


def make_project(folder: Path, *, broken=BROKEN, before: str = "") -> Path:
    maker = RepositoryMaker()
    for position in range(REVISIONS):
        files = {"src/work.sh": script(position, before), "src/build.sh": BUILD, "README": f"{position}\n"}
        if position in broken:
            files["src/broken"] = "\n"
        gone = {"src/broken": None} if position - 1 in broken and position not in broken else {}
        maker.revision({**files, **gone}, subject=f"Revision {position}")
    maker.tag("v1", SINCE + 1)
    maker.make(folder / "subject")
    write_project(folder, PROJECT_FILE)
    return folder


def plainly(
    folder: Path,
    request: MeasuringRequest | None = None,
    threshold: str = "5%",
    influences: bool = False,
    predict: tuple[str, ...] = (),
    at: str = "",
) -> Pinpoints:
    """What a search finds that looks at everything."""
    how = PinpointRequest("plain", threshold, 0, influences, predict, at)
    return pinpoint(
        open_project(folder), request or MeasuringRequest(), how, True, Silence(), {"plain": PlainSearch}
    )


def answer_of(folder: Path, *words: str, codes: tuple[int, ...] = (0,)) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(sonde(folder, "pinpoint", *words, "--json", codes=codes).stdout)
    return found


def test_steps_lives_and_failures_are_those_of_the_repository(tmp_path):
    project = make_project(tmp_path)

    first, second = plainly(project), plainly(project)

    (work,) = first.benchmarks
    found = {one.position: {str(literal) for literal in one.term} for one in work.findings}
    assert found == {FAST: {"fast"}, NEW: {"new"}, BOTH: {"fast", "new"}}
    assert [one.is_exact for one in work.findings] == [True, False, True]  # 30 does not build
    ground = first.grounds["work"]
    assert (ground.revisions, ground.configurations, ground.points) == (REVISIONS, CONFIGURATIONS, POINTS)
    assert ground.steps < REVISIONS  # every other revision changes the README alone
    positions = {first.history.positions[result.point.revision] for result in first.failures}
    assert positions <= BROKEN
    assert first.spent.runs > 0
    assert second.benchmarks == first.benchmarks
    assert (second.spent.builds, second.spent.runs) == (0, 0)


def test_options_that_no_revision_of_the_range_has_are_left_alone(tmp_path):
    project = make_project(tmp_path)

    found = plainly(project, MeasuringRequest(range=f"HEAD~{REVISIONS - SINCE}"))

    assert found.grounds["work"].configurations == CONFIGURATIONS // 2
    assert not found.benchmarks[0].findings
    assert not any(result.point.configuration["new"] for result in found.failures)


def test_a_budget_counts_points_and_what_is_known_of_others_is_free(tmp_path):
    project = make_project(tmp_path)
    package.open(project).measure("HEAD~4..", configurations=["all"])

    small = plainly(project, MeasuringRequest(budget="3%"))

    (work,) = small.benchmarks
    assert "the budget of" in work.ending
    assert 0 < work.points + work.failed <= 2 * round(0.03 * POINTS)  # twins are free


def test_where_no_build_can_differ_nothing_is_measured(tmp_path):
    project = make_project(tmp_path)

    found = plainly(project, MeasuringRequest(range="HEAD~2..HEAD~1"))

    assert found.benchmarks[0].ending == NO_STEPS
    assert found.spent.builds == 0
    assert found.has_answer


def test_spaces_and_ranges_without_a_choice_are_told(tmp_path):
    project = make_project(tmp_path)

    write_project(project, PROJECT_FILE.replace('"deep implies fast"', '"not deep", "not fast", "not new"'))
    with pytest.raises(UsageError, match="only one valid configuration"):
        plainly(project)
    write_project(project, PROJECT_FILE.replace('"deep implies fast"', '"not fast", "not deep"'))
    with pytest.raises(UsageError, match="only one valid configuration"):
        plainly(project, MeasuringRequest(range=f"HEAD~{REVISIONS - SINCE}"))
    write_project(project, PROJECT_FILE.replace('"deep implies fast"', '"fast", "not fast"'))
    with pytest.raises(ProjectFileError):
        plainly(project)
    since = 'command = [{ run = "{build}/work {options}", since = "v1" }]'
    write_project(project, PROJECT_FILE.replace('command = "{build}/work {options}"', since))
    with pytest.raises(UsageError, match="no revision of the range has these benchmarks"):
        plainly(project, MeasuringRequest(range=f"HEAD~{REVISIONS - SINCE}"))


def test_influences_are_those_of_the_script_while_their_options_exist(tmp_path):
    project = make_project(tmp_path)

    found = plainly(project, influences=True, predict=("fast,new,deep", "default"), at="HEAD~5")

    influences = found.benchmarks[0].influences
    assert influences is not None
    over_time = {frozenset(map(str, one.term)): one for one in influences.terms}
    assert over_time[frozenset()].at(0) == pytest.approx(100, abs=1)
    assert over_time[frozenset({"fast"})].at(FAST) == pytest.approx(30, abs=2)
    new = over_time[frozenset({"new"})]
    assert new.at(0) is None
    assert new.at(REVISIONS - 1) == pytest.approx(30, abs=2)
    assert [one.request.position for one in influences.predictions] == [REVISIONS - 6] * 2
    assert [one.value for one in influences.predictions] == pytest.approx([160, 100], rel=0.05)
    assert plainly(project).benchmarks[0].influences is None


def test_a_prediction_that_nobody_can_make_is_refused_before_anything_is_measured(tmp_path):
    project = make_project(tmp_path)

    def complaint(range: str = "", **asked: Any) -> str:
        with pytest.raises(UsageError) as raised:
            plainly(project, MeasuringRequest(range=range), **asked)
        return str(raised.value)

    assert "not all of its options exist" in complaint(predict=("new",), at=f"HEAD~{REVISIONS - 2}")
    assert "is not in the range" in complaint("HEAD~5..", predict=("fast",), at="HEAD~9")
    assert "is only for predictions" in complaint(at="HEAD~9")
    assert "breaks the constraint" in complaint(predict=("deep",))
    assert not list((project / ".sonde" / "builds").glob("*"))


def test_the_command_tells_influences(tmp_path):
    project = make_project(tmp_path)

    text = sonde(project, "pinpoint", "--predict", "fast", "--html", "page.html").stdout
    answer = answer_of(project, "--influences")

    assert "sonde pinpoint --predict fast" in (project / "page.html").read_text("utf-8")
    assert "Influences, fitted to" in text
    assert "Predicted by these influences at" in text
    (work,) = answer["benchmarks"]
    assert work["influences"][0]["options"] == []
    assert work["influences"][0]["over_time"][0]["from_revision"] == answer["revisions"][0]["id"]
    assert work["relative_error"] is not None


@pytest.mark.slow
def test_a_script_can_pinpoint_too(tmp_path):
    project = make_project(tmp_path)

    found = package.open(project).pinpoint(["work"], planner="paper", budget="5", influences=True)

    assert [one.benchmark for one in found.benchmarks] == ["work"]
    assert found.spent.runs <= 5
    assert found.benchmarks[0].influences is not None
    assert found.benchmarks[0].influences.points <= 5


def test_each_planted_change_is_found_where_it_is(tmp_path):
    project = make_project(tmp_path)

    first = answer_of(project)
    second = answer_of(project)

    (work,) = first["benchmarks"]
    found = {one["position"]: one["options"] for one in work["findings"]}
    assert found == {FAST: ["fast"], NEW: ["new"], BOTH: ["fast", "new"]}
    assert all(one["earliest"] <= one["position"] <= one["latest"] for one in work["findings"])
    assert work["findings"][0]["percent"] == pytest.approx(30, abs=2)
    assert work["findings"][0]["subject"] == f"Revision {FAST}"
    assert work["points"] < POINTS / 2
    assert second["benchmarks"] == first["benchmarks"]
    assert (second["spent"]["builds"], second["spent"]["runs"]) == (0, 0)


@pytest.mark.slow
def test_the_command_that_it_prints_shows_the_change(tmp_path):
    project = make_project(tmp_path)
    text = sonde(project, "pinpoint").stdout

    assert f"Ada: Revision {FAST}" in text
    (command, *_) = (line.strip()[2:] for line in text.splitlines() if line.strip().startswith("$ "))
    shown = sonde(project, *shlex.split(command)[1:]).stdout

    assert "+30.0 %" in shown
    assert f"Revision {FAST - 1}" in shown


@pytest.mark.slow
def test_interrupted_in_the_middle_it_goes_on_where_it_was(tmp_path):
    straight = answer_of(make_project(tmp_path / "straight"))
    gate = Gate(tmp_path / "gate", at=8)
    project = make_project(tmp_path / "interrupted", before=gate.lines)
    command = f"{{build}}/work {gate.folder}"
    write_project(project, PROJECT_FILE.replace("{build}/work", command) + gate.environment)

    assert stop_at(gate, project, "pinpoint") == 130
    resumed = answer_of(project)
    findings = [
        [(one["position"], one["options"]) for one in each["benchmarks"][0]["findings"]]
        for each in (straight, resumed)
    ]
    assert findings[0] == findings[1]
    assert resumed["benchmarks"][0]["points"] == straight["benchmarks"][0]["points"]
    assert resumed["spent"]["builds"] < straight["spent"]["builds"]
    assert len(stored_runs(project)) == gate.runs - 1  # but for the one that was stopped, none was in vain


@pytest.mark.slow
def test_where_nothing_builds_it_shows_what_was_said(tmp_path):
    project = make_project(tmp_path, broken=frozenset(range(REVISIONS)))

    ended = sonde(project, "pinpoint", codes=(3,))

    assert "no point has a value, because every build or run failed" in ended.stderr
    assert "no rule to make work" in ended.stderr
    assert answer_of(project, codes=(3,))["benchmarks"][0]["findings"] == []


@pytest.mark.slow
def test_where_no_value_is_positive_it_says_so(tmp_path):
    project = make_project(tmp_path)
    write_project(project, PROJECT_FILE.replace("([0-9.]+)", "[0-9]+([0-9])"))  # all of them end in 0

    ended = sonde(project, "pinpoint", codes=(3,))

    assert "no point has a usable value" in ended.stderr
    assert "The value is not positive: it is 0" in ended.stderr
    assert "Nothing could be measured" in ended.stdout
    assert "Nothing found" not in ended.stdout
    (benchmark,) = answer_of(project, codes=(3,))["benchmarks"]
    assert benchmark["points"] == 0
    assert benchmark["failed"] > 0


@pytest.mark.slow
def test_where_nothing_changes_it_says_so(tmp_path):
    project = make_project(tmp_path)

    text = sonde(project, "pinpoint", "--range", f"HEAD~{REVISIONS - FAST}").stdout

    assert "Nothing found above the noise: no change of 5 % or more." in " ".join(text.split())


@pytest.mark.slow
def test_mistakes_are_told_in_a_sentence(tmp_path):
    project = make_project(tmp_path)

    def complaint(*words: str) -> str:
        return sonde(project, "pinpoint", *words, codes=(2,)).stderr

    assert "there is no planner 'best'" in complaint("--planner", "best")
    assert "threshold 'much' is invalid" in complaint("--threshold", "much")
    assert "budget 'much' is invalid" in complaint("--budget", "much")
    assert "Did you mean 'work'?" in complaint("wrok")
