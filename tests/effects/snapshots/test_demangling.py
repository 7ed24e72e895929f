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


def test_a_name_that_would_fill_the_memory_stays_as_it_is():
    """Each part has the one before it twice."""
    letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    parts = "".join(f"1BIS{seq}_S{seq}_E" for seq in ("", *letters))
    name = f"_Z1f1AIiiE{parts}"

    assert demangled(name) == name


def test_a_name_whose_parts_are_used_again_reads_as_in_the_source():
    name = "_ZNSt3mapISsiSt4lessISsESaISt4pairIKSsiEEEixERS3_"

    assert "operator[](" in demangled(name)
