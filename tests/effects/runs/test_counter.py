"""What the counter of instructions is called with, and what it writes."""

import pytest

from sonde.core.errors import MissingTool
from sonde.effects.runs import counter
from sonde.effects.runs.counter import NOT_OURS, make_counter, sum_counts, wrap
from sonde.effects.sandbox import Processes


def test_the_words_of_the_counter(golden):
    words = wrap(("/sonde/build/xz", "-k", "corpus"), "/usr/bin/valgrind.bin")

    golden("runs/counter.txt", "\n".join(words) + "\n")


def test_counts_are_summed():
    assert sum_counts(b"1000\n") == 1000
    assert sum_counts(b"5\n0\n9000000000\n") == 9000000005


def test_no_count_is_told():
    assert sum_counts(b"") == "The run ended well, but its instructions could not be counted."


@pytest.mark.parametrize("line", [b"-1", b"1e9", b"", b" ", b"9" * 21, b"\xff", "٣".encode()])
def test_what_is_no_count_is_told(line):
    assert sum_counts(b"5\n" + line + b"\n") == NOT_OURS


def test_without_parts_of_valgrind_nothing_can_be_made(monkeypatch, tmp_path):
    monkeypatch.setattr(counter, "PLACES", ())

    assert not counter.can_be_made()
    with pytest.raises(MissingTool):
        make_counter(tmp_path, Processes())


@pytest.mark.needs("valgrind", "cc")
def test_it_is_made_once(tmp_path, monkeypatch):
    made = make_counter(tmp_path, Processes())
    monkeypatch.setattr(Processes, "run", None)

    assert make_counter(tmp_path, Processes()) == made
    assert [file.name for file in made.parent.iterdir()] == [made.name]


@pytest.mark.needs("valgrind")
def test_what_a_compiler_says_is_shown(tmp_path, monkeypatch):
    complaining = tmp_path / "cc"
    complaining.write_text("#!/bin/sh\necho no room; exit 1\n")
    complaining.chmod(0o755)
    monkeypatch.setattr(counter, "find_compiler", lambda: str(complaining))

    with pytest.raises(MissingTool, match="no room"):
        make_counter(tmp_path, Processes())
