"""Every kind of instruction, from LLVM's text."""

import pytest

from sonde.core.code import Address, Assembly, Constant, Kind
from sonde.formats.llvm_ir.modules import read_module
from tests.effects.bitcode.reading.modules import body, operands, routine_of, unit_of


def only(routine, kind):
    (found,) = [each for each in routine.instructions if each.kind is kind]
    return found


def test_values_are_numbered_behind_the_parameters():
    routine = body(
        "  %a = alloca i32\n  store i32 %x, ptr %a\n  %b = load i32, ptr %a\n  ret i32 %b", result="i32"
    )

    assert [(each.kind, each.operands, each.size) for each in routine.instructions] == [
        (Kind.LOCAL, (), 4),
        (Kind.STORE, (2, 1), 4),
        (Kind.LOAD, (2,), 4),
        (Kind.RETURN, (4,), 0),
    ]
    assert routine.blocks == ((0, 4),)
    assert routine.parameters == 2


def test_names_and_alignment_are_no_part_of_a_shape():
    one = body("  %a = alloca i32, align 4\n  %b = load i32, ptr %a, align 4\n  ret void")
    other = body("  %q = alloca i32, align 16\n  %r = load i32, ptr %q, align 16\n  ret void")

    assert [each.shape for each in one.instructions] == [each.shape for each in other.instructions]


@pytest.mark.parametrize("load", ["load volatile i32, ptr %p", "load atomic i32, ptr %p acquire, align 4"])
def test_volatile_and_atomic_loads_have_shapes_of_their_own(load):
    plain = body("  %a = load i32, ptr %p\n  ret void").instructions[0]

    other = body(f"  %a = {load}\n  ret void").instructions[0]

    assert (other.kind, other.operands, other.size) == (plain.kind, plain.operands, plain.size)
    assert other.shape != plain.shape


def test_an_array_of_variable_length_has_its_length_as_operand():
    local = only(body("  %n = zext i32 %x to i64\n  %a = alloca i8, i64 %n\n  ret void"), Kind.LOCAL)

    assert local.operands == (2,)


def test_an_atomic_update_reads_computes_and_writes():
    routine = body("  %a = atomicrmw add ptr %p, i32 %x seq_cst\n  ret i32 %a", result="i32")

    load, compute, store, leave = routine.instructions
    assert (load.kind, load.operands) == (Kind.LOAD, (0,))
    assert (compute.kind, compute.operands) == (Kind.COMPUTE, (2, 1))
    assert (store.kind, store.operands) == (Kind.STORE, (0, 3))
    assert leave.operands == (2,)  # what was there before


def test_a_compare_and_exchange_reads_writes_and_compares():
    routine = body(
        "  %a = cmpxchg ptr %p, i32 %x, i32 7 acq_rel monotonic\n  %b = extractvalue { i32, i1 } %a, 1\n"
        "  ret i1 %b",
        result="i1",
    )

    load, store, compute, part, _ = routine.instructions
    assert (load.kind, load.operands) == (Kind.LOAD, (0,))
    assert (store.kind, operands(routine, store)) == (Kind.STORE, [0, Constant("7")])
    assert (compute.kind, compute.operands) == (Kind.COMPUTE, (2, 1))
    assert part.operands == (4,)


def test_a_field_has_its_offset_and_structure():
    routine = body(
        "  %a = getelementptr inbounds %struct.pair.3, ptr %p, i32 0, i32 1, i32 2\n  ret void",
        before="%struct.pair.3 = type { i8, [4 x i32] }",
    )

    field = routine.instructions[0]
    assert (field.kind, field.operands, field.offset, field.type) == (Kind.FIELD, (0,), 4, "pair")


def test_indices_that_vary_are_operands_and_arrays_are_folded():
    routine = body(
        "  %i = sext i32 %x to i64\n"
        "  %a = getelementptr [8 x %struct.pair], ptr %p, i64 0, i64 %i, i32 1\n  ret void",
        before="%struct.pair = type { i64, i16 }",
    )

    field = only(routine, Kind.FIELD)
    assert (field.operands, field.offset) == ((0, 2), 8)


