"""The study of histories, end to end on a recording that is made up."""

import csv
from pathlib import Path

import numpy as np
import pytest

from studies.history import kernel_table
from studies.history.active_sampling import EXACT_BROWNIAN, KERNELS, sample_actively
from studies.history.change_table import f1
from studies.history.recordings import find_recordings
from studies.history.report import NoRecordings, Settings, write_report
from studies.history.sampling_table import COLUMNS, p_value

JUDGE = """
import json
print(json.dumps({"mape_mean": 1.5, "mape_median": 1.25, "f1": 0.5, "coverage90": 0.75}))
"""


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    """Three series of 60 revisions that change at 20 and 41, one that is too short; and a short recording."""
    folder = tmp_path / "recordings"
    rng = np.random.default_rng(3)
    rows = []
    for name, level in (("a", 1.0), ("b", 20.0), ("c", 0.01)):
        for revision in range(60):
            factor = 1.0 if revision < 20 else 1.5 if revision < 41 else 1.2
            rows.append([revision, name, level * factor * np.exp(rng.normal(0, 0.005))])
    rows += [[revision, "short", 1.0 + revision] for revision in range(5)]
    for name, some in (("made-up", rows), ("brief", rows[-5:])):
        (folder / name).mkdir(parents=True)
        with (folder / name / "points.csv").open("w", newline="") as file:
            csv.writer(file).writerows([["revision", "benchmark", "value"], *some])
    (folder / "made-up" / "README.md").write_text("# Made up\nSource: a random generator.\n")
    (folder / "empty").mkdir()
    return folder


def test_every_table_has_its_rows(recordings, tmp_path):
    judge = tmp_path / "judge.py"
    judge.write_text(JUDGE)

    page = write_report(Settings(recordings, judge, most_series=2, workers=1))

    sections = {part.partition("\n")[0]: rows_of(part) for part in page.split("\n## ")}
    assert "a random generator." in page
    assert len(sections["Recordings"]) == 1
    assert len(sections["Are there changes at all? (section II, Figure 2)"]) == 1
    assert len(sections["Which kernel? (RQ1, Table III)"]) == len(KERNELS)
    assert len(sections["Does choosing help? (RQ2, Table IV)"]) == 3 + 4
    assert len(sections["Are changes found? (RQ3, Figure 5)"]) == 2 * (len(KERNELS) + 2)
    assert len(sections["Planners before the judge"]) == 5 * 3
    assert "nan" not in sections["Which kernel? (RQ1, Table III)"]


def rows_of(part: str) -> list[str]:
    """The rows of the tables of a section, without their heads."""
    lines = part.splitlines()
    marks = {at for at, line in enumerate(lines) if line.startswith("| ---")}
    heads = {at - 1 for at in marks}
    return [line for at, line in enumerate(lines) if line.startswith("| ") and at not in marks | heads]


def test_without_a_judge_its_table_is_left_out(recordings):
    page = write_report(Settings(recordings, most_series=1, workers=1))

    assert "the judge that was given" not in page
    assert all(column in page for column in COLUMNS)


def test_a_folder_without_recordings_is_an_error_that_says_so(tmp_path):
    with pytest.raises(NoRecordings, match="no sub-folder has points"):
        write_report(Settings(tmp_path))


def test_the_same_series_are_drawn_again(recordings):
    (recording,) = find_recordings(recordings)

    assert recording.drawn(2, seed=1) == recording.drawn(2, seed=1)
    assert len(kernel_table.tasks(recording, 2, seed=1)) == 2 * len(KERNELS)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_constant_series_is_estimated_exactly(kernel):
    (course,) = sample_actively(KERNELS[kernel], [2.0] * 30, [5])

    assert course.mean[[0, 15, 29]] == pytest.approx(2.0, rel=0.05)


def test_without_noise_the_brownian_kernel_halves_the_widest_gap():
    values = np.arange(1.0, 34.0)

    (course,) = sample_actively(KERNELS[EXACT_BROWNIAN], values.tolist(), [5])

    assert course.mean == pytest.approx(values)
    assert np.flatnonzero(course.deviation < 1e-9).tolist() == [0, 8, 16, 24, 32]


def test_f1_counts_one_to_one_within_five_positions():
    assert f1([10, 50], [14, 15]) == pytest.approx(0.5)
    assert f1([10], []) == 0


def test_equal_errors_are_no_evidence():
    assert p_value([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]) == 1.0
    assert p_value([1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 3.5, 5.0, 6.5, 8.0]) < 0.05
