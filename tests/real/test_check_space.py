"""The configurations in which two revisions of a real repository can be compared."""

from pathlib import Path

import pytest

from sonde.core.findings.comparisons import NarrowingStep
from sonde.workflows.api import Silence
from sonde.workflows.check.judging import check
from sonde.workflows.check.request import CheckRequest
from sonde.workflows.check.space import shared_space
from sonde.workflows.projects import open_project
from sonde.workflows.targets import MeasuringRequest
from tests.real.subjects import BROKEN, CHANGED, LAST, README_ONLY, make_subject, write_project

pytestmark = pytest.mark.needs("git")


@pytest.mark.parametrize(
    ("position", "number"),
    [(README_ONLY, 2), (CHANGED, 2), (BROKEN, 4), (LAST, 4)],
    ids=["neither has the option", "the head brings it", "both have it", "the last one"],
)
def test_an_option_that_one_side_lacks_keeps_its_default(tmp_path: Path, position: int, number: int) -> None:
    revisions = make_subject(tmp_path)
    write_project(tmp_path)

    space = shared_space(open_project(tmp_path), revisions[position], "")

    assert len(list(space.configurations())) == number


@pytest.mark.needs("bwrap")
def test_equal_inputs_prove_every_case_that_there_is_though_an_option_comes_later(tmp_path: Path) -> None:
    revisions = make_subject(tmp_path)
    write_project(tmp_path)

    found = check(
        open_project(tmp_path), MeasuringRequest(), CheckRequest(revisions[README_ONLY]), True, Silence()
    )

    assert found.cases == 2
    assert [(each.step, each.is_proven, each.cases) for each in found.dropped] == [
        (NarrowingStep.BUILDS, True, 2)
    ]