def test_another_constant_index_is_another_shape():
    one = body("  %a = getelementptr [8 x i32], ptr %p, i64 0, i64 1\n  ret void").instructions[0]
    other = body("  %a = getelementptr [8 x i32], ptr %p, i64 0, i64 2\n  ret void").instructions[0]

    assert one.offset == other.offset == 0
    assert one.shape != other.shape


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("add nsw i32 %x, 1", [1, Constant("1")]),
        ("icmp slt i32 %x, -5", [1, Constant("-5")]),
        ("fadd fast double 1.000000e+00, 2.500000e+00", [Constant("1.000000e+00"), Constant("2.500000e+00")]),
        ("sext i32 %x to i64", [1]),
        ("ptrtoint ptr @g to i64", [Address("g")]),
        ("select i1 true, i32 %x, i32 3", [Constant("true"), 1, Constant("3")]),
        ("freeze i32 %x", [1]),
        ("insertelement <4 x i32> undef, i32 %x, i32 2", [Constant("undef"), 1, Constant("2")]),
        ("insertvalue { i32, ptr } undef, i32 %x, 0", [Constant("undef"), 1]),
        ("fneg float 3.000000e+00", [Constant("3.000000e+00")]),
        ("shufflevector <2 x i8> zeroinitializer, <2 x i8> undef, <2 x i32> <i32 0, i32 3>",
         [Constant("zeroinitializer"), Constant("undef"), Constant("<i32 0, i32 3>")]),
        ("sub <2 x i32> <i32 1, i32 2>, undef", [Constant("<i32 1, i32 2>"), Constant("undef")]),
    ],
)  # fmt: skip
def test_computations_have_their_values_as_operands(text, wanted):
    routine = body(f"  %a = {text}\n  ret void", before="@g = global i32 0")

    compute = routine.instructions[0]
    assert compute.kind is Kind.COMPUTE
    assert operands(routine, compute) == wanted


def test_a_call_has_what_is_called_first():
    routine = body(
        '  %a = tail call noundef i32 (ptr, ...) @printf(ptr noundef nonnull @text, i32 %x), !note !0\n'
        "  %b = call i32 %p(i32 %a)\n  ret void",
        before='@text = constant [3 x i8] c"a, "\ndeclare i32 @printf(ptr, ...)\n!0 = !{}',
    )  # fmt: skip

    direct, indirect, _ = routine.instructions
    assert operands(routine, direct) == [Address("printf"), Address("text"), 1]
    assert (indirect.kind, indirect.operands) == (Kind.CALL, (0, 2))


def test_structures_that_are_passed_or_returned_do_not_confuse_a_call():
    routine = body(
        '  %a = call %"struct.a b" @make(ptr byval(%"struct.a b") align 8 %p, i32 signext 3)\n  ret void',
        before='%"struct.a b" = type { i32, i32 }\ndeclare %"struct.a b" @make(ptr, i32)',
    )

    assert operands(routine, routine.instructions[0]) == [Address("make"), 0, Constant("3")]


def test_inline_assembler_is_called():
    routine = body('  call void asm sideeffect "nop, (x) %y", "r,~{flags}"(i32 %x)\n  ret void')

    assert operands(routine, routine.instructions[0]) == [Assembly("nop, (x) %y | r,~{flags}"), 1]


def test_a_call_with_exceptions_ends_its_block():
    routine = routine_of(
        "declare i32 @g()\ndeclare i32 @handle(...)\n@kind = external constant ptr\n"
        "define i32 @f() personality ptr @handle {\n"
        "entry:\n  %a = invoke i32 @g() to label %ok unwind label %bad\nok:\n  ret i32 %a\n"
        "bad:\n  %b = landingpad { ptr, i32 } cleanup catch ptr @kind\n"
        "  resume { ptr, i32 } %b\n}"
    )

    call, leave, landing, resume = routine.instructions
    assert (call.kind, call.targets, leave.operands) == (Kind.CALL, (1, 2), (0,))
    assert operands(routine, landing) == [Address("kind")]
    assert (resume.kind, resume.targets) == (Kind.STOP, ())
    assert routine.blocks == ((0, 1), (1, 2), (2, 4))


def test_branches_jumps_and_switches():
    routine = body(
        "entry:\n  %c = icmp eq i32 %x, 0\n  br i1 %c, label %a, label %b\na:\n  br label %b\n"
        "b:\n  switch i32 %x, label %d [\n    i32 -1, label %a\n    i32 7, label %d\n  ]\nd:\n  unreachable"
    )

    _, branch, jump, switch, stop = routine.instructions
    assert (branch.kind, branch.operands, branch.targets) == (Kind.BRANCH, (2,), (1, 2))
    assert (jump.kind, jump.operands, jump.targets) == (Kind.JUMP, (), (2,))
    assert (switch.operands, switch.targets, switch.cases) == ((1,), (3, 1, 3), (-1, 7))
    assert stop.kind is Kind.STOP


