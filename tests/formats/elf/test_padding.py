"""Where code ends, and padding begins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.formats.elf.padding import is_padding, length_without_padding

CODE = (b"\xb8\x01\x00\x00\x00\xc3", b"\x90\xc3", b"\xe9\x00\x00\x00\x00", b"\x55\x90\x5d\xc3")
PADDING = (b"\x90", b"\xcc", b"\x66\x90", b"\x0f\x1f\x00", b"\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00")


@given(code=st.sampled_from(CODE), padding=st.lists(st.sampled_from(PADDING)).map(b"".join))
def test_padding_behind_code_does_not_count(code, padding):
    assert length_without_padding(code + padding) == len(code)


@given(code=st.sampled_from(CODE), zeros=st.integers(0, 40))
def test_zeros_behind_code_do_not_count(code, zeros):
    assert length_without_padding(code + bytes(zeros)) == len(code)


@given(padding=st.lists(st.sampled_from(PADDING), min_size=1).map(b"".join))
def test_a_function_of_padding_alone_keeps_it(padding):
    assert is_padding(padding)
    assert length_without_padding(padding) == len(padding)


@pytest.mark.parametrize("code", CODE)
def test_code_is_no_padding(code):
    assert not is_padding(code)
