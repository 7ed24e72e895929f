"""The terms that exhaustive regression finds in a recording that is made up."""

import csv
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from sonde.core.options import Literal
from studies.pinpoint.exhaustive import find_steps
from studies.pinpoint.extents import Extents, read_term
from studies.pinpoint.judging import explained_share, simplified, truth
from studies.pinpoint.releases import Releases, read_releases
from studies.pinpoint.step_terms import ADDED, MULTIPLIED

NAMES = ("fast", "check", "log", "noLog", "level_1", "level_2", "level_3")


@pytest.fixture
def releases(tmp_path: Path) -> Releases:
    """Release 1 adds to everything, 2 multiplies where `fast` is on at level 3, 3 where `check` is off."""
    rng = np.random.default_rng(1)
    folder = tmp_path / "made-up"
    folder.mkdir()
    configurations, points, deviations = [], [], []
    for number, (fast, check, log, level) in enumerate(product((0, 1), (0, 1), (0, 1), (1, 2, 3))):
        configurations.append(
            [number, fast, check, log, 1 - log, *(int(level == each) for each in (1, 2, 3))]
        )
        begin = 10.0 * level**2 * (1 + check)
        added = begin + 5.0
        multiplied = added * (1.5 if fast and level == 3 else 1.0)
        last = multiplied * (1.0 if check else 0.8)
        for revision, value in enumerate((begin, added, multiplied, last, last)):
            points.append([revision, number, value * np.exp(rng.normal(0, 0.002))])
        deviations.append([number, *[0.004] * 5])
    for name, head, rows in (
        ("configurations.csv", ["configuration", *NAMES], configurations),
        ("points.csv", ["revision", "configuration", "value"], points),
        ("relative-deviation.csv", ["configuration", *map(str, range(5))], deviations),
    ):
        with (folder / name).open("w", newline="") as file:
            csv.writer(file).writerows([head, *rows])
    return read_releases(folder)


def test_terms_are_found_with_their_effect_and_scale(releases):
    steps = find_steps(releases, Extents(releases))

    found = [[(sorted(map(str, each.term)), each.effect) for each in step.terms] for step in steps]
    assert found == [
        [([], pytest.approx(np.log(1.5), abs=0.02))],
        [(["fast", "level_3"], pytest.approx(np.log(1.5), abs=0.01))],
        [(["!check"], pytest.approx(np.log(0.8), abs=0.01))],
        [],
    ]
    assert [step.scale for step in steps[:3]] == [ADDED, MULTIPLIED, MULTIPLIED]
    assert all(step.noise == pytest.approx(0.5 * 0.004 * np.sqrt(2)) for step in steps)


def test_the_judge_gets_its_truth(releases):
    written = truth(find_steps(releases, Extents(releases)))

    points = written["change_points"]
    assert isinstance(points, list)
    assert [(each["revision"], each["options"], each["counts"]) for each in points] == [
        (1, [], True),
        (2, ["fast", "level_3"], True),
        (3, ["!check"], True),
    ]
    assert written["tolerance_revisions"] == 0


def test_terms_of_one_extent_have_one_name(releases):
    extents = Extents(releases)

    found = simplified([{"revision": 1, "options": ["!log", "fast", "noLog"], "effect": 0.1}], extents)

    assert found == [{"revision": 1, "options": ["fast", "noLog"], "effect": 0.1}]
    assert extents.simplest(read_term(["!noLog"])) == read_term(["log"])
    assert extents.simplest(read_term(["!level_1", "!level_2"])) == read_term(["level_3"])


def test_levels_are_alternatives_and_other_switches_are_not(releases):
    assert Extents(releases).alternatives == {"log", "noLog", "level_1", "level_2", "level_3"}


def test_literals_are_read_as_the_judge_writes_them():
    assert read_term(["X", "!Y"]) == {Literal("X", True), Literal("Y", False)}
    assert read_term([]) == frozenset()


def test_the_explained_share_grows_with_what_is_found(releases):
    extents = Extents(releases)
    found = [(1, read_term([])), (2, read_term(["fast", "level_3"])), (3, read_term(["!check"]))]

    shares = [explained_share(releases, extents, found[:number]) for number in range(4)]

    assert shares[0] == 0.0
    assert shares == sorted(shares)
    assert 0.8 < shares[3] < 1.0


def test_without_deviations_the_quietest_steps_tell_the_noise(tmp_path):
    values = np.exp(np.random.default_rng(1).normal(0, 0.01, (500, 6)))
    values[:, 3:] *= 2.0
    folder = tmp_path / "quiet"
    folder.mkdir()
    with (folder / "points.csv").open("w", newline="") as file:
        rows = [[at, row, values[row, at]] for row in range(500) for at in range(6)]
        csv.writer(file).writerows([["revision", "configuration", "value"], *rows])
    with (folder / "configurations.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["configuration", "X"], *([row, row % 2] for row in range(500))])

    assert read_releases(folder).noise(1) == pytest.approx(0.01 * np.sqrt(2), rel=0.15)
