"""Globals: their first values, their names, and other names of them."""

import pytest

from sonde.core.code import Address, Kind
from sonde.methods.impact.program.linking import link
from tests.effects.bitcode.reading.modules import body, operands, unit_of


def global_of(text, name):
    (found,) = [each for each in unit_of(text).globals if each.name == name]
    return found


def test_parts_have_the_offsets_of_fields_and_zeros_have_none():
    found = global_of(
        "@f = external global i32\n@g = global { i8, i32, ptr, i64 } { i8 1, i32 0, ptr @f, i64 7 }", "g"
    )

    assert [(part.offset, part.address) for part in found.parts] == [(0, None), (8, Address("f")), (16, None)]
    assert found.size == 24
    assert not global_of("@g = global [4 x i32] zeroinitializer", "g").parts


def test_whole_numbers_are_known():
    found = global_of("@g = global { i32, double, i64 } { i32 118, double 1.5, i64 -7 }", "g")

    assert [part.number for part in found.parts] == [118, None, -7]


def test_the_elements_of_an_array_share_an_offset():
    found = global_of(
        "declare void @a()\ndeclare void @b()\n"
        "@t = constant [2 x { i32, ptr }] [{ i32, ptr } { i32 1, ptr @a }, { i32, ptr } { i32 1, ptr @b }]",
        "t",
    )

    assert [part.offset for part in found.parts] == [0, 8, 0, 8]
    assert [part.address for part in found.parts if part.address] == [Address("a"), Address("b")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("[ptr @a, ptr @b]", "[ptr @b, ptr @a]"),
        ("[ptr @a, ptr null]", "[ptr null, ptr @a]"),
        (
            "[ptr @a, ptr getelementptr (i8, ptr @c, i64 4)]",
            "[ptr @a, ptr getelementptr (i8, ptr @c, i64 8)]",
        ),
    ],
)
def test_another_order_or_element_is_another_content(one, other):
    before = "@a = global i32 0\n@b = global i32 0\n@c = global [4 x i32] zeroinitializer\n"

    first, second = (global_of(f"{before}@t = global [2 x ptr] {each}", "t").parts for each in (one, other))

    assert {part.content for part in first} != {part.content for part in second}


def test_a_literal_is_named_by_its_content():
    text = '@.str.{n} = private unnamed_addr constant [3 x i8] c"hi\\00"\n@p = global ptr @.str.{n}\n'
    one, other = (unit_of(text.format(n=number)) for number in (1, 22))

    assert one.globals == other.globals
    literal = next(each for each in one.globals if each.text)
    assert literal.text == "hi"
    assert literal.name.startswith(".str:")
    assert literal.is_internal


def test_a_text_that_a_variable_begins_with_is_named_by_its_content():
    text = '@__const.main.text = private unnamed_addr constant [3 x i8] c"{text}\\00"\n@p = global ptr null\n'
    one, other = (unit_of(text.format(text=content)).globals[0] for content in ("10", "30"))

    assert one.text == "10"
    assert one.name.startswith("__const.main.text:")
    assert one.name != other.name


def test_variables_that_the_compiler_numbers_stay_apart():
    unit = unit_of(
        "@.compoundliteral = internal global i32 3\n@.compoundliteral.1 = internal global i32 3\n"
        "@p = global ptr @.compoundliteral\n@q = global ptr @.compoundliteral.1"
    )

    names = {each.name for each in unit.globals}
    assert len(names) == 4


@pytest.mark.parametrize(
    ("constant", "wanted"),
    [
        ("getelementptr inbounds (%struct.s, ptr @g, i32 0, i32 1)", Address("g", 4)),
        ("getelementptr (i8, ptr @g, i64 12)", Address("g", 4)),
        ("getelementptr inbounds ([3 x i32], ptr @a, i64 0, i64 2)", Address("a")),
        ("inttoptr (i64 add (i64 ptrtoint (ptr @g to i64), i64 4) to ptr)", Address("g", 4)),
        ("getelementptr (i8, ptr getelementptr (i8, ptr @g, i64 2), i64 2)", Address("g", 4)),
        (
            "getelementptr inrange(-16, 8) ({ [3 x ptr] }, ptr @_ZTV1A, i32 0, i32 0, i32 2)",
            Address("_ZTV1A", 16),
        ),
    ],
)
def test_addresses_inside_of_globals(constant, wanted):
    routine = body(
        f"  %v = load i32, ptr {constant}\n  ret void",
        before="%struct.s = type { i32, [4 x i32] }\n@g = external global %struct.s\n"
        "@a = external global [3 x i32]\n@_ZTV1A = external constant { [3 x ptr] }",
    )

    (load,) = [each for each in routine.instructions if each.kind is Kind.LOAD]
    assert operands(routine, load) == [wanted]


def test_another_element_of_an_array_is_another_shape():
    before = "@a = external global [3 x i32]"
    one, other = (
        body(f"  %v = load i32, ptr getelementptr (i8, ptr @a, i64 {at})\n  ret void", before=before)
        for at in (4, 8)
    )

    assert one.outside == other.outside
    assert one.instructions[0].shape != other.instructions[0].shape


def test_declarations_are_not_defined():
    unit = unit_of("@a = external global i32\n@b = extern_weak global i32\n@c = common global i32 0")

    assert {each.name: each.is_defined for each in unit.globals} == {"a": False, "b": False, "c": True}


def test_aliases_are_other_names():
    unit = unit_of(
        "@a = alias i32, ptr @b\n@b = global i32 1\n@c = alias void (), ptr @f\n"
        "define void @f() {\n  ret void\n}"
    )

    assert unit.aliases == {"a": "b", "c": "f"}


def test_an_indirect_function_calls_what_its_resolver_finds():
    unit = unit_of("@f = ifunc i32 (i32), ptr @pick\ndefine internal ptr @pick() {\n  ret ptr null\n}")

    program = link([unit])
    (number,) = program.find_routines("f")
    ask, call, leave = program.routines[number].instructions
    assert program.meaning(number, ask.operands[0]) is not None
    assert (call.operands, leave.operands) == ((1, 0), (2,))


def test_routines_before_main_come_in_their_order():
    entry = "{{ i32, ptr, ptr }} {{ i32 {}, ptr @{}, ptr null }}".format
    unit = unit_of(
        "@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] "
        f"[{entry(200, 'late')}, {entry(101, 'early')}]\n"
        "define internal void @late() {\n  ret void\n}\ndefine internal void @early() {\n  ret void\n}"
    )

    assert unit.startup == ("early", "late")
    assert not unit.globals


def test_routines_after_main_are_told_apart_from_those_before():
    unit = unit_of(
        "@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] "
        "[{ i32, ptr, ptr } { i32 65535, ptr @last, ptr null }]\n"
        "define internal void @last() {\n  ret void\n}"
    )

    assert (unit.startup, unit.shutdown) == ((), ("last",))


def test_labels_in_a_table_are_told_apart_by_their_names():
    text = (
        "@t = global [2 x ptr] [ptr blockaddress(@f, %{}), ptr blockaddress(@f, %{})]\n"
        "define void @f(ptr %p) {{\n  indirectbr ptr %p, [label %up, label %down]\n"
        "up:\n  ret void\ndown:\n  ret void\n}}"
    )

    one, other = (global_of(text.format(*each), "t").parts for each in (("up", "down"), ("down", "up")))

    assert one != other
