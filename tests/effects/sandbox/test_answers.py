"""Answers of programs inside: what they write is what is read, and nothing else is believed."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from sonde.effects.sandbox.answers import CommandAnswer, NotUnderstood, RunAnswer, Units, checked, parsed
from sonde.effects.sandbox.inside.keeper import written

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(), parts, max_size=3),
    max_leaves=8,
)
COMMAND = {
    "code": 0,
    "timed_out": False,
    "exceeded": "",
    "seconds": 0.5,
    "left_behind": 1,
    "head": b"\0\xff",
    "tail": b"",
    "size_bytes": 2,
}


@given(VALUES)
def test_what_is_written_by_hand_is_json(value):
    assert json.loads(written(value)) == value


@given(st.text(st.characters(categories=["Cs"]), min_size=1, max_size=3))
def test_letters_that_stand_for_bytes_survive(text):
    assert json.loads(written(text)).encode("utf-16", "surrogatepass") == text.encode(
        "utf-16", "surrogatepass"
    )


def test_bytes_come_back():
    assert checked(parsed(written(COMMAND).encode()), TypeAdapter(CommandAnswer)) == COMMAND


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"1",
        b"{",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        # What `marshal` makes of it: a reference to an object that is not there.
        b"r\xff\xff\xff\x7f",
    ],
)
def test_rubbish_is_not_understood(content):
    with pytest.raises(NotUnderstood):
        parsed(content)


@pytest.mark.parametrize(
    "change",
    [
        {"code": "0"},
        {"code": 0.5},
        {"code": None},
        {"head": "zz"},
        {"head": 1},
        {"seconds": "1"},
        {"timed_out": 1},
        {"more": 1},
    ],
)
def test_each_value_has_the_type_that_it_should_have(change):
    answer = json.loads(written(COMMAND)) | change
    with pytest.raises(NotUnderstood):
        checked(answer, TypeAdapter(CommandAnswer))


@given(st.dictionaries(st.sampled_from(["failed", "run", "numbers", "left_behind", "units"]), VALUES))
def test_any_object_is_checked_or_refused(answer):
    for kind in (RunAnswer, Units, CommandAnswer):
        with contextlib.suppress(NotUnderstood):
            checked(answer, TypeAdapter(kind))
