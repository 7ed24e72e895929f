"""Finds what the pointers of a program may point to: precisely where that is possible, else cheaply."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sonde.core.code import Address, Assembly
from sonde.methods.impact.points_to.constraints import Constraints
from sonde.methods.impact.points_to.copied import Solved, find_copies
from sonde.methods.impact.points_to.equal_sets import EqualSets
from sonde.methods.impact.points_to.gathering import gather
from sonde.methods.impact.points_to.handed_on import HandedOn, find_handed_on
from sonde.methods.impact.points_to.inclusion import Inclusion
from sonde.methods.impact.points_to.unification import Unification
from sonde.methods.impact.program.linking import Program
from sonde.methods.impact.program.memory import Memory, SearchLimits

INCLUSION = "inclusion-based, field-sensitive"
USUAL_LIMITS = SearchLimits()
UNIFICATION = "unification-based, fields folded"


def solve(
    program: Program, limits: SearchLimits = USUAL_LIMITS, clock: Callable[[], float] = lambda: 0.0
) -> Memory:
    """What each pointer of a program may point to, and what each call may enter.

    `clock` gives seconds; without it, only the limit of instructions holds.
    """
    count = sum(len(routine.instructions) for routine in program.routines)
    seconds = limits.seconds if count <= limits.instructions else limits.seconds_if_larger
    handed_on = find_handed_on(program)
    if seconds <= 0:
        return _solve_cheaply(program, handed_on, f"more than {limits.instructions:,} instructions")
    end = clock() + seconds
    found = _solve_well(program, handed_on, lambda: clock() > end)
    return found or _solve_cheaply(program, handed_on, f"takes longer than {seconds:g} s")


def _solve_well(
    program: Program, handed_on: Mapping[int, HandedOn], is_late: Callable[[], bool]
) -> Memory | None:
    constraints, calls = gather(program, handed_on)
    solver = Inclusion(constraints, calls, is_late)
    return memory_of(constraints, EqualSets(solver), INCLUSION, "") if solver.solve() else None


def _solve_cheaply(program: Program, handed_on: Mapping[int, HandedOn], reason: str) -> Memory:
    constraints, calls = gather(program, handed_on, has_fields=False)
    solver = Unification(constraints, calls)
    solver.solve()
    return memory_of(constraints, solver, UNIFICATION, reason)


def memory_of(made: Constraints, solver: Solved, points_to: str, reason: str) -> Memory:
    """What was found, for those who ask."""
    indirect, resolved = _count_indirect(made)
    copies = find_copies(made, solver)  # makes cells of its own
    values = made.first_value[-1] + _values(made.program, -1) if made.first_value else 0
    return Memory(
        program=made.program,
        objects=made.objects,
        cells=made.cells,
        points_to=points_to,
        reason=reason,
        indirect_calls=indirect,
        resolved_calls=resolved,
        copies=copies,
        first_value=made.first_value,
        set_of_value=[
            ~_cell_of(made, made.known[node]) if node in made.known else solver.set_of(node)
            for node in range(values)
        ],
        set_of_cell=[solver.set_of(node) for node in made.contents],
        members=solver.members,
        called={site: (sorted(routines), sorted(names)) for site, (routines, names) in made.called.items()},
        called_back={site: sorted(routines) for site, routines in made.called_back.items()},
        cell_numbers={
            key: made.numbers[key[0], 0] if key[0] in made.folded else number
            for key, number in made.numbers.items()
        },
        named_objects=made.named,
        variadic=made.variadic,
        blurred=frozenset({*made.folded, *made.walks.left}),
        seen_cells={cell: tuple(made.walks.pointees(cell)) for cell in made.walks.views},
    )


def _cell_of(made: Constraints, cell: int) -> int:
    """The cell itself, or the first one of its object if that was folded."""
    object = made.cells[cell].object
    return made.numbers[object, 0] if object in made.folded else cell


def _values(program: Program, routine: int) -> int:
    body = program.routines[routine]
    return body.parameters + len(body.instructions) + 1


def _count_indirect(made: Constraints) -> tuple[int, int]:
    indirect = resolved = 0
    for number, routine in enumerate(made.program.routines):
        for position in routine.calls:
            called = routine.instructions[position].operands[0]
            if called < 0 and isinstance(routine.outside[~called], Address | Assembly):
                continue
            indirect += 1
            found = made.called.get((number, position))
            resolved += bool(found and (found[0] or found[1]))
    return indirect, resolved
