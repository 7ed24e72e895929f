"""What is no verdict must not look like one to `git bisect run`."""

from __future__ import annotations

import sys

import pytest

from sonde.cli.git_bisect import only_verdicts


@pytest.mark.parametrize(
    ("code", "told"), [(0, 0), (1, 1), (2, 125), (3, 125), (4, 125), (130, 130), (141, 141), ("a text", 125)]
)
def test_only_verdicts_and_interruptions_pass(code, told):
    with pytest.raises(SystemExit) as leaving, only_verdicts():
        sys.exit(code)

    assert leaving.value.code == told


def test_a_crash_says_where_and_is_no_bad_revision(capsys):
    with pytest.raises(SystemExit) as leaving, only_verdicts():
        raise ZeroDivisionError("of ours")

    assert leaving.value.code == 125
    assert "of ours" in capsys.readouterr().err


def test_an_interruption_stays_one():
    with pytest.raises(KeyboardInterrupt), only_verdicts():
        raise KeyboardInterrupt
