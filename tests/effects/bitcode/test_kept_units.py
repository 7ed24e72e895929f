"""Units that were read before."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.core.code import Unit
from sonde.effects.bitcode import kept_units
from sonde.effects.bitcode.cache import BitcodeCache
from sonde.effects.bitcode.kept_units import SUFFIX, KeptUnits
from sonde.effects.bitcode.packing import packed, unpacked
from tests.effects.bitcode.reading.modules import unit_of

SOURCE = """
%struct.item = type { ptr, i32 }
@g = global { i8, i32, ptr, i64 } { i8 1, i32 0, ptr @f, i64 7 }
@other = alias i32, ptr @g
define i32 @f(ptr %p, i32 %x) {
  %at = getelementptr %struct.item, ptr %p, i32 3, i32 1
  store i32 %x, ptr %at
  %y = call i32 asm "nop", "=r,r"(i32 %x)
  switch i32 %y, label %out [ i32 3, label %out ]
out:
  ret i32 %y
}
"""


@pytest.fixture
def bitcode(tmp_path):
    (tmp_path / "units" / "aa").mkdir(parents=True)
    path = tmp_path / "units" / "aa" / "aa11.bc"
    path.write_bytes(b"bitcode")
    return path


@settings(max_examples=50, deadline=None)
@given(st.from_type(Unit))
def test_any_unit_comes_back_as_it_was(unit):
    assert unpacked(packed(unit)) == unit


def test_what_is_kept_is_found_by_the_same_reader(bitcode):
    unit = unit_of(SOURCE)

    assert KeptUnits().find(bitcode) is None
    KeptUnits().keep(bitcode, unit)

    assert KeptUnits().find(bitcode) == unit


def test_another_reader_finds_nothing(bitcode, monkeypatch):
    KeptUnits().keep(bitcode, unit_of(SOURCE))
    monkeypatch.setattr(kept_units, "_reader", lambda: "another")

    assert KeptUnits().find(bitcode) is None


@pytest.mark.parametrize("size", [0, 1, 40, -1])
def test_what_is_damaged_is_not_found(bitcode, size):
    KeptUnits().keep(bitcode, unit_of(SOURCE))
    (kept,) = bitcode.parent.glob(f"*{SUFFIX}")
    kept.write_bytes(kept.read_bytes()[:size])

    assert KeptUnits().find(bitcode) is None


def test_other_plain_values_are_no_unit(bitcode):
    KeptUnits().keep(bitcode, unit_of(SOURCE))
    (kept,) = bitcode.parent.glob(f"*{SUFFIX}")
    kept.write_bytes(b"N")  # None

    assert KeptUnits().find(bitcode) is None


def test_a_folder_that_cannot_be_written_to_is_no_mistake(tmp_path):
    KeptUnits().keep(tmp_path / "nowhere" / "aa11.bc", unit_of(SOURCE))

    assert not (tmp_path / "nowhere").exists()


def test_what_is_kept_goes_with_the_bitcode_when_the_folder_is_pruned(bitcode, tmp_path):
    KeptUnits().keep(bitcode, unit_of(SOURCE))
    (kept,) = bitcode.parent.glob(f"*{SUFFIX}")
    os.utime(kept, (1, 1))
    cache = BitcodeCache(tmp_path, limit_bytes=100)

    assert cache.size_bytes() == kept.stat().st_size + len(b"bitcode")
    cache.prune()

    assert bitcode.exists()
    assert not kept.exists()
