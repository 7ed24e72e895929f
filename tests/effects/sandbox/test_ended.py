"""How a process ended, and the bounded memory of what it printed."""

import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.effects.sandbox import Ended, name_ending


def ended(head: bytes, tail: bytes, size_bytes: int) -> Ended:
    return Ended(0, False, 1.0, head, tail, size_bytes, 0)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (0, "exit code 0"),
        (3, "exit code 3"),
        (-signal.SIGSEGV, "segmentation fault (SIGSEGV)"),
        (-signal.SIGUSR1, "signal SIGUSR1"),
        (-40, "signal 40"),
    ],
)
def test_endings_have_names(code, words):
    assert name_ending(code) == words


def test_output_that_was_kept_whole_is_shown_whole():
    assert ended(b"abc", b"def", 6).output == "abcdef"


def test_output_with_a_gap_says_so():
    assert ended(b"abc", b"xyz", 106).output == "abc\n[... 100 bytes left out ...]\nxyz"


def test_bytes_that_are_no_text_do_not_matter():
    assert ended(b"\xff\xfe", b"", 2).output == "\ufffd\ufffd"


@given(
    lines=st.lists(st.text("ab", min_size=1, max_size=5), max_size=20),
    size=st.integers(1, 40),
    cut=st.integers(0, 99),
)
def test_the_last_output_is_whole_lines_and_not_too_long(lines, size, cut):
    printed = "".join(line + "\n" for line in lines).encode()
    head, tail = printed[:cut], printed[cut:]

    last = ended(head, tail, len(printed)).last_output(size)

    assert printed.decode().endswith(last)
    assert len(last) <= size
