"""The words that clang is called with for a unit."""

import pytest

from sonde.effects.bitcode.arguments import Compilation
from sonde.effects.bitcode.compiling import SourceUnit, _job

HOW = Compilation((), (), ())


@pytest.mark.parametrize("path", ["-fplugin=x.so", "@words.c"])
def test_a_file_is_never_taken_for_an_option(path):
    job = _job(SourceUnit(path, "c", "/tree", "cc", HOW, ()), "/tree", "/headers")

    assert job["source"] == ["-x", "c", f"./{path}"]
