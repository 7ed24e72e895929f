"""Which bits of a result depend on which bits of its operands, as flipping these bits shows."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.methods.impact.constants import UNKNOWN, bits_asked, bits_carried, converted, fold
from sonde.methods.impact.constants.values import as_unsigned
from tests.methods.impact.constants.operations import numbers, operations


@settings(max_examples=400)
@given(operations(), st.data())
def test_other_bits_of_a_result_stay_when_some_bits_of_operands_change(tried, data):
    operands = [data.draw(numbers(width)) for width in tried.widths]
    bits = [data.draw(numbers(width)) * data.draw(st.booleans()) for width in tried.widths]
    others = [data.draw(numbers(width)) for width in tried.widths]
    known = [each if not own else UNKNOWN for each, own in zip(operands, bits, strict=True)]
    found = bits_carried(tried.shape, bits, known)
    if found is None:
        return
    changed = [one ^ (other & own) for one, other, own in zip(operands, others, bits, strict=True)]
    before, after = fold(tried.shape, operands), fold(tried.shape, changed)
    if isinstance(before, int) and isinstance(after, int):
        assert as_unsigned(before ^ after, tried.result) & ~found == 0


def test_what_adds_or_compares_depends_on_all():
    assert bits_carried("add i32", [4, 0], [UNKNOWN, 1]) is None
    assert bits_carried("icmp eq i32", [4, 0], [UNKNOWN, 4]) is None
    assert bits_carried("and <4 x i32>", [4, 0], [UNKNOWN, 4]) is None


def test_a_mask_without_the_bits_holds_nothing_of_them():
    assert bits_carried("and i32", [4, 0], [UNKNOWN, 3]) == 0
    assert bits_carried("and i32", [4, 0], [UNKNOWN, -5]) == 0
    assert bits_carried("or i32", [4, 0], [UNKNOWN, 4]) == 0
    assert bits_carried("lshr i32", [4, 0], [UNKNOWN, 2]) == 1
    assert bits_carried("lshr i32", [-1, 0], [UNKNOWN, 31]) == 1


@pytest.mark.parametrize(
    ("conversions", "shape", "mask", "asked"),
    [
        ((), "and i8", -128, 0x80),
        (("sext i8 to i32",), "and i32", 0x100, 0x80),
        (("zext i8 to i32",), "and i32", 0x100, 0),
        (("zext i8 to i32",), "and i32", 0x84, 0x84),
        (("sext i8 to i32", "trunc i32 to i16"), "and i16", 0x4001, 0x81),
    ],
)
def test_a_mask_after_conversions_asks_for_bits_of_the_value_before(conversions, shape, mask, asked):
    assert bits_asked(conversions, shape, mask) == asked


@given(
    st.lists(st.tuples(st.sampled_from(("sext", "zext", "trunc")), st.integers(1, 9)), max_size=3), st.data()
)
def test_bits_that_a_mask_does_not_ask_for_change_nothing_in_it(steps, data):
    width, conversions = 8, []
    for name, difference in steps:
        after = width + difference if name != "trunc" else max(width - difference, 1)
        if after != width:
            conversions.append(f"{name} i{width} to i{after}")
            width = after
    mask = data.draw(numbers(width))
    value, other = data.draw(numbers(8)), data.draw(numbers(8))
    asked = bits_asked(conversions, f"and i{width}", mask)
    changed = (value & asked) | (other & ~asked)

    masked = [fold(f"and i{width}", (converted(each, conversions), mask)) for each in (value, changed)]
    assert masked[0] == masked[1]
