"""Small programs of which one knows what their pointers point to."""

from __future__ import annotations

import pytest

from sonde.core.code import Routine
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.program.linking import Program
from sonde.methods.impact.program.memory import Memory, SearchLimits
from tests.methods.impact.made_programs import (
    made_global,
    made_program,
    made_routine,
    position_named,
    value_in,
)

XMALLOC = made_routine(
    "xmalloc",
    "n",
    """
    p = local; q = call malloc n; store p q
    r = load p; is_null = compute r null shape icmp
    branch is_null failed fine
  failed:
    call abort; stop
  fine:
    s = load p; return s
    """,
)


def pointees(memory: Memory, routine: str, name: str) -> set[str]:
    """What a value points to, as `name+offset`; heap memory as `routine#value`."""
    number, value = value_in(memory.program, routine, name)
    return {shown(memory, cell) for cell in memory.pointees(number, value)}


def shown(memory: Memory, cell: int) -> str:
    number, offset = memory.cells[cell]
    object = memory.objects[number]
    name = object.name
    if object.kind.value == "heap":
        routine = memory.program.routines[object.routine]
        name = f"{routine.name}#{name_at(routine, object.position)}"
    return f"{name}+{offset}" if offset else name


def name_at(routine: Routine, position: int) -> str:
    for name in ("a", "b", "c", "d", "p", "q", "x", "y"):
        try:
            if position_named(routine, name) == position:
                return name
        except KeyError:
            continue
    return str(position)


def callees(memory: Memory, routine: str, name: str) -> set[str]:
    program = memory.program
    number, value = value_in(program, routine, name)
    position = value - program.routines[number].parameters
    return {program.routines[each].name for each in memory.callees(number, position)} | set(
        memory.externals(number, position)
    )


def main(text: str, *others, parameters: str = "argc argv") -> Program:
    return made_program(*others, made_routine("main", parameters, text))


def test_a_table_of_functions_is_called_and_a_decoy_is_not():
    program = main(
        "t = load @table; r = call t 1; d = load @decoys; store @kept d",
        made_routine("f", "n", "return n"),
        made_routine("g", "n", "return n"),
        made_routine("decoy", "n", "return n"),
        made_global("table", {0: "@f"}),
        made_global("decoys", {0: "@decoy"}),
        made_global("kept"),
    )
    memory = solve(program)

    assert callees(memory, "main", "r") == {"f"}
    assert (memory.indirect_calls, memory.resolved_calls) == (1, 1)


def test_all_elements_of_a_table_are_called():
    table = made_global("table", {0: "@f"})
    parts = (*table.parts, *made_global("other", {0: "@g"}).parts)  # one array: the same offset
    program = main(
        "t = load @table; r = call t 1",
        made_routine("f", "n", "return n"),
        made_routine("g", "n", "return n"),
        type(table)(**{**table.__dict__, "parts": parts}),
    )

    assert callees(solve(program), "main", "r") == {"f", "g"}


def test_fields_of_heap_memory_are_kept_apart():
    program = main("""
        x = local; y = local
        p = call malloc 16
        first = field p 0; second = field p 8
        store first x; store second y
        a = load first; b = load second
    """)
    memory = solve(program)

    assert pointees(memory, "main", "a") == {"x"}
    assert pointees(memory, "main", "b") == {"y"}


def test_a_list_is_walked():
    program = main("""
        p = call malloc 16; q = call malloc 16
        next = field p 8; store next q
        head = local; store head p
        at = load head; following = field at 8; other = load following
        store head other
        end = load head
    """)
    memory = solve(program)

    assert pointees(memory, "main", "end") == {"main#p", "main#q"}
    assert pointees(memory, "main", "other") == {"main#q"}


def test_swapping_through_pointers_mixes_both():
    swap = made_routine("swap", "one two", "a = load one; b = load two; store one b; store two a")
    program = main(
        "x = local; y = local; px = local; py = local\n"
        "store px x; store py y; call swap px py; a = load px; b = load py",
        swap,
    )
    memory = solve(program)

    assert pointees(memory, "main", "a") == pointees(memory, "main", "b") == {"x", "y"}


