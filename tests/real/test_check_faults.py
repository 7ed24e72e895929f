"""`sonde check` when something goes wrong, in the subject or in the world around it."""

from __future__ import annotations

import json
import subprocess
import time

import pytest

from sonde.core.events import Event
from sonde.core.findings.comparisons import Verdict
from sonde.workflows.check.judging import check as check_in_here
from sonde.workflows.check.request import CheckRequest
from sonde.workflows.projects import open_project
from sonde.workflows.targets import MeasuringRequest
from tests.real.checks import (
    BUILDS,
    PROJECT_FILE,
    check,
    make_history,
    sonde_here,
    verdicts,
    work,
)
from tests.real.faults.leftovers import assert_nothing_stays_behind
from tests.real.gates import Gate, stop_at
from tests.real.repositories import git
from tests.real.subjects import SONDE, sonde
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("git", "bwrap")

# position -> what changes there
FIRST, README_ONLY, REMARK, SLOWER, FASTER, FAILS, FAILS_STILL, BROKEN, MENDED = range(9)


@pytest.fixture(scope="module")
def subject(tmp_path_factory):
    """A project, and the revision at each position."""
    folder = tmp_path_factory.mktemp("check")
    ids = make_history(
        folder,
        [
            ("Begin", {"src/work.sh": work(100), "src/build.sh": BUILDS, "README": "one\n"}),
            ("Say more", {"README": "two\n"}),
            ("Explain", {"src/work.sh": work(100, "explained")}),
            ("Be slower", {"src/work.sh": work(130)}),
            ("Be faster", {"src/work.sh": work(100, "again")}),
            ("Fail", {"src/work.sh": work(100, before="echo 'no such table'; exit 7")}),
            ("Fail still", {"src/work.sh": work(100, "still", "exit 7")}),
            ("Break the build", {"src/build.sh": "echo 'no rule to make work'\nexit 3\n"}),
            ("Mend all", {"src/work.sh": work(100, "mended"), "src/build.sh": BUILDS}),
        ],
    )
    return folder, ids


def test_a_head_that_does_not_build_says_why_and_shows_the_log(subject):
    folder, ids = subject

    said = sonde_here(folder, "check", ids[BROKEN], code=3).stderr

    assert f"{ids[BROKEN][:8]} does not build" in said
    assert "exit code 3" in said
    assert "no rule to make work" in said


def test_a_base_that_does_not_build_gives_way_to_the_nearest_one_that_does(subject):
    folder, ids = subject

    answer = check(folder, ids[MENDED])

    assert answer["base"]["id"] == ids[FAILS_STILL]
    assert f"{ids[BROKEN][:8]} does not build" in " ".join(answer["warnings"])
    assert verdicts(answer) == ["mended"]


def test_a_benchmark_that_fails_at_the_head_only_is_a_regression(subject):
    folder, ids = subject

    answer = check(folder, ids[FAILS], code=1)

    assert verdicts(answer) == ["fails"]
    assert answer["headline"].startswith("FAILS")
    assert "exit code 7" in answer["compared"][0]["reason"]
    assert "no such table" in answer["compared"][0]["output"]


def test_a_benchmark_that_fails_at_both_says_nothing_of_the_revision(subject):
    folder, ids = subject

    answer = check(folder, ids[FAILS_STILL], code=3)

    assert verdicts(answer) == ["broken"]
    assert not answer["is_conclusive"]


def test_summaries_are_written_whatever_the_exit_code_is(subject, tmp_path, monkeypatch):
    folder, ids = subject
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))

    printed = sonde(folder, "check", ids[FAILS], "--markdown", str(tmp_path / "check.md"), codes=(1,)).stdout

    assert "FAILS" in printed
    for name in ("summary.md", "check.md"):
        assert (tmp_path / name).read_text().startswith("### Sonde: FAILS"), name
    check(folder, ids[FAILS], "--fail-on", "never")


def test_a_second_run_costs_nothing_and_says_the_same(subject):
    folder, ids = subject

    first = check(folder, ids[SLOWER], code=1)
    again = check(folder, ids[SLOWER], code=1)

    assert verdicts(first) == ["slower"]
    assert again["spent"]["builds"] == 0
    assert again["compared"] == first["compared"]


def test_a_range_and_a_base_that_comes_later(subject):
    folder, ids = subject

    assert verdicts(check(folder, f"{ids[REMARK]}..{ids[SLOWER]}", code=1)) == ["slower"]
    assert verdicts(check(folder, f"{ids[SLOWER]}..{ids[REMARK]}")) == ["faster"]
    assert verdicts(check(folder, f"{ids[SLOWER]}..{ids[REMARK]}", "--fail-on", "change", code=1)) == [
        "faster"
    ]


def test_as_few_pairs_as_there_may_be_give_an_answer_or_none_but_never_a_wrong_one(subject):
    folder, ids = subject

    told = json.loads(sonde(folder, "check", ids[SLOWER], "--pairs", "6", "--json", codes=(4,)).stdout)

    assert verdicts(told) == ["inconclusive"]
    assert any("Use --pairs 7 or more" in warning for warning in told["warnings"])


