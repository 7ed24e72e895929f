"""No crash and no message that cannot be written looks like a verdict."""

from __future__ import annotations

import errno
import sys

import pytest

from sonde.cli.terminal.guarding import CRASHED, crashes_apart
from sonde.cli.terminal.printing import say


def test_a_crash_says_where_and_is_no_regression(capsys):
    with pytest.raises(SystemExit) as leaving, crashes_apart():
        raise ZeroDivisionError("of ours")

    assert leaving.value.code == CRASHED
    assert "of ours" in capsys.readouterr().err


@pytest.mark.parametrize("code", [0, 1, 4])
def test_verdicts_pass(code):
    with pytest.raises(SystemExit) as leaving, crashes_apart():
        sys.exit(code)

    assert leaving.value.code == code


class Broken:
    """A stream that cannot be written."""

    def __init__(self, number: int) -> None:
        self.number = number

    def write(self, text: str) -> None:
        raise OSError(self.number, "cannot be written")


def test_an_answer_that_nobody_can_read_ends_as_in_a_pipe(monkeypatch):
    monkeypatch.setattr(
        "sonde.cli.terminal.printing.drop_stdout", lambda: None
    )  # that of the tests is needed
    monkeypatch.setattr(sys, "stdout", Broken(errno.EIO))

    with pytest.raises(BrokenPipeError):
        say("an answer")


def test_an_answer_without_room_is_named(monkeypatch):
    monkeypatch.setattr("sonde.cli.terminal.printing.drop_stdout", lambda: None)
    monkeypatch.setattr(sys, "stdout", Broken(errno.ENOSPC))

    with pytest.raises(OSError, match="the answer"):
        say("an answer")
