"""Deviations of repetitions: by series and revision, whatever the revisions are called."""

from pathlib import Path

import pytest

from sonde.effects.recordings.errors import RecordingError
from sonde.effects.recordings.points import read_recording
from sonde.effects.recordings.relative_deviations import read_relative_deviations

POINTS = "revision,configuration,value\n0,a,1\n1,a,1\n0,b,2\n"
REVISIONS = "revision,name\n0,v1\n1,v2\n"

MISTAKES = {
    "first-column": (POINTS, REVISIONS, "name,v1,v2\na,0,0\n"),
    "benchmarks": ("revision,benchmark,value\n0,a,1\n", REVISIONS, "configuration,v1\na,0\n"),
    "unknown-revision": (POINTS, REVISIONS, "configuration,v1,v3\na,0,0\n"),
    "no-number": (POINTS, REVISIONS, "configuration,v1\na,wide\n"),
    "negative": (POINTS, REVISIONS, "configuration,v1\na,0.1\nb,-0.1\n"),
    "infinite": (POINTS, REVISIONS, "configuration,v1\na,inf\n"),
    "twice": (POINTS, REVISIONS, "configuration,v1\na,0\na,0\n"),
    "no-names": (POINTS, "revision\n0\n", "configuration,v1\na,0\n"),
    "same-name": (POINTS, "revision,name\n0,v1\n1,v1\n", "configuration,v1\na,0\n"),
    "no-integer": (POINTS, "revision,name\nzero,v1\n", "configuration,v1\na,0\n"),
    "no-integer-column": (POINTS, "", "configuration,v1\na,0\n"),
}


def write_folder(folder, points, revisions, deviations):
    folder.mkdir(exist_ok=True)
    for name, text in (
        ("points.csv", points),
        ("revisions.csv", revisions),
        ("relative-deviation.csv", deviations),
    ):
        if text:
            (folder / name).write_text(text)


@pytest.mark.parametrize(
    ("revisions", "head"),
    [(REVISIONS, "config_id,v2,v1"), ("", "configuration,1,0")],
    ids=["names", "numbers"],
)
def test_each_series_has_a_deviation_a_revision(tmp_path, revisions, head):
    write_folder(tmp_path, POINTS, revisions, f"{head}\na,0.25,0\nb,nan,0.5\nelsewhere,1,\n")

    assert read_relative_deviations(tmp_path, read_recording(tmp_path)) == {
        ("a", ""): {0: 0.0, 1: 0.25},
        ("b", ""): {0: 0.5},
    }


def test_a_recording_without_deviations_has_none(tmp_path):
    write_folder(tmp_path, POINTS, REVISIONS, "")

    assert read_relative_deviations(tmp_path, read_recording(tmp_path)) == {}


def test_every_mistake_is_told_with_its_line_and_its_remedy(tmp_path, golden, monkeypatch):
    monkeypatch.chdir(tmp_path)
    messages = []
    for name, texts in MISTAKES.items():
        write_folder(Path(name), *texts)
        with pytest.raises(RecordingError) as caught:
            read_relative_deviations(Path(name), read_recording(Path(name)))
        messages.append(f"{caught.value}\n")

    golden("recordings/relative-deviation-mistakes.txt", "".join(messages))