def test_assigning_a_structure_copies_its_fields():
    program = main("""
        x = local; y = local; from = local size 16; into = local size 16
        f0 = field from 0; f8 = field from 8; store f0 x; store f8 y
        copy = call llvm.memcpy.p0.p0.i64 into from 16 0
        t8 = field into 8; a = load into; b = load t8
    """)
    memory = solve(program)

    assert pointees(memory, "main", "a") == {"x"}
    assert pointees(memory, "main", "b") == {"y"}
    position = position_named(program.routines[0], "copy")
    assert {(shown(memory, a), shown(memory, b)) for a, b in memory.copied(0, position)} == {
        ("from", "into"),
        ("from+8", "into+8"),
    }


def test_a_copy_of_so_many_bytes_takes_no_more_along():
    program = main("""
        x = local; y = local; from = local size 16; into = local size 16
        f8 = field from 8; store from x; store f8 y
        call memcpy into from 8
        t8 = field into 8; a = load into; b = load t8
    """)
    memory = solve(program)

    assert pointees(memory, "main", "a") == {"x"}
    assert pointees(memory, "main", "b") == set()


def test_what_is_stored_through_an_out_parameter_comes_back():
    program = main(
        "p = local; call give p; a = load p",
        made_routine("give", "to", "q = call malloc 8; store to q"),
    )

    assert pointees(solve(program), "main", "a") == {"give#q"}


def test_qsort_calls_the_comparison_with_elements():
    program = main(
        "table = local; s = call qsort table 10 4 @compare",
        made_routine("compare", "one two", "a = load one; b = load two; return a"),
    )
    memory = solve(program)

    assert pointees(memory, "compare", "one") == {"table"}
    assert pointees(memory, "compare", "two") == {"table"}
    assert callees(memory, "main", "s") == {"qsort"}
    assert [program.routines[n].name for n in memory.callbacks(*_call(program, "main", "s"))] == ["compare"]


def _call(program: Program, routine: str, name: str) -> tuple[int, int]:
    number, value = value_in(program, routine, name)
    return number, value - program.routines[number].parameters


def test_a_thread_gets_what_it_is_given():
    program = main(
        "x = local; t = local; call pthread_create t null @work x",
        made_routine("work", "given", "return given"),
    )

    assert pointees(solve(program), "work", "given") == {"x"}


def test_each_call_of_a_pure_allocator_gives_memory_of_its_own():
    program = main(
        "x = local; a = call xmalloc 8; b = call xmalloc 8; store a x; c = load b; d = call xnmalloc 1 8",
        XMALLOC,
        made_routine(
            "xnmalloc", "n size", "bytes = compute n size shape mul; r = call xmalloc bytes; return r"
        ),
    )
    memory = solve(program)

    assert pointees(memory, "main", "a") == {"main#a"}
    assert pointees(memory, "main", "b") == {"main#b"}
    assert pointees(memory, "main", "c") == set()
    assert pointees(memory, "main", "d") == {"main#d"}


def test_an_allocator_called_through_a_pointer_gives_memory_of_each_call():
    program = main(
        "f = load @allocate; a = call f 8; b = call f 8", XMALLOC, made_global("allocate", {0: "@xmalloc"})
    )
    memory = solve(program)

    assert pointees(memory, "main", "a") == {"main#a"}
    assert pointees(memory, "main", "b") == {"main#b"}


def test_an_allocator_that_also_initialises_gives_one_memory():
    program = main(
        "a = call new @one; b = call new @two; x = load a",
        XMALLOC,
        made_routine("new", "name", "p = call xmalloc 8; store p name; return p"),
        made_global("one"),
        made_global("two"),
    )
    memory = solve(program)

    assert pointees(memory, "main", "a") == pointees(memory, "main", "b") == {"new#p"}
    assert pointees(memory, "main", "x") == {"one", "two"}


@pytest.mark.parametrize(
    "body",
    [
        "p = call xmalloc 8; store @kept p; return p",
        "p = call xmalloc 8; call keep p; return p",
        "p = call xmalloc 8; call something p; return p",
        "p = call xmalloc 8; f = field p 8; store f 1; return p",
        "old = load @kept; p = call xmalloc 8; r = phi old:entry p:entry; return r",
    ],
)
def test_an_allocator_that_keeps_or_fills_or_reuses_memory_is_not_pure(body):
    program = main(
        "a = call new",
        XMALLOC,
        made_routine("keep", "p", "store @kept p"),
        made_routine("new", "", body),
        made_global("kept"),
    )

    assert "new#p" in pointees(solve(program), "main", "a")


