"""Several tasks at once."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sonde.effects import at_once as module
from sonde.effects.at_once import at_once


@pytest.fixture(autouse=True)
def two_processors(monkeypatch):
    monkeypatch.setattr(module, "processors", lambda: 2)


def test_each_gives_its_own_in_a_process_of_its_own():
    here, *others = at_once([os.getpid] * 3)

    assert here == os.getpid()
    assert len({here, *others}) == 3


def test_much_comes_back_whole():
    assert at_once([bytes, lambda: b"x" * 3_000_000]) == [b"", b"x" * 3_000_000]


def test_one_processor_does_all_itself(monkeypatch):
    monkeypatch.setattr(module, "processors", lambda: 1)

    assert at_once([os.getpid] * 2) == [os.getpid()] * 2


def test_what_a_task_raises_is_raised_here():
    def fail() -> int:
        raise KeyError("it")

    with pytest.raises(KeyError, match="it"):
        at_once([lambda: 1, fail])


def test_what_cannot_be_handed_over_is_made_here():
    found = at_once([lambda: None, lambda: lambda: 7])[1]

    assert found is not None
    assert found() == 7


def test_a_task_whose_process_is_killed_is_done_here():
    here = os.getpid()

    def end() -> str:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return "done"

    assert at_once([lambda: "first", end]) == ["first", "done"]


def test_without_further_processes_all_is_done_here(monkeypatch):
    def fail() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", fail)

    assert at_once([os.getpid] * 3) == [os.getpid()] * 3


def test_whoever_stops_ends_the_others(tmp_path):
    began, others = tmp_path / "began", list[int]()
    os.mkfifo(began)

    def interrupted() -> None:
        others.append(int(began.read_text()))
        raise KeyboardInterrupt

    def wait() -> None:
        began.write_text(str(os.getpid()))
        signal.pause()

    with pytest.raises(KeyboardInterrupt):
        at_once([interrupted, wait])

    assert not is_alive(others[0])


def test_nobody_is_left_if_the_first_is_killed():
    program = """
import os, signal
from sonde.effects import at_once
at_once.processors = lambda: 2
reading, writing = os.pipe()
def wait():
    os.write(1, b"waits")
    os.write(writing, b"!")
    signal.pause()
def end():
    os.read(reading, 1)
    os.kill(os.getpid(), 9)
at_once.at_once([end, wait])
"""
    # The output ends when no process is left that could write to it; the limit only ends what hangs.
    ended = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, check=False, timeout=300)

    assert ended.stdout == b"waits"
    assert ended.returncode == -signal.SIGKILL


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
