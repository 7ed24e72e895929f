from __future__ import annotations

from sonde.core.code import Kind
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.program.cloning import clone_small_routines, copies_of
from sonde.methods.impact.program.linking import Program, RoutineRef
from tests.methods.impact.made_programs import made_global, made_program, made_routine

PUT = made_routine("put", "buffer byte", "at = field buffer 8; store at byte; return")
TWICE = made_routine("twice", "buffer", "call put buffer 1; call put buffer 2; return")
MAIN = made_routine(
    "main", "", "a = local size 16; b = local size 16; call put a 1; call twice b; call put b 3; return"
)


def called(program: Program, number: int) -> list[int]:
    """The routines that the direct calls of a routine enter."""
    found = []
    for each in program.routines[number].instructions:
        if each.kind is Kind.CALL:
            meant = program.meaning(number, each.operands[0])
            assert isinstance(meant, RoutineRef)
            found.append(meant.id)
    return found


def test_each_call_of_a_small_routine_enters_its_own_copy() -> None:
    program = clone_small_routines(made_program(PUT, TWICE, MAIN))

    entered = called(program, 2)
    within = [each for number in entered for each in called(program, number)]
    assert len({*entered, *within}) == len(entered) + len(within) == 5
    assert [program.origin[each] for each in entered] == [0, 1, 0]
    assert copies_of(program)[0] == tuple(sorted({entered[0], entered[2], *within}))
    assert 0 in copies_of(program)[0]  # the first call has the routine itself


def test_a_routine_that_may_be_called_otherwise_is_no_calls_own() -> None:
    keeping = made_routine("keeping", "", "f = local size 8; store f @put; return")
    table = made_global("table", {0: "@twice"})
    program = clone_small_routines(made_program(PUT, TWICE, MAIN, keeping, table))

    entered = called(program, 2)
    assert not {0, 1} & {*entered, *(each for number in entered for each in called(program, number))}


def test_what_two_callers_hand_over_stays_apart() -> None:
    program = clone_small_routines(made_program(PUT, TWICE, MAIN))
    memory = solve(program)

    first = called(program, 2)[0]
    address = program.routines[first].instructions[1].operands[0]
    objects = {memory.objects[memory.cells[cell].object].position for cell in memory.pointees(first, address)}
    assert objects == {0}  # the local `a` of main, and not `b`


def test_positions_mean_the_same_in_a_copy() -> None:
    program = clone_small_routines(made_program(PUT, TWICE, MAIN))

    for number, origin in enumerate(program.origin):
        ours, theirs = program.routines[number].instructions, program.routines[origin].instructions
        assert [(each.kind, each.place) for each in ours] == [(each.kind, each.place) for each in theirs]


def test_routines_that_call_themselves_are_not_copied() -> None:
    walk = made_routine("walk", "list", "next = field list 8; rest = load next; call step rest; return")
    step = made_routine("step", "list", "call walk list; return")
    main = made_routine("main", "", "a = local size 16; call walk a; call step a; return")

    assert clone_small_routines(made_program(walk, step, main)).origin in ((), (0, 1, 2))


def test_routines_that_get_no_pointers_are_not_copied() -> None:
    add = made_routine("add", "a b", "c = compute a b; return c")
    main = made_routine("main", "", "call add 1 2; call add 3 4; return")

    assert not clone_small_routines(made_program(add, main)).origin


def test_a_program_does_not_grow_without_bounds() -> None:
    routines = [made_routine("r0", "p", "x = load p; return")]
    for n in range(1, 30):  # each calls the one before twice: 2 ** 30 copies
        routines.append(made_routine(f"r{n}", "p", f"call r{n - 1} p; call r{n - 1} p; return"))
    main = made_routine("main", "", "a = local; call r29 a; return")

    grown = clone_small_routines(made_program(*routines, main))

    assert sum(len(each.instructions) for each in grown.routines) <= 30_000