def test_a_computed_jump_is_a_switch_over_its_labels():
    routine = body(
        "entry:\n  indirectbr ptr %p, [label %a, label %b]\na:\n  ret void\nb:\n  ret void",
        before="@t = global ptr blockaddress(@f, %b)",
    )

    switch = routine.instructions[0]
    assert (switch.kind, switch.operands, switch.targets, switch.cases) == (Kind.SWITCH, (0,), (1, 2), (1,))


def test_a_value_may_be_used_before_it_is_made():
    routine = body(
        "entry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
        "  %next = add i32 %i, 1\n  br label %loop"
    )

    phi = only(routine, Kind.PHI)
    assert operands(routine, phi) == [Constant("0"), 4]
    assert phi.targets == (0, 1)


def test_blocks_without_names_are_numbered_too():
    routine = body(
        "  %1 = icmp eq i32 %x, 0\n  br i1 %1, label %2, label %3\n2:\n  br label %3\n3:\n  ret void"
    )

    assert routine.instructions[1].targets == (1, 2)
    assert len(routine.blocks) == 3


def test_a_constant_with_several_addresses_becomes_an_instruction():
    routine = body(
        "  store <2 x ptr> <ptr @a, ptr @b>, ptr %p\n  %v = load i32, ptr %p\n  ret i32 %v",
        before="@a = global i32 0\n@b = global i32 0",
        result="i32",
    )

    both, store, _, leave = routine.instructions
    assert operands(routine, both) == [Address("a"), Address("b")]
    assert (store.kind, store.operands) == (Kind.STORE, (0, 2))
    assert leave.operands == (4,)


def test_the_address_of_a_variable_of_the_thread_is_that_variable():
    routine = body(
        "  %a = call ptr @llvm.threadlocal.address.p0(ptr @t)\n  ret void",
        before="@t = thread_local global i32 0\ndeclare ptr @llvm.threadlocal.address.p0(ptr)",
    )

    field = routine.instructions[0]
    assert (field.kind, operands(routine, field)) == (Kind.FIELD, [Address("t")])


def test_virtual_functions_are_told_apart_by_their_places():
    routine = body(
        "  %vtable = load ptr, ptr %p\n  %v = getelementptr inbounds ptr, ptr %vtable, i64 3\n  ret void"
    )

    assert only(routine, Kind.FIELD).offset == 24


@pytest.mark.parametrize(
    "text",
    ["fence seq_cst", "%a = va_arg ptr %p, i32", "%a = extractelement <2 x i32> zeroinitializer, i32 %x"],
)
def test_rare_instructions_are_read(text):
    assert len(body(f"  {text}\n  ret void").instructions) == 2


def test_an_instruction_that_nobody_knows_has_all_its_values_as_operands():
    unit = read_module("define void @f(ptr %p, i32 %x) {\n  %a = warp i32 %x, ptr %p, @g to %t\n}\n", None)

    (routine,) = unit.routines
    assert routine.instructions[0].kind is Kind.COMPUTE
    assert operands(routine, routine.instructions[0]) == [1, 0, Address("g")]


def test_routines_that_do_not_return_are_known():
    unit = unit_of(
        "declare void @exit(i32) noreturn\ndeclare void @g()\ndefine void @f() noreturn {\n  unreachable\n}"
    )

    assert unit.never_return == {"exit", "f"}


def test_variadic_and_internal_routines():
    unit = unit_of(
        "define internal i32 @f(i32 %n, ...) {\n  ret i32 %n\n}\ndefine void @g() {\n  ret void\n}"
    )

    assert [(each.name, each.is_variadic, each.is_internal) for each in unit.routines] == [
        ("f", True, True),
        ("g", False, False),
    ]


def test_the_types_of_parameters_are_those_of_calls():
    routine = routine_of(
        "%struct.a = type { i32 }\n"
        "define void @f(ptr noundef byval(%struct.a) align 8 %a, i8 signext %b, ...) {\n"
        "  call void (ptr, i8, ...) @f(ptr %a, i8 signext %b, i32 1)\n"
        "  ret void\n"
        "}\n"
    )

    assert routine.parameter_types == ("ptr", "i8")
    assert only(routine, Kind.CALL).shape == "call void(ptr, i8, i32)"