@pytest.mark.parametrize(
    ("words", "said"),
    slow_except(
        [("main~2...main",), ("-b", "wrok"), ("main~7", "--markdown", "/nowhere/check.md")],
        [
            (("main~2...main",), "two dots"),
            (("nowhere",), "nowhere"),
            (("main..nowhere",), "nowhere"),
            (("main..main",), "compared with itself"),
            (("main~8",), "has no parent"),
            (("main..",), "compared with itself"),
            (("--threshold", "much"), "5%, or 0.05"),
            (("--threshold", "0"), "above 0%"),
            (("--pairs", "5"), "greater than or equal to 6"),
            (("--fail-on", "monday"), "regression"),
            (("-b", "wrok"), "Did you mean 'work'?"),
            (("-c", "deep"), "'deep' is not in the space"),
            (("--all", "--strength", "3"), "so --strength has no effect"),
            (("main~7", "--markdown", "/nowhere/check.md"), "can write to"),
        ],
    ),
)
def test_mistakes_are_explained(subject, words, said):
    told = sonde_here(subject[0], "check", *words, code=2).stderr

    assert said in told
    assert "--base" not in told  # which this command does not have


def test_nothing_behind_the_dots_is_the_end(subject):
    folder, ids = subject

    latest = check(folder, f"{ids[FASTER]}..")

    assert latest["head"]["id"] == ids[MENDED]
    assert verdicts(latest) == ["equal"]


@pytest.mark.slow
def test_a_full_disk_is_told_and_the_same_command_goes_on(subject, tmp_path):
    folder, ids = subject
    state = ["--state", str(tmp_path / "state")]
    sonde(folder, "check", ids[README_ONLY], *state)
    # The limit of a file's size stands in for the end of the disk.
    script = f"ulimit -f 24; exec {' '.join(SONDE)} check {ids[SLOWER]} {' '.join(state)}"
    for word, code in ("", 3), ("--git-bisect", 125):
        ended = subprocess.run(
            ["bash", "-c", f"{script} {word}"], cwd=folder, capture_output=True, text=True, check=False
        )

        assert ended.returncode == code, ended.stderr
        assert "Traceback" not in ended.stderr
        assert "Everything stored so far is safe" in ended.stderr
    assert verdicts(check(folder, ids[SLOWER], *state, code=1)) == ["slower"]


class Silent:
    """Notices nothing."""

    def notice(self, event: Event) -> None:
        pass


@pytest.mark.slow
def test_a_clock_that_is_set_back_and_forth_changes_nothing(subject, tmp_path, monkeypatch):
    folder, ids = subject
    real, asked = time.time, iter(range(10**9))
    monkeypatch.setattr(time, "time", lambda: real() + (-1) ** next(asked) * 86_400.0 * 400)

    found = check_in_here(
        open_project(folder, tmp_path / "state"),
        MeasuringRequest(),
        CheckRequest(ids[SLOWER]),
        True,
        Silent(),
    )

    assert [each.verdict for each in found.compared] == [Verdict.SLOWER]
    assert 0 < found.cost.seconds < 86_400


@pytest.mark.parametrize("runs", slow_except([9], [1, 9]))
def test_it_can_be_interrupted_and_goes_on_to_the_same_verdict(tmp_path, runs):
    gate = Gate(tmp_path / "gate", at=runs)
    make_history(
        tmp_path,
        [
            ("Begin", {"src/work.sh": work(100, before=gate.lines), "src/build.sh": BUILDS}),
            ("Be slower", {"src/work.sh": work(130, before=gate.lines)}),
        ],
        PROJECT_FILE.replace("{build}/work", f"{{build}}/work {gate.folder}") + gate.environment,
    )

    assert stop_at(gate, tmp_path, "check") == 130
    assert_nothing_stays_behind(tmp_path)
    answer = check(tmp_path, code=1)
    assert verdicts(answer) == ["slower"]
    made = gate.runs
    again = check(tmp_path, code=1)
    assert again["compared"] == answer["compared"]
    assert gate.runs <= made + 1  # a profile that failed is tried again


@pytest.mark.slow
def test_git_bisect_is_told_which_revision_is_bad(tmp_path):
    bad, broken = 6, 4
    revisions = [
        (
            f"Revision {n}",
            {
                "src/work.sh": work(100 if n < bad else 130, f"revision {n}"),
                "src/build.sh": "exit 3\n" if n == broken else BUILDS,
            },
        )
        for n in range(9)
    ]
    ids = make_history(tmp_path, revisions)
    repository = tmp_path / "subject"
    git(repository, "bisect", "start", ids[-1], ids[0])

    told = git(
        repository, "bisect", "run", *SONDE, "check", "--git-bisect", f"{ids[0]}..", "-p", str(tmp_path)
    )

    assert f"{ids[bad]} is the first bad commit" in told
    assert "SLOWER" in told


@pytest.mark.parametrize(
    ("words", "code"),
    slow_except([("nowhere",)], [(("--pairs", "x"), 125), (("nowhere",), 125), (("main~7",), 0)]),
)
def test_git_bisect_is_never_told_anything_else(subject, words, code):
    sonde(subject[0], "check", "--git-bisect", *words, codes=(code,))
