"""Constant steps over bytes: fields, or elements."""

from pathlib import Path

import pytest

from sonde.core.code import Kind
from tests.effects.bitcode.reading.modules import routine_of

NOTES = (Path(__file__).parent / "byte_steps.ll").read_text()


def step(instructions: str, pointee: str = "null") -> tuple[int, str]:
    """(offset, structure) of the one step over bytes, where the parameter `p` points to what a note says."""
    routine = routine_of(
        "%struct.s = type { i32, [5 x i32] }\n@g = global [2 x %struct.s] zeroinitializer\n"
        f"define void @f(ptr %p) !dbg !3 {{\n  %p.addr = alloca ptr\n  store ptr %p, ptr %p.addr\n"
        "    #dbg_declare(ptr %p.addr, !6, !DIExpression(), !8)\n"
        f"{instructions}\n  ret void\n}}\n" + NOTES.replace("POINTEE", pointee)
    )
    (found,) = [each for each in routine.instructions if each.kind is Kind.FIELD]
    return found.offset, found.type


LOADED = "  %q = load ptr, ptr %p.addr\n  %a = getelementptr inbounds i8, ptr %q, i64 {}\n"


@pytest.mark.parametrize(("at", "wanted"), [(0, 0), (4, 4), (12, 4)])
def test_from_a_pointer_to_a_structure_it_leads_to_a_field(at, wanted):
    assert step(LOADED.format(at), "!10") == (wanted, "s")


def test_out_of_a_structure_it_is_kept():
    assert step(LOADED.format(-8), "!10") == (-8, "")


def test_from_a_pointer_to_bytes_it_leads_along_an_array():
    assert step(LOADED.format(3), "!9") == (0, "")


def test_from_a_variable_it_leads_to_a_field():
    text = "  %v = alloca %struct.s\n  %a = getelementptr i8, ptr %v, i64 8"

    assert step(text) == (4, "s")


def test_from_an_element_of_a_global_it_leads_to_a_field():
    text = "  %a = getelementptr i8, ptr @g, i64 36\n  store i32 1, ptr %a"

    assert step(text)[0] == 4


def test_a_pointer_that_is_moved_goes_along_an_array():
    assert step(LOADED.format(8) + "  store ptr %a, ptr %p.addr", "null") == (0, "")


def test_without_a_type_single_bytes_are_elements():
    assert step(LOADED.format(8) + "  %b = load i8, ptr %a", "null") == (0, "")
    assert step(LOADED.format(8) + "  %b = load i32, ptr %a", "null") == (8, "")
