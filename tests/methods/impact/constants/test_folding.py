"""What LLVM computes is what is folded, for every operation, width and flag."""

from collections.abc import Sequence

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from sonde.methods.impact.constants import UNKNOWN, RoutineAddress, fold
from sonde.methods.impact.constants.values import kept
from tests.effects.bitcode.reading.modules import routine_of
from tests.methods.impact.constants.compiled import Compiled
from tests.methods.impact.constants.operations import Tried, numbers, operations

BATCH = 30  # operations that are compiled together
ROUNDS = 6  # operands of each
batches = st.lists(operations(), min_size=BATCH, max_size=BATCH)
# A failure names its operation, and to shrink a batch takes minutes.
tried_in_batches = settings(max_examples=20, phases=(Phase.explicit, Phase.generate))


def compiled(batch: Sequence[Tried]) -> Compiled:
    """The functions `f0`, `f1`, ... of these operations."""
    return Compiled("\n".join(each.function(f"f{number}") for number, each in enumerate(batch)))


@tried_in_batches
@given(batches, st.data())
def test_what_is_folded_is_what_llvm_computes(batch, data):
    llvm = compiled(batch)
    for number, each in enumerate(batch):
        for _ in range(ROUNDS):
            operands = [data.draw(numbers(width)) for width in each.widths]
            result, is_wrong = llvm.call(f"f{number}", operands, 2)

            expected = UNKNOWN if is_wrong else kept(result, each.result)
            assert fold(each.shape, operands) == expected, (each.shape, operands)


@tried_in_batches
@given(batches, st.data())
def test_what_one_operand_settles_is_so_whatever_the_others_are(batch, data):
    llvm = compiled(batch)
    for number, each in enumerate(batch):
        operands = [data.draw(numbers(width)) for width in each.widths]
        unknown = data.draw(st.sets(st.integers(0, len(operands) - 1)))
        settled = fold(each.shape, [UNKNOWN if n in unknown else each for n, each in enumerate(operands)])
        for _ in range(ROUNDS):
            some = [
                data.draw(numbers(width)) if n in unknown else operands[n]
                for n, width in enumerate(each.widths)
            ]
            result, is_wrong = llvm.call(f"f{number}", some, 2)
            assert settled is UNKNOWN or is_wrong or settled == kept(result, each.result), (each.shape, some)


@given(operations(), st.data())
def test_operands_count_by_their_bits(tried, data):
    operands = [data.draw(numbers(width)) for width in tried.widths]
    others = [
        each + (data.draw(st.integers(-2, 2)) << width)
        for each, width in zip(operands, tried.widths, strict=True)
    ]

    assert fold(tried.shape, others) == fold(tried.shape, operands)


@given(operations())
def test_shapes_keep_widths_and_flags(tried):
    parameters = ", ".join(f"i{width} %a{n}" for n, width in enumerate(tried.widths))
    routine = routine_of(f"define void @f({parameters}) {{\n  %r = {tried.text}\n  ret void\n}}")

    assert sorted(routine.instructions[0].shape.split(" ")) == sorted(tried.shape.split(" "))


@pytest.mark.parametrize(
    ("shape", "operands", "result"),
    [
        ("icmp ult i32", (5, -1), 1),
        ("icmp slt i32", (5, -1), 0),
        ("trunc i32 to i8", (300,), 44),
        ("trunc nsw i32 to i8", (300,), UNKNOWN),
        ("zext i8 to i32", (-1,), 255),
        ("sext i1 to i32", (1,), -1),
        ("add nsw i32", ((1 << 31) - 1, 1), UNKNOWN),
        ("add i32", ((1 << 31) - 1, 1), -(1 << 31)),
        ("udiv i32", (1, 0), UNKNOWN),
        ("shl i32", (1, 32), UNKNOWN),
        ("and i32", (UNKNOWN, 0), 0),
        ("and i32", (UNKNOWN, 1), UNKNOWN),
        ("icmp ult i32", (UNKNOWN, 0), 0),
        ("icmp ult i32", (0, UNKNOWN), UNKNOWN),
        ("select i1 i8 i8", (UNKNOWN, 255, -1), -1),
        ("select i1 i8 i8", (1, 3, UNKNOWN), 3),
    ],
)
def test_widths_signs_and_flags_count(shape, operands, result):
    assert fold(shape, operands) == result


@pytest.mark.parametrize(
    ("shape", "operands", "result"),
    [
        ("icmp eq ptr", (RoutineAddress(1), RoutineAddress(1)), 1),
        ("icmp eq ptr", (RoutineAddress(1), RoutineAddress(2)), 0),
        ("icmp ne ptr", (RoutineAddress(1), 0), 1),
        ("icmp ult ptr", (RoutineAddress(1), RoutineAddress(2)), UNKNOWN),
        ("icmp eq ptr", (RoutineAddress(1), 16), UNKNOWN),
        ("icmp eq ptr", (0, 0), 1),
        ("select i1 ptr ptr", (0, RoutineAddress(1), RoutineAddress(2)), RoutineAddress(2)),
        ("select i1 ptr ptr", (UNKNOWN, RoutineAddress(1), RoutineAddress(1)), RoutineAddress(1)),
        ("freeze ptr", (RoutineAddress(1),), RoutineAddress(1)),
        ("ptrtoint ptr to i64", (RoutineAddress(1),), UNKNOWN),
        ("ptrtoint ptr to i64", (16,), 16),
        ("inttoptr i64 to ptr", (16,), 16),
        ("inttoptr i64 to ptr", (-1,), UNKNOWN),  # it depends on how wide pointers are
        ("add i32", (RoutineAddress(1), 0), UNKNOWN),
    ],
)
def test_addresses_are_no_numbers(shape, operands, result):
    assert fold(shape, operands) == result


@pytest.mark.parametrize(
    "shape",
    [
        "python Add",
        "fcmp python Lt",
        "fcmp olt double",
        "add <4 x i32>",
        "add",
        "icmp eq",
        "icmp eq <2 x i8>",
        "atomicrmw add i32",
        "select i1 double double",
        "bitcast i32 to float",
        "icmp eq ptr inttoptr",
        "constant",
        "",
    ],
)
def test_what_is_no_operation_on_whole_numbers_is_unknown(shape):
    assert fold(shape, (1 << 70, 2)) is UNKNOWN


@pytest.mark.parametrize("shape", ["add i32", "icmp eq i32", "trunc i32 to i8", "select i1 i32 i32"])
def test_an_instruction_without_its_operands_is_unknown(shape):
    assert fold(shape, ()) is UNKNOWN
