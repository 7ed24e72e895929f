from __future__ import annotations

from sonde.core.code import Kind
from sonde.methods.impact.program.cloning import clone_small_routines
from sonde.methods.impact.program.linking import Program
from sonde.methods.impact.program.unused import without_unused
from tests.methods.impact.made_programs import made_global, made_program, made_routine

ADD = made_routine("add", "p", "call deep p; return")
DEEP = made_routine("deep", "p", "store p 1; return")
LOST = made_routine("lost", "p", "call deep p; call late p; return")
LATE = made_routine("late", "p", "store p 2; return")
MAIN = made_routine("main", "", "a = local size 8; call add a; return")


def left(program: Program) -> list[str]:
    """The routines with something inside."""
    return [
        each.name
        for each in program.routines
        if [instruction.kind for instruction in each.instructions] != [Kind.STOP]
    ]


def test_what_nothing_names_is_emptied_and_numbers_stay():
    program = made_program(ADD, DEEP, LOST, LATE, MAIN)
    found = without_unused(program)

    assert left(found) == ["add", "deep", "main"]
    assert [each.name for each in found.routines] == [each.name for each in program.routines]


def test_without_main_everything_can_be_called():
    program = made_program(ADD, DEEP, LOST, LATE)

    assert left(without_unused(program)) == left(program)


def test_a_routine_is_used_whose_address_is_taken():
    main = made_routine("main", "", "a = local size 8; store a @late; return")

    assert left(without_unused(made_program(LOST, LATE, main))) == ["late", "main"]


def test_so_is_one_that_stands_in_a_table_which_is_used():
    table = made_global("table", {0: "@late"})
    main = made_routine("main", "", "f = load @table; call f 1; return")

    assert left(without_unused(made_program(LOST, LATE, table, main))) == ["late", "main"]
    assert left(without_unused(made_program(LOST, LATE, table, MAIN, ADD))) == ["main", "add"]


def test_a_routine_is_left_as_long_as_there_are_copies_of_it():
    keeping = made_routine("keeping", "", "f = local size 8; store f @deep; return")
    program = clone_small_routines(made_program(DEEP, ADD, MAIN, keeping))

    assert left(without_unused(program)) == ["deep", "add", "main", "deep"]
