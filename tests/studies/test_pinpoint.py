"""The study of pinpointing, end to end with a judge and recordings that are made up."""

import csv
import json
from collections import Counter
from dataclasses import replace
from itertools import product
from math import exp
from pathlib import Path
from random import Random

import pytest

from sonde.workflows.pinpoint.searches import DEFAULT, PAPER
from studies.pinpoint.alone import AloneTask
from studies.pinpoint.grid import Grid, beside
from studies.pinpoint.kept import FILE_NAME, Kept
from studies.pinpoint.oracle_table import Systems
from studies.pinpoint.quiet_table import QuietSystems
from studies.pinpoint.replays import OracleTask
from studies.pinpoint.report import CannotStudy, Study, write_report
from studies.pinpoint.running import play
from studies.pinpoint.scale_table import Scale, Size
from studies.pinpoint.sources import SEARCHES, files_of, planner_digest

SYSTEM = """
import math

class System:
    def __init__(self, options, revisions, changes, p, noise, seed):
        self.options = [f"o{number}" for number in range(options)]
        self.revisions = revisions
        self.noise = noise
        self.where = [revisions // (changes + 1) * (number + 1) for number in range(changes)]

    def value(self, revision, selected, rng):
        steps = sum(revision >= where for where in self.where)
        return (1 + steps * ("o0" in selected)) * math.exp(rng.gauss(0.0, self.noise))

    def truth(self, threshold):
        return {"change_points": [{"revision": at, "options": ["o0"], "counts": True} for at in self.where]}
"""
SCORE = """
import json
from pathlib import Path

def score_pinpoint(truth_path, findings_path):
    truth = json.loads(Path(truth_path).read_text())
    said = json.loads(Path(findings_path).read_text())["findings"]
    found = [(one["revision"], one["options"]) for one in said]
    wanted = [(one["revision"], one["options"]) for one in truth["change_points"] if one.get("counts", True)]
    recall = sum(one in found for one in wanted) / max(1, len(wanted))
    also = [one["revision"] for one in truth.get("also_real", []) if one["revision"] in dict(found)]
    names = ("recall", "precision", "f1", "revision_recall", "revision_precision")
    return {**dict.fromkeys(names, recall), "also_real_found": also}
"""


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Systems of which only the first option changes, and a judge that looks at exact matches alone."""
    folder = tmp_path_factory.mktemp("judge")
    (folder / "synthetic.py").write_text(SYSTEM)
    (folder / "score.py").write_text(SCORE)
    return folder


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One with labels and one of releases: `fast` changes at 20 and at 3."""
    rng = Random(1)
    folder = tmp_path_factory.mktemp("recordings")
    for name, revisions, where in (("labelled", 40, 20), ("made-up-releases", 6, 3)):
        (folder / name).mkdir(parents=True)
        chosen = [[number, *bits] for number, bits in enumerate(product((0, 1), repeat=4))]
        points = [
            [
                revision,
                number,
                (2.0 + check) * (1.5 if fast and revision >= where else 1.0) * exp(rng.gauss(0, 0.002)),
            ]
            for number, fast, check, *_ in chosen
            for revision in range(revisions)
        ]
        for file, head, rows in (
            ("configurations.csv", ["configuration", "fast", "check", "log", "verify"], chosen),
            ("points.csv", ["revision", "configuration", "value"], points),
        ):
            with (folder / name / file).open("w", newline="") as lines:
                csv.writer(lines).writerows([head, *rows])
    with (folder / "made-up-releases" / "relative-deviation.csv").open("w", newline="") as lines:
        csv.writer(lines).writerow(["configuration", *range(6)])
        csv.writer(lines).writerows([number, *[0.004] * 6] for number in range(16))
    truth = {
        "change_points": [{"revision": 20, "options": ["fast"]}, {"revision": 30, "options": None}],
        "also_real": [{"revision": 10}],
    }
    (folder / "labelled" / "truth.json").write_text(json.dumps(truth))
    (folder / "labelled" / "README.md").write_text("# Labelled\nSource: a loop.\n")
    return folder


@pytest.fixture(scope="module")
def study(recordings: Path, judge: Path, tmp_path_factory: pytest.TempPathFactory) -> Study:
    """The whole study, as small as it can be."""
    return Study(
        recordings,
        judge,
        tmp_path_factory.mktemp("cache"),
        Systems((4, 20), (1,), (0.0, 0.01), revisions=60, seeds=2, paper_systems=4),
        QuietSystems(2, 1, (4,), revisions=60),
        Grid(2, (4,), (60, 80), (1, 2), (0.5,), (2,), (50,)),
        Scale((Size(80, 5, 0.0, asked="a second"),), changes=1),
        labelled_seeds=2,
        release_seeds=1,
        workers=1,
    )


@pytest.fixture(scope="module")
def page(study: Study) -> str:
    return write_report(study)


