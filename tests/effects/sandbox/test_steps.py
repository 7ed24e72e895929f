"""The bounded memory of what a command prints."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sonde.effects.sandbox


@pytest.fixture(scope="module")
def steps():
    """The module as it is imported inside, where there are no packages."""
    folder = str(Path(sonde.effects.sandbox.__file__).with_name("inside"))
    sys.path.insert(0, folder)
    try:
        import steps  # type: ignore[import-not-found]

        yield steps
    finally:
        sys.path.remove(folder)
        for name in ("steps", "keeper"):
            sys.modules.pop(name, None)


@given(chunks=st.lists(st.binary(max_size=50), max_size=20), keep_bytes=st.integers(1, 60))
def test_the_beginning_and_the_end_are_kept(steps, chunks, keep_bytes):
    output = steps.Output(keep_bytes)
    for chunk in chunks:
        output.add(memoryview(chunk))
    report, whole = output.report(), b"".join(chunks)

    assert report["size_bytes"] == len(whole)
    assert report["head"] == whole[:keep_bytes]
    assert report["tail"] == whole[keep_bytes:][-keep_bytes:]


@given(chunks=st.lists(st.binary(max_size=50), max_size=20), keep_bytes=st.integers(1, 60))
def test_no_more_is_held_than_three_times_what_is_kept(steps, chunks, keep_bytes):
    output = steps.Output(keep_bytes)
    for chunk in chunks:
        output.add(memoryview(chunk))
        assert len(output.head) + len(output.tail) <= 3 * keep_bytes
