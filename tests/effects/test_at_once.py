"""Several tasks at once."""

import os
import signal
import subprocess
import sys
import time
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
    def interrupted() -> None:
        while not (tmp_path / "process").exists():
            time.sleep(0.01)
        raise KeyboardInterrupt

    def wait() -> None:
        (tmp_path / "unfinished").write_text(str(os.getpid()))
        (tmp_path / "unfinished").rename(tmp_path / "process")
        time.sleep(100_000)

    with pytest.raises(KeyboardInterrupt):
        at_once([interrupted, wait])

    assert not is_alive(int((tmp_path / "process").read_text()))


def test_nobody_is_left_if_the_first_is_killed(tmp_path):
    program = f"""
import os, time
from pathlib import Path
from sonde.effects import at_once
at_once.processors = lambda: 2
place = Path({str(tmp_path / "process")!r})
def wait():
    place.write_text(str(os.getpid()))
    time.sleep(100_000)
def end():
    while not (place.exists() and place.read_text()):
        time.sleep(0.01)
    os.kill(os.getpid(), 9)
at_once.at_once([end, wait])
"""
    subprocess.run([sys.executable, "-c", program], check=False)
    process = int((tmp_path / "process").read_text())
    give_up = time.monotonic() + 300  # the limit only ends what hangs
    while is_alive(process) and time.monotonic() < give_up:
        time.sleep(0.01)

    assert not is_alive(process)


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
