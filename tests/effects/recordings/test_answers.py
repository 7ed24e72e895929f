"""Answers of a replay: whole files that read back as what was written."""

import csv
import gzip
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sonde.effects.recordings.answers import ReplayedSeries, write_changes, write_rows
from sonde.effects.recordings.errors import AnswerNotWritable
from sonde.effects.recordings.points import RecordedSeries, Recording

ONE_FOLDER = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60
)

KEYS = ("configuration", "benchmark")

SERIES = RecordedSeries("7", "", (300, 302, 305), (1.0, 1.5, 2.0))
RECORDING = Recording("packer", (SERIES,), ("configuration",), 0)
REPLAYED = ReplayedSeries(
    SERIES, frozenset({0, 2}), (1.0, 1.4, 2.0), (1.0, 0.9, 2.0), (1.0, 2.1, 2.0), (2, 1)
)


@st.composite
def some_answers(draw):
    """A recording, and what was made of its series."""
    key_columns = draw(st.sampled_from([KEYS[:1], KEYS[1:], KEYS]))
    names = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=3)
    keys = draw(
        st.lists(
            st.tuples(*(names if key in key_columns else st.just("") for key in KEYS)),
            unique=True,
            max_size=4,
        )
    )
    replayed = []
    for configuration, benchmark in keys:
        revisions = tuple(sorted(draw(st.sets(st.integers(0, 900), min_size=1, max_size=5))))
        positions = st.sets(st.sampled_from(range(len(revisions))))
        numbers = st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * len(revisions))
        series = RecordedSeries(configuration, benchmark, revisions, (1.0,) * len(revisions))
        predicted, low, high = draw(st.tuples(numbers, numbers, numbers))
        measured, changes = draw(st.tuples(positions, positions))
        replayed.append(ReplayedSeries(series, frozenset(measured), predicted, low, high, sorted(changes)))
    return Recording("packer", tuple(each.series for each in replayed), key_columns, 0), replayed


def read_back(file):
    open_ = gzip.open if file.name.endswith(".gz") else open
    with open_(file, "rt", encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def key_of(row):
    return row.get("configuration", ""), row.get("benchmark", "")


def numbers_of(row):
    return [float(row[column]) for column in ("predicted", "low", "high")]


@ONE_FOLDER
@given(answers=some_answers(), name=st.sampled_from(["answer.csv", "answer.csv.gz"]), data=st.data())
def test_what_is_written_reads_back(tmp_path, answers, name, data):
    recording, replayed = answers
    shuffled = data.draw(st.permutations(replayed))
    file = tmp_path / name

    write_rows(file, recording, shuffled)
    assert [
        (*key_of(row), int(row["revision"]), row["measured"], *numbers_of(row)) for row in read_back(file)
    ] == [
        (*each.series.key, revision, str(int(at in each.measured)), *numbers)
        for each in replayed
        for at, (revision, *numbers) in enumerate(
            zip(each.series.revisions, each.predicted, each.low, each.high, strict=True)
        )
    ]

    write_changes(file, recording, shuffled)
    assert [(*key_of(row), int(row["revision"])) for row in read_back(file)] == [
        (*each.series.key, each.series.revisions[at]) for each in replayed for at in each.changes
    ]
    file.unlink()
    assert not list(tmp_path.iterdir())


def test_a_plain_answer_is_short_text(tmp_path):
    write_rows(tmp_path / "rows.csv", RECORDING, [REPLAYED])
    write_changes(tmp_path / "changes.csv", RECORDING, [REPLAYED])

    assert (tmp_path / "rows.csv").read_bytes() == (
        b'"configuration","revision","measured","predicted","low","high"\n'
        b'"7",300,1,1.0,1.0,1.0\n"7",302,0,1.4,0.9,2.1\n"7",305,1,2.0,2.0,2.0\n'
    )
    assert (tmp_path / "changes.csv").read_bytes() == b'"configuration","revision"\n"7",302\n"7",305\n'


def test_equal_answers_are_equal_bytes_whatever_their_name_and_time(tmp_path):
    for name in ("one.gz", "other.csv.gz"):
        write_rows(tmp_path / name, RECORDING, [REPLAYED])
    packed = (tmp_path / "one.gz").read_bytes()

    assert packed == (tmp_path / "other.csv.gz").read_bytes()
    assert packed[3:8] == bytes(5)  # no name in the flags, no time


def test_an_answer_that_fails_leaves_the_old_one(tmp_path):
    file = tmp_path / "rows.csv"
    file.write_text("old")
    low = [1.0, 1.0, 1.0]
    broken = ReplayedSeries(SERIES, frozenset(), (1.0,) * 3, low, (1.0,) * 3, ())
    low.pop()
    with pytest.raises(ValueError, match="shorter"):
        write_rows(file, RECORDING, [broken])

    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link.csv").symlink_to("changes.csv")
    write_changes(tmp_path / "link.csv", RECORDING, [])

    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "changes.csv").read_text() == '"configuration","revision"\n'


def test_places_where_nothing_can_be_written_are_told_in_words(tmp_path, golden, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("file").touch()
    os.mkfifo("pipe")
    messages = []
    for name in ("folder", "pipe", "missing/rows.csv", "file/rows.csv", "n" * 300):
        with pytest.raises(AnswerNotWritable) as caught:
            write_rows(Path(name), RECORDING, [REPLAYED])
        messages.append(f"{caught.value}\n")

    golden("recordings/answers-not-writable.txt", "".join(messages))


@pytest.mark.parametrize(
    ("measured", "predicted", "changes"),
    [
        ({3}, (1.0, 1.0, 1.0), ()),
        ((), (1.0, 1.0), ()),
        ((), (1.0, 1.0, float("nan")), ()),
        ((), (1.0,) * 3, (-1,)),
    ],
)
def test_what_does_not_fit_its_series_is_refused(measured, predicted, changes):
    with pytest.raises(ValueError, match=r"position|numbers|not a number"):
        ReplayedSeries(SERIES, frozenset(measured), predicted, (1.0,) * 3, (1.0,) * 3, changes)