def test_a_copying_allocator_copies_at_each_call():
    program = main(
        """
        x = local; y = local; one = local size 16; two = local size 16
        store one x; store two y
        a = call xmemdup one 16; b = call xmemdup two 16
        c = load a; d = load b
        """,
        XMALLOC,
        made_routine("xmemdup", "from n", "p = call xmalloc n; r = call memcpy p from n; return r"),
    )
    memory = solve(program)

    assert pointees(memory, "main", "c") == {"x"}
    assert pointees(memory, "main", "d") == {"y"}
    pairs = memory.copied(*_call(program, "main", "a"))
    assert {(shown(memory, one), shown(memory, other)) for one, other in pairs} == {("one", "main#a")}


def test_a_check_gives_back_what_it_was_given():
    program = main(
        "x = local; y = local; a = call check x; b = call check y",
        made_routine("check", "p", "c = compute p null shape icmp; return p"),
    )
    memory = solve(program)

    assert pointees(memory, "main", "a") == {"x"}
    assert pointees(memory, "main", "b") == {"y"}


def test_growing_memory_keeps_what_lies_in_it():
    program = main("x = local; p = call malloc 8; store p x; q = call realloc p 16; a = load q")
    memory = solve(program)

    assert pointees(memory, "main", "q") == {"main#p", "main#q"}
    assert pointees(memory, "main", "a") == {"x"}


def test_arguments_of_the_program_are_texts_of_the_system():
    memory = solve(main("first = load argv; e = load @environ"))

    assert pointees(memory, "main", "argv") == {"*argv"}
    assert pointees(memory, "main", "first") == {"*argv[]"}
    assert pointees(memory, "main", "e") == {"*environ"}


def test_an_option_argument_is_one_of_the_texts():
    memory = solve(main('call getopt argc argv "a:"; o = load @optarg'))

    assert pointees(memory, "main", "o") == {"*argv[]"}


def test_further_arguments_come_out_of_the_list():
    program = main(
        "x = local; y = local; call f x y",
        made_routine(
            "f",
            "named",
            """
            list = local size 24
            call llvm.va_start list
            at = field list 16; area = load at; step = field area 0 named; a = load step
            overflow = field list 8; more = load overflow; b = load more
            """,
            is_variadic=True,
        ),
    )
    memory = solve(program)

    assert pointees(memory, "f", "named") == {"x"}
    assert pointees(memory, "f", "a") == pointees(memory, "f", "b") == {"y"}
    assert memory.variadic_cell(value_in(program, "f", "a")[0]) is not None


def test_what_is_thrown_is_caught():
    program = main(
        """
        call fails to fine caught
      fine:
        return
      caught:
        a = compute shape landingpad
        b = call __cxa_begin_catch a
        """,
        made_routine("fails", "", "p = call __cxa_allocate_exception 8; call __cxa_throw p null null; stop"),
    )

    assert pointees(solve(program), "main", "b") == {"fails#p"}


def test_a_line_that_is_read_is_new_memory():
    memory = solve(main("line = local; n = local; g = call getline line n @stdin; a = load line"))

    assert len(pointees(memory, "main", "a")) == 1


def test_a_number_that_is_smaller_than_a_pointer_points_nowhere():
    memory = solve(main("x = local; p = local; store p x; a = load p size 4; b = load p size 8"))

    assert pointees(memory, "main", "a") == set()
    assert pointees(memory, "main", "b") == {"x"}


def test_a_pointer_that_steps_on_and_on_ends_in_one_cell():
    program = main("""
        p = call malloc argc
        jump loop
      loop:
        at = phi p:entry next:loop
        next = field at 8
        store next argv
        branch argc loop out
      out:
        a = load at
    """)
    memory = solve(program)

    assert pointees(memory, "main", "at") == pointees(memory, "main", "next") == {"main#p"}
    assert pointees(memory, "main", "a") == {"*argv"}


