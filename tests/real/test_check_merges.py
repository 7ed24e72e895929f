"""What a merge is compared with, and that it is said."""

from __future__ import annotations

import pytest

from sonde.report.check.text import check_text
from sonde.workflows.api import Silence
from sonde.workflows.check.judging import check
from sonde.workflows.check.request import CheckRequest
from sonde.workflows.projects import open_project
from sonde.workflows.targets import MeasuringRequest
from tests.real.checks import BUILDS, PROJECT_FILE, work
from tests.real.repositories import RepositoryMaker
from tests.real.subjects import write_project

pytestmark = pytest.mark.needs("git", "bwrap")

# marks: BEGIN - MAIN ---- MERGE - AFTER
#             \- SIDE - SIDE_2 -/
BEGIN, MAIN, SIDE, SIDE_2, MERGE, AFTER = range(1, 7)


@pytest.fixture(scope="module")
def subject(tmp_path_factory):
    """A project, and the revision at each mark: the side is slower, and so is all after its merge."""
    folder = tmp_path_factory.mktemp("merges")
    maker = RepositoryMaker()
    maker.revision({"src/work.sh": work(100), "src/build.sh": BUILDS}, subject="Begin")
    maker.revision({"src/work.sh": work(100, "main")}, subject="Go on")
    maker.revision({"src/work.sh": work(130)}, [BEGIN], "Be slower", branch="side")
    maker.revision({"src/work.sh": work(130, "side")}, [SIDE], "Go on aside", branch="side")
    maker.revision({"src/work.sh": work(130, "both")}, [MAIN, SIDE_2], "Merge the side")
    maker.revision({"src/work.sh": work(130, "after")}, [MERGE], "Go on after it")
    ids = maker.make(folder / "subject")
    write_project(folder, PROJECT_FILE)
    return open_project(folder), ids


def ask(subject, base: int | None, head: int, bisect: str = ""):
    project, ids = subject
    how = CheckRequest(ids[head], "" if base is None else ids[base], bisect=bisect)
    return check(project, MeasuringRequest(), how, True, Silence())


def verdicts(found) -> list[str]:
    return [each.verdict.value for each in found.compared]


def partings(found) -> list[str]:
    return [each for each in found.warnings if "diverged" in each]


def test_a_merge_is_compared_with_its_first_parent_so_what_it_brings_counts(subject):
    found = ask(subject, None, MERGE)

    assert found.base.id == subject[1][MAIN]
    assert verdicts(found) == ["slower"]
    assert "Compared with the first parent of this merge" in check_text(found, 100)
    assert partings(found) == []


@pytest.mark.slow
def test_a_merge_can_be_compared_with_the_branch_that_it_brings(subject):
    found = ask(subject, SIDE_2, MERGE)

    assert verdicts(found) == ["equal"]
    assert "Compared with the second parent of this merge" in check_text(found, 100)


@pytest.mark.slow
def test_a_range_over_a_merge_compares_its_ends_and_finds_the_merge(subject):
    _, ids = subject
    found = ask(subject, MAIN, AFTER, bisect=f"{ids[MAIN]}..{ids[AFTER]}")

    assert (found.base.id, found.head.id) == (ids[MAIN], ids[AFTER])
    assert [each.revision.id for each in found.culprits] == [ids[MERGE]]
    assert "of this merge" not in check_text(found, 100)


@pytest.mark.slow
def test_of_branches_that_parted_it_is_said_where(subject):
    _, ids = subject

    found = ask(subject, MAIN, SIDE_2)

    assert verdicts(found) == ["slower"]
    (warning,) = partings(found)
    assert f"They diverged at {ids[BEGIN][:8]}" in warning
    assert f"To compare only the head's side, use {ids[BEGIN][:8]}..{ids[SIDE_2][:8]}." in warning
    assert partings(ask(subject, SIDE, AFTER)) == []  # it was merged, so it is an ancestor
