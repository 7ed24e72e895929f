"""`sonde replay history` from a recording to its answers."""

from __future__ import annotations

import csv
import gzip
import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

from sonde.cli.app import app
from sonde.core.errors import UserError
from sonde.methods.history_sampling.policies import POLICIES

REVISIONS, CHANGE = 60, 35


@pytest.fixture
def recording(tmp_path):
    """Six series that change at one revision, and one that lacks some; a few values are none."""
    rng = np.random.default_rng(4)
    folder = tmp_path / "packer"
    folder.mkdir()
    lines = ["configuration,benchmark,revision,value"]
    for series in range(6):
        for revision in range(REVISIONS):
            level = (1.0 + series) * (1.4 if revision >= CHANGE else 1.0)
            value = level * math.exp(rng.normal(0, 0.005))
            if series == 5 and revision % 4 == 0:
                value = [math.nan, 0.0, -1.0][revision % 3]
            lines.append(f"c{series % 2},b{series // 2},{10 + revision},{value}")
    (folder / "points.csv").write_text("\n".join(lines) + "\n")
    return folder


def run(*words: object) -> str:
    result = CliRunner().invoke(app, ["replay", "history", *map(str, words)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def complaint(*words: object) -> str:
    """What a mistake is told to be; `main` prints it and leaves with its exit code."""
    with pytest.raises(UserError) as raised:
        CliRunner().invoke(app, ["replay", "history", *map(str, words)], catch_exceptions=False)
    assert raised.value.exit_code == 2
    return str(raised.value)


def rows_of(file):
    packed = file.read_bytes()
    text = (gzip.decompress(packed) if file.name.endswith(".gz") else packed).decode()
    return list(csv.DictReader(text.splitlines()))


@pytest.mark.parametrize("planner", POLICIES)
@pytest.mark.parametrize("joint", [(), ("--joint",)], ids=["each", "joint"])
def test_every_point_gets_an_estimate_and_only_some_are_measured(recording, tmp_path, planner, joint):
    rows, changes = tmp_path / "rows.csv", tmp_path / "changes.csv.gz"
    words = ("--planner", planner, "--budget", "20%", "--rows", rows, "--changes", changes, "--json")

    answer = json.loads(run(recording, *words, *joint))

    written = rows_of(rows)
    assert list(written[0]) == [
        "configuration",
        "benchmark",
        "revision",
        "measured",
        "predicted",
        "low",
        "high",
    ]
    assert len(written) == 5 * REVISIONS + 45
    for key in {(row["configuration"], row["benchmark"]) for row in written}:
        own = [row for row in written if (row["configuration"], row["benchmark"]) == key]
        assert 1 <= sum(row["measured"] == "1" for row in own) <= round(0.2 * len(own))
    for row in written:
        assert 0 < float(row["low"]) <= float(row["predicted"]) <= float(row["high"])
    assert answer["left_out"] == 15
    assert answer["series"] == 6
    assert answer["runs"] == sum(row["measured"] == "1" for row in written)
    places = {row["revision"] for row in written if row["measured"] == "1"}
    assert answer["builds"] == len(places)
    found = rows_of(changes)
    assert answer["changes"] == len(found)
    for change in found:
        assert list(change) == ["configuration", "benchmark", "revision"]
        assert 10 < int(change["revision"]) < 10 + REVISIONS


def test_the_default_finds_the_change(recording, tmp_path):
    rows, changes = tmp_path / "rows.csv", tmp_path / "changes.csv"

    text = run(recording, "--budget", "20%", "--rows", rows, "--changes", changes)

    found = [int(row["revision"]) for row in rows_of(changes)]
    assert 5 <= len(found) <= 7
    assert np.median(found) == pytest.approx(10 + CHANGE, abs=3)
    assert "packer: 6 series, planner shared-changes." in text
    assert "Skipped 15 values: missing, zero, negative or not a number." in text


def test_the_same_seed_gives_the_same_answer(recording, tmp_path):
    def answer(seed: int, name: str):
        file = tmp_path / name
        run(recording, "--planner", "random", "--seed", seed, "--rows", file)
        return file.read_bytes()

    assert answer(1, "one.csv") == answer(1, "again.csv")
    assert answer(1, "one.csv") != answer(2, "other.csv")


@pytest.mark.parametrize("planner", POLICIES)
def test_one_revision_is_a_history_too(tmp_path, planner):
    (tmp_path / "points.csv").write_text("revision,value\n7,2.5\n")
    rows = tmp_path / "rows.csv"

    run(tmp_path, "--planner", planner, "--rows", rows, "--changes", tmp_path / "changes.csv")

    (row,) = rows_of(rows)
    assert (row["revision"], row["measured"]) == ("7", "1")
    assert float(row["predicted"]) == pytest.approx(2.5)
    assert rows_of(tmp_path / "changes.csv") == []


@pytest.mark.parametrize("planner", POLICIES)
def test_so_few_runs_that_some_series_get_none(recording, tmp_path, planner):
    rows = tmp_path / "rows.csv"

    answer = json.loads(run(recording, "--planner", planner, "--budget", "4", "--rows", rows, "--json"))

    assert answer["runs"] == 4


def test_mistakes_are_told_in_a_sentence(recording, tmp_path):
    nothing = tmp_path / "nothing"
    assert f"{nothing}: this folder does not exist" in complaint(nothing)
    assert "there is no planner 'best'. Known ones: shared-changes," in complaint(
        recording, "--planner", "best"
    )
    assert "budget 'much' is invalid" in complaint(recording, "--budget", "much")
    assert "budget '0%' is invalid" in complaint(recording, "--budget", "0%")
    assert "does not exist. Create it first" in complaint(recording, "--rows", nothing / "rows.csv")


def test_a_recording_without_any_usable_value(tmp_path):
    (tmp_path / "points.csv").write_text("revision,value\n1,nan\n2,0\n3,-1\n4,\n")

    assert "no point has a positive value" in complaint(tmp_path)


def exact_recording(folder, *, deviations: str = ""):
    """Eight revisions of one series: a small step and a large one."""
    folder.mkdir()
    values = [100, 100, 100.5, 100.5, 395, 395, 395, 395]
    lines = ["configuration,revision,value", *(f"c,{at},{value}" for at, value in enumerate(values))]
    (folder / "points.csv").write_text("\n".join(lines) + "\n")
    if deviations:
        head = ",".join(["configuration", *map(str, range(len(values)))])
        (folder / "relative-deviation.csv").write_text(f"{head}\nc,{','.join([deviations] * 8)}\n")
    return folder


def changes_of(recording, *words: str) -> list[str]:
    file = recording.parent / "changes.csv"
    run(recording, "--budget", "100%", "--changes", file, *words)
    return [row["revision"] for row in rows_of(file)]


def test_where_values_are_said_to_be_exact_every_step_is_reported(tmp_path):
    recording = exact_recording(tmp_path / "exact")

    assert changes_of(recording, "--noise", "0") == ["2", "4"]
    assert changes_of(recording, "--noise", "1%") == ["4"]


def test_a_recording_says_that_its_values_are_exact(tmp_path):
    assert changes_of(exact_recording(tmp_path / "exact", deviations="0")) == ["2", "4"]


def test_noise_that_cannot_be_understood_is_a_mistake(recording):
    assert "noise 'much' is invalid" in complaint(recording, "--noise", "much")
    assert "Write 0 if values are exact" in complaint(recording, "--noise", "100%")
