"""Steps of a FIELD: into arrays and members, and along elements."""

import pytest

from sonde.core.code import OPEN, FieldStep, Kind
from tests.effects.bitcode.reading.modules import body, unit_of

TYPES = "%struct.pair = type { i32, i32 }\n%struct.box = type { i64, %struct.pair, [6 x i16], [0 x i32] }"


def steps(address: str) -> tuple[FieldStep, ...]:
    routine = body(
        f"  %i = sext i32 %x to i64\n  %a = getelementptr {address}\n  store i8 0, ptr %a\n  ret void",
        before=TYPES,
    )
    (found,) = [each for each in routine.instructions if each.kind is Kind.FIELD]
    return found.steps


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("i32, ptr %p, i64 %i", (FieldStep(0, stride=4),)),
        ("i8, ptr %p, i64 %i", (FieldStep(0, stride=1),)),
        ("%struct.box, ptr %p, i64 -1", (FieldStep(0, stride=32),)),
        ("[8 x %struct.pair], ptr %p, i64 0, i64 %i", (FieldStep(0, 64, 8),)),
        ("[8 x %struct.pair], ptr %p, i64 0, i64 3", (FieldStep(0, 64, 8),)),
        ("[8 x %struct.pair], ptr %p, i64 0, i64 0", (FieldStep(0, 64),)),
        ("[1 x i32], ptr %p, i64 0, i64 %i", (FieldStep(0, OPEN, 4),)),
        ("%struct.box, ptr %p, i32 0, i32 0", ()),
        ("%struct.box, ptr %p, i32 0, i32 1", (FieldStep(8, 8),)),
        ("%struct.box, ptr %p, i32 0, i32 1, i32 1", (FieldStep(8, 8),)),
        ("%struct.box, ptr %p, i32 0, i32 2, i64 %i", (FieldStep(16, 12), FieldStep(16, 12, 2))),
        ("%struct.box, ptr %p, i32 0, i32 3, i64 %i", (FieldStep(28, OPEN, 4),)),
        ("[2 x %struct.box], ptr %p, i64 0, i64 %i, i32 1", (FieldStep(0, 64, 32), FieldStep(8, 8))),
    ],
)
def test_an_address_is_led_into_arrays_and_members_and_along_elements(address, wanted):
    assert steps(address) == wanted


def test_a_pointer_that_is_moved_by_bytes_goes_along_elements_of_so_many():
    routine = body(
        "  %v = alloca ptr\n  %q = load ptr, ptr %v\n  %a = getelementptr i8, ptr %q, i64 12\n"
        "  store ptr %a, ptr %v\n  ret void"
    )

    (found,) = [each for each in routine.instructions if each.kind is Kind.FIELD]
    assert (found.offset, found.steps) == (0, (FieldStep(0, stride=12),))


@pytest.mark.parametrize(
    ("at", "offset", "wanted"),
    [(0, 0, ()), (12, 12, (FieldStep(8, 8),)), (20, 16, (FieldStep(16, 12), FieldStep(16, 12, 2)))],
)
def test_bytes_that_lead_into_a_variable_take_the_same_steps(at, offset, wanted):
    routine = body(
        f"  %v = alloca %struct.box\n  %a = getelementptr i8, ptr %v, i64 {at}\n"
        "  store i32 0, ptr %a\n  ret void",
        before=TYPES,
    )

    (found,) = [each for each in routine.instructions if each.kind is Kind.FIELD]
    assert (found.offset, found.steps) == (offset, wanted)


def test_a_global_tells_its_arrays():
    unit = unit_of(f"{TYPES}\n@g = global [3 x %struct.box] zeroinitializer\n@n = global i32 0")

    arrays = {each.name: each.arrays for each in unit.globals}
    assert arrays == {"g": (FieldStep(0, 96, 32), FieldStep(16, 12, 2)), "n": ()}
