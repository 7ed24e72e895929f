"""Points of a recording: rows become series, and everything else is an error in words."""

import csv
import gzip
import math
import os
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sonde.effects.recordings.errors import RecordingError
from sonde.effects.recordings.points import RecordedSeries, read_recording
from sonde.effects.recordings.tables import read_table

ONE_FOLDER = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60
)

HEAD = b"revision,configuration,value\n"

FOLDERS = {
    "no-points": {"revisions.csv": b"revision,name\n"},
    "pipe": {},
    "empty": {"points.csv": b" \n"},
    "empty-packed": {"points.csv.gz": gzip.compress(b"")},
    "only-head": {"points.csv": HEAD},
    "nothing-positive": {"points.csv": HEAD + b"1,0,-1\n2,0,\n"},
    "no-value": {"points.csv": b"revision,configuration,time\n1,0,1\n"},
    "no-revision": {"points.csv": b"commit,value\n1,1\n"},
    "same-column": {"points.csv": b"revision,value,value\n1,1,2\n"},
    "name": {"points.csv": HEAD + b"1,0,1\nv1.2,0,1\n"},
    "fraction": {"points.csv": HEAD + b"1.5,0,1\n"},
    "no-number": {"points.csv": HEAD + b"1,0,fast\n"},
    "long": {"points.csv": HEAD + b"1,0," + b"fast" * 1000 + b"\n"},
    "too-few": {"points.csv": HEAD + b"1,0,1\n\n2,0\n"},
    "too-many": {"points.csv": HEAD + b"1,0,1,5\n"},
    "two-values": {"points.csv": HEAD + b"1,0,1\n1,1,2\n1,0,1.5\n"},
    "quote": {"points.csv": HEAD + b'1,"0,1\n'},
    "latin": {"points.csv": HEAD + b"1,\xe4,1\n"},
    "zeros": {"points.csv": bytes(1000)},
    "not-packed": {"points.csv.gz": HEAD},
    "truncated": {"points.csv.gz": gzip.compress(HEAD, mtime=0)[:-4]},
    "damaged": {"points.csv.gz": gzip.compress(HEAD, mtime=0)[:-8] + bytes(8)},
}


@st.composite
def some_rows(draw):
    """Rows of distinct points, as dictionaries, with values of every kind."""
    keys = draw(st.sampled_from([(), ("configuration",), ("benchmark",), ("configuration", "benchmark")]))
    names = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=3)
    points = st.tuples(st.integers(-3, 3000), *([names] * len(keys)))
    values = st.one_of(
        st.floats().map(str), st.floats(min_value=0, exclude_min=True).map(str), st.sampled_from(["", " 3 "])
    )
    chosen = draw(st.dictionaries(points, values, min_size=1, max_size=20))
    return [
        dict(zip(("revision", *keys), map(str, point), strict=True)) | {"value": value}
        for point, value in chosen.items()
    ]


def write_points(file, rows, columns):
    open_ = gzip.open if file.name.endswith(".gz") else open
    with open_(file, "wt", encoding="utf-8", newline="") as opened:
        writer = csv.DictWriter(opened, columns)
        writer.writeheader()
        writer.writerows(rows)


def as_the_judge_reads(rows):
    series = defaultdict(list)
    for row in rows:
        value = float(row["value"] or "nan")
        if math.isfinite(value) and value > 0:
            series[row.get("configuration", ""), row.get("benchmark", "")].append(
                (int(row["revision"]), value)
            )
    return {key: sorted(points) for key, points in series.items()}


@ONE_FOLDER
@given(rows=some_rows(), name=st.sampled_from(["points.csv", "points.csv.gz"]), data=st.data())
def test_what_is_written_reads_back_as_the_judge_reads_it(tmp_path, rows, name, data):
    for leftover in tmp_path.iterdir():
        leftover.unlink()
    write_points(tmp_path / name, rows, data.draw(st.permutations([*rows[0], "remark"])))
    expected = as_the_judge_reads(rows)
    if not expected:
        with pytest.raises(RecordingError, match="no point has a positive value"):
            read_recording(tmp_path)
        return
    recording = read_recording(tmp_path)

    assert {
        each.key: list(zip(each.revisions, each.values, strict=True)) for each in recording.series
    } == expected
    assert recording.left_out == len(rows) - sum(map(len, expected.values()))
    assert recording.key_columns == tuple(key for key in ("configuration", "benchmark") if key in rows[0])


def test_series_come_in_the_order_in_which_they_first_appear(tmp_path):
    folder = tmp_path / "packer"
    folder.mkdir()
    (folder / "points.csv").write_text(
        "value,benchmark,revision\n,late,1\n0,never,1\n2.5,early,7\n1e-3,early,-2\n2.5,early,7\ninf,late,2\n4,late,3\n"
    )
    recording = read_recording(folder)

    assert recording.name == "packer"
    assert recording.series == (
        RecordedSeries("", "late", (3,), (4.0,)),
        RecordedSeries("", "early", (-2, 7), (0.001, 2.5)),
    )
    assert recording.key_columns == ("benchmark",)
    assert recording.left_out == 3


def test_the_packed_file_comes_first_as_for_the_judge(tmp_path):
    (tmp_path / "points.csv").write_text("revision,value\n1,1\n")
    (tmp_path / "points.csv.gz").write_bytes(gzip.compress(b"revision,value\n1,2\n"))

    assert read_recording(tmp_path).series == (RecordedSeries("", "", (1,), (2.0,)),)


def test_files_of_spreadsheets_are_read(tmp_path):
    (tmp_path / "points.csv").write_bytes(b"\xef\xbb\xbfrevision, value\r\n1,2\r\n\r\n2,3\r\n")

    assert read_recording(tmp_path).series == (RecordedSeries("", "", (1, 2), (2.0, 3.0)),)


def test_every_mistake_is_told_with_its_line_and_its_remedy(tmp_path, golden, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, files in FOLDERS.items():
        Path(name).mkdir()
        for file, content in files.items():
            Path(name, file).write_bytes(content)
    os.mkfifo("pipe/points.csv")
    Path("file").write_bytes(HEAD)
    Path("huge").mkdir()
    with Path("huge/points.csv").open("wb") as opened:
        opened.truncate(10**9)
    messages = []
    for name in ("missing", "file", "n" * 300, "huge", *FOLDERS):
        with pytest.raises(RecordingError) as caught:
            read_recording(Path(name))
        messages.append(f"{caught.value}\n")

    golden("recordings/points-mistakes.txt", "".join(messages))


def test_what_unpacks_to_a_huge_file_is_refused(tmp_path):
    file = tmp_path / "points.csv.gz"
    file.write_bytes(gzip.compress(HEAD + b"1,0,1\n" * 1000))
    with pytest.raises(RecordingError, match="unpacks to more than 1,000 bytes, too many for Sonde"):
        next(read_table(file, most_bytes=1000))

    assert len(list(read_table(file, most_bytes=10_000))) == 1001
