"""Which bits of a variable a store changes."""

import pytest

from sonde.methods.impact.constants import ALL_BITS
from sonde.methods.impact.contents.bits import changed_bits
from sonde.methods.impact.options.variables import split_bits
from tests.methods.impact.made_programs import made_routine, position_named


def changed(text: str, size: int = 4) -> int:
    text = f"v = load @flags size {size}\n{text}\ns = store @flags n size {size}"
    code = made_routine("main", "argc argv", text)
    return changed_bits(code, position_named(code, "s"))


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ('n = compute v 4 shape "or i32"', 4),
        ('n = compute v 4 shape "xor i32"', 4),
        ('n = compute v -5 shape "and i32"', 4),
        ('a = compute v 4 shape "or i32"\nn = compute a -3 shape "and i32"', 6),
        ('a = compute v 4 shape "or i32"\nn = compute argc a v shape "select i1 i32 i32"', 4),
        ('n = compute v argc shape "or i32"', ALL_BITS),
        ('n = compute v 1 shape "add i32"', ALL_BITS),
        ('n = compute argc 4 shape "or i32"', ALL_BITS),
        ('a = load @others size 4\nn = compute a 4 shape "or i32"', ALL_BITS),
        ('store @flags 0 size 4\nn = compute v 4 shape "or i32"', ALL_BITS),
        ('call change\nn = compute v 4 shape "or i32"', ALL_BITS),
    ],
)
def test_only_constants_joined_with_what_lies_there_keep_other_bits(text, bits):
    assert changed(text) == bits


def test_a_narrow_variable_has_no_bits_above_it():
    text = 'a = compute v shape "zext i8 to i32"\nb = compute a -5 shape "and i32"'
    assert changed(f'{text}\nn = compute b shape "trunc i32 to i8"', size=1) == 4


def test_a_variable_may_name_bits():
    assert split_bits("flags & 0x10") == ("flags", 16)
    assert split_bits("opts.flags&4") == ("opts.flags", 4)
    assert split_bits("flags") == ("flags", None)
    assert split_bits("flags & FAST") == ("flags & FAST", None)
