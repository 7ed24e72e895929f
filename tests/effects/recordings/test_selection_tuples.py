"""Recorded tuples: what is read of them, and what is said of mistakes."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from sonde.effects.recordings.errors import RecordingError
from sonde.effects.recordings.selection_tuples import SelectionTuple, read_selection_tuples

HEAD = "child,parent,bench,same,dir,unj,share,objch,remark"
NEEDED, KNOWN = ("share",), ("share", "objch", "rlen")

MISTAKES = {
    "empty": "",
    "only-a-head": HEAD + "\n",
    "no-child": "bench,dir,share\nb,1,2\n",
    "no-indicator": "child,bench,dir\nc,b,1\n",
    "nothing": "a,b\n1,2\n",
    "twice": "child,child,bench,dir,share\nc,c,b,1,2\n",
    "short-row": "child,bench,dir,share\nc,b,1\n",
    "no-number": "child,bench,dir,share\nc,b,1,2\nc,b,fast,2\n",
    "not-finite": "child,bench,dir,share\nc,b,nan,2\n",
    "bad-indicator": "child,bench,dir,share\nc,b,1,\n",
    "negative": "child,bench,dir,share\nc,b,1,-2\n",
    "same": "child,bench,dir,share,same\nc,b,1,2,maybe\n",
    "nameless": "child,bench,dir,share\n,b,1,2\n",
    "no-benchmark": "child,bench,dir,share\nc, ,1,2\n",
}


def test_a_row_is_a_tuple_with_its_change_as_a_ratio(tmp_path):
    file = tmp_path / "tuples.csv"
    file.write_text(f"{HEAD}\nc1,p1,pack,True,-2.5,0.001,98.5,1,hello\n")

    assert read_selection_tuples(file, NEEDED, KNOWN) == (
        SelectionTuple(
            "c1",
            "p1",
            "pack",
            is_same=True,
            change=-0.025,
            unjoined=0.001,
            seconds=1.0,
            hops=1,
            values={"share": 98.5, "objch": 1.0},
        ),
    )


def test_a_packed_file_with_the_least_columns_can_be_read(tmp_path):
    file = tmp_path / "tuples.csv.gz"
    file.write_bytes(gzip.compress(b"child,bench,dir,share\nc1,pack,0,0\n"))

    (found,) = read_selection_tuples(file, NEEDED, KNOWN)

    assert (found.parent, found.is_same, found.unjoined, found.seconds) == ("", False, 0.0, 1.0)


def test_every_mistake_is_told_with_its_line_and_its_remedy(tmp_path, golden, monkeypatch):
    monkeypatch.chdir(tmp_path)
    messages = []
    for name, text in MISTAKES.items():
        file = Path(f"{name}.csv")
        file.write_text(text)
        with pytest.raises(RecordingError) as caught:
            read_selection_tuples(file, NEEDED, KNOWN)
        messages.append(f"{caught.value}\n")
    Path("damaged.csv.gz").write_bytes(b"child,bench")
    for name in ("damaged.csv.gz", "missing.csv"):
        with pytest.raises(RecordingError) as caught:
            read_selection_tuples(Path(name), NEEDED, KNOWN)
        messages.append(f"{caught.value}\n")

    golden("recordings/selection-tuples-mistakes.txt", "".join(messages))