def test_every_table_has_its_rows(study, page):
    sections = {part.partition("\n")[0]: rows_of(part) for part in page.split("\n## ")}
    assert len(sections["Systems with changes"]) == 3 * 4 + 2
    assert len(sections["Systems without any change"]) == 2 * 2
    assert len(sections["The grid of the paper (Table 1, Figure 5)"]) >= 1 + 1 + 6
    assert [row.split(" | ")[1] for row in sections["Recordings"]] == [
        "a loop. |",
        "its README names no source |",
    ]
    assert len(sections["Labelled changes"]) == 2 + 3
    assert len(sections["Releases, against exhaustive regression"]) == 1 + 2 * 2
    assert len(sections["Long histories, many options"]) == 1
    assert "nan" not in page
    assert str(study.judge) not in page


def test_what_is_planted_is_found(page):
    systems = rows_of(page.partition("## Systems with changes")[2])
    labelled = rows_of(page.partition("## Labelled changes")[2])
    assert f"| 0 % | all | {DEFAULT} | 4 | 1.000 | 1.000 | 1.000 |" in systems[1]
    assert labelled[0].startswith(f"| labelled | {DEFAULT} | 2 | 0.500 | 0.500 | 0.500 | 0 | 2 |")
    assert labelled[3].startswith("| 20 | fast | 2 | fast (2) |")


def rows_of(part: str) -> list[str]:
    """The rows of the tables of a section, without their heads."""
    lines = part.partition("\n## ")[0].splitlines()
    marks = {at for at, line in enumerate(lines) if line.startswith("| ---")}
    heads = {at - 1 for at in marks}
    return [line for at, line in enumerate(lines) if line.startswith("| ") and at not in marks | heads]


def test_what_was_played_is_kept_and_not_played_again(study, page):
    file = study.cache / FILE_NAME
    kept = file.read_text()
    told: list[str] = []

    assert write_report(study, told.append) == page
    assert file.read_text() == kept
    assert len(told) == 1
    assert told[0].endswith("replays are known already")


def test_a_line_that_was_cut_off_is_played_again(study, page):
    file = study.cache / FILE_NAME
    lines = file.read_text().splitlines(keepends=True)
    cut = next(at for at, line in enumerate(lines) if "RecordingTask" in line)
    file.write_text("".join([*lines[:cut], *lines[cut + 1 :], lines[cut][:50]]))

    again = write_report(study)

    assert without_seconds(again) == without_seconds(page)
    assert len(file.read_text().splitlines()) == len(lines)


def without_seconds(page: str) -> list[list[str]]:
    """The cells of all rows but the last ones, in which seconds are."""
    return [row.split(" | ")[:-4] for row in page.splitlines() if row.startswith("| ")]


def test_another_judge_makes_what_was_kept_useless(tmp_path):
    for name in ("score.py", "synthetic.py"):
        (tmp_path / name).write_text("# lenient")
    before = planner_digest(DEFAULT, tmp_path)
    (tmp_path / "score.py").write_text("# strict")

    assert planner_digest(DEFAULT, tmp_path) != before
    assert planner_digest(DEFAULT, tmp_path) != planner_digest(PAPER, tmp_path)


def test_a_planner_depends_on_its_own_search_and_on_no_other():
    files = {file.parent.name for file in files_of((SEARCHES[DEFAULT],))}

    assert "shared_steps" in files
    assert "space" in files
    assert "likelihoods" not in files


def test_the_paper_plays_some_of_each_kind_of_system(judge):
    tasks = Systems(paper_systems=24).tasks(judge)

    kinds = Counter((task.noise, task.options <= 16) for task in tasks if task.planner == PAPER)
    assert set(kinds.values()) == {3}
    assert len(kinds) == 8
    assert {task.seed for task in tasks if task.planner == PAPER} == {1}
    assert set(tasks) > set(Systems(paper_systems=8).tasks(judge))


def test_the_same_experiments_are_drawn_again(judge):
    grid = Grid(7)

    assert grid.tasks(judge) == Grid(7).tasks(judge)
    assert len(set(grid.tasks(judge))) == 7
    assert grid.experiments == 4320
    assert {beside(task).planner for task in grid.tasks(judge)} == {DEFAULT}


def test_the_iterations_of_the_paper_are_counted(judge):
    played = OracleTask(judge, PAPER, 4, 1, 0.0, seed=1, revisions=60, measurements=50).run()

    assert 1 < played.iterations <= 30
    assert played.degree == 1


def test_two_processes_give_what_one_gives(judge):
    tasks = [OracleTask(judge, DEFAULT, options, 1, 0.0, seed=1, revisions=60) for options in (4, 5)]

    both = [play(tasks, judge, Kept(), workers, print) for workers in (1, 2)]

    assert both[0].keys() == both[1].keys() == set(tasks)
    assert all(both[0][task].findings == both[1][task].findings for task in tasks)


def test_a_replay_that_takes_too_long_is_given_up(judge):
    played = AloneTask(OracleTask(judge, DEFAULT, 5, 1, 0.0, 1, 80), timeout_seconds=0).run()

    assert not played.scores
    assert played.ending == "it took too long"


def test_without_a_judge_it_says_what_is_missing(study, tmp_path):
    with pytest.raises(CannotStudy, match="Name the folder of the judge"):
        write_report(replace(study, judge=tmp_path / "nowhere"))
    with pytest.raises(CannotStudy, match="Name the folder of recordings"):
        write_report(replace(study, recordings=tmp_path / "nowhere"))
