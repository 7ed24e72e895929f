"""Canonical names: without what a compiler counts up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.symbol_names import canonical_name


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("main", "main"),
        ("copy.constprop.0", "copy.constprop"),
        ("copy.constprop.0.isra.12", "copy.constprop.isra"),
        ("copy.part.3.cold", "copy.part.cold"),
        ("copy.llvm.8159", "copy.llvm"),
        ("buffer.1234", "buffer"),
        ("_ZN4pack4copyEv.cold", "_ZN4pack4copyEv.cold"),
        ("copy@@PACK_1.2", "copy"),
        ("table2", "table2"),
        (".text (without symbol)", ".text (without symbol)"),
    ],
)
def test_numbers_of_a_compiler_go_and_kinds_of_clones_stay(symbol, name):
    assert canonical_name(symbol) == name


@given(st.text("ab.0123@", max_size=12))
def test_a_canonical_name_is_its_own_and_never_empty(symbol):
    name = canonical_name(symbol)

    assert canonical_name(name) == name
    assert bool(name) == bool(symbol)