def test_a_field_behind_the_end_of_an_object_is_none():
    memory = solve(main("x = local size 8; y = local size 32; p = phi x:entry y:entry; a = field p 16"))

    assert pointees(memory, "main", "a") == {"y+16"}


def test_an_unknown_function_may_call_back_and_return_what_it_gets():
    program = main(
        "x = local; r = call something x @back",
        made_routine("back", "one two", "a = load one; return a"),
    )
    memory = solve(program)

    assert {"x", "something()"} <= pointees(memory, "main", "r")
    assert "x" in pointees(memory, "back", "one")


def test_without_main_callers_are_unknown():
    program = made_program(made_routine("api", "p", "a = load p; f = load a; r = call f p"))
    memory = solve(program)

    assert pointees(memory, "api", "a") == {"api(0)"}
    assert callees(memory, "api", "r") == {"?"}


def test_inline_assembler_may_return_what_it_gets():
    memory = solve(main('x = local; a = call "bswap" x'))

    assert pointees(memory, "main", "a") == {"x"}


def test_large_programs_are_solved_cheaply_and_say_so():
    program = main("x = local; p = local; store p x; a = load p")
    memory = solve(program, SearchLimits(instructions=3, seconds_if_larger=0))

    assert pointees(memory, "main", "a") == {"x"}
    assert memory.points_to.startswith("unification-based")
    assert memory.reason == "more than 3 instructions"


def test_what_takes_too_long_is_solved_cheaply_and_says_so():
    program = main(
        "x = local; p = local; store p x; f = call identity p; a = load f",
        made_routine("identity", "p", "q = local; store q p; return q"),
    )
    ticks = iter(range(0, 10_000, 100))
    memory = solve(program, SearchLimits(seconds=60), lambda: float(next(ticks)))

    assert memory.points_to.startswith("unification-based")
    assert memory.reason == "takes longer than 60 s"


def test_large_programs_get_less_time():
    program = main("x = local; p = local; store p x; a = load p")
    ticks = iter(range(0, 10_000, 25))
    memory = solve(
        program, SearchLimits(60, instructions=3, seconds_if_larger=20), lambda: float(next(ticks))
    )

    assert memory.points_to.startswith("unification-based")
    assert memory.reason == "takes longer than 20 s"


def test_memory_that_is_moved_up_inside_of_itself_ends_in_one_cell():
    program = main("""
        p = call malloc argc
        up = field p 24
        m = call memcpy up p argc
        store p argv
        a = load up
        far = field p 48
        b = load far
    """)
    memory = solve(program)

    assert pointees(memory, "main", "up") == pointees(memory, "main", "far") == {"main#p"}
    assert pointees(memory, "main", "a") == pointees(memory, "main", "b") == {"*argv"}
    kinds = [memory.objects[each.object].kind.value for each in memory.cells]
    assert kinds.count("heap") == 3


def test_memory_that_is_moved_down_inside_of_itself_keeps_its_fields_apart():
    program = main("""
        p = call malloc argc
        up = field p 24
        m = call memcpy p up argc
        store p argv
        a = load up
        b = load p
    """)
    memory = solve(program)

    assert pointees(memory, "main", "a") == set()
    assert pointees(memory, "main", "b") == {"*argv"}


def test_nothing_is_copied_by_a_copy_of_no_bytes():
    memory = solve(main("x = local; p = local; q = local; store p x; m = call memcpy q p 0; a = load q"))

    assert pointees(memory, "main", "a") == set()


def test_the_best_analysis_gives_no_reason():
    memory = solve(main(""))

    assert memory.points_to == "inclusion-based, field-sensitive"
    assert memory.reason == ""


def test_cheap_solving_only_calls_what_takes_as_many_arguments():
    program = main(
        "t = load @table; r = call t 1",
        made_routine("f", "n", "return n"),
        made_routine("g", "n m", "return n"),
        made_global("table", {0: "@f", 8: "@g"}, size=16),
    )

    assert callees(solve(program, SearchLimits(instructions=0, seconds_if_larger=0)), "main", "r") == {"f"}


def test_an_empty_program_has_no_memory():
    memory = solve(made_program())

    assert memory.indirect_calls == 0
