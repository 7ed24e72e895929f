from __future__ import annotations

import pytest

from sonde.effects.snapshots.demangling import demangled


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("main", "main"),
        ("_start", "_start"),
        ("_ZN4pack5Table4findEi", "pack::Table::find(int)"),
        ("_ZN4pack5Table4findEi.cold", "pack::Table::find(int) [cold]"),
        ("_ZnotAName", "_ZnotAName"),
        ("copy.constprop", "copy.constprop"),
    ],
)
def test_names_of_cpp_read_as_in_the_source(name, text):
    assert demangled(name) == text
