"""Routines that nothing names: a linker would leave them out, and so does the analysis.

They are those of libraries of which a program uses a part, and helpers that only they call.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sonde.core.code import Address, Instruction, Kind, Routine
from sonde.methods.impact.program.linking import GlobalRef, Named, Program, RoutineRef


def without_unused(program: Program) -> Program:
    """The program with nothing inside of routines that cannot be executed: numbers mean the same."""
    used = _used(program)
    return replace(
        program,
        routines=tuple(
            each if number in used else _emptied(each) for number, each in enumerate(program.routines)
        ),
    )


def roots_of(program: Program) -> tuple[int, ...]:
    """Where execution begins: in `main`; without one, in every routine that others can call."""
    mains = [n for n, each in enumerate(program.routines) if each.name == "main"]
    if not mains:
        return tuple(n for n, each in enumerate(program.routines) if not each.is_internal)
    return (*mains, *sorted(program.startup | program.shutdown))


def _used(program: Program) -> frozenset[int]:
    """The routines that are named by what is used, from the roots on, and what they are copies of."""
    routines, globals_ = set(roots_of(program)), set[int]()
    waiting: list[Named] = [*map(RoutineRef, routines)]
    while waiting:
        for each in _named_by(program, waiting.pop()):
            known = routines if isinstance(each, RoutineRef) else globals_
            if isinstance(each, RoutineRef | GlobalRef) and each.id not in known:
                known.add(each.id)
                waiting.append(each)
    return frozenset({*routines, *(program.origin[each] for each in routines if program.origin)})


def _named_by(program: Program, each: Named) -> Iterable[Named]:
    match each:
        case RoutineRef(id):
            unit, routine = program.unit_of_routine[id], program.routines[id]
            operands = {operand for one in routine.instructions for operand in one.operands if operand < 0}
            outside = (routine.outside[~operand] for operand in operands)
            return [program.named(unit, one.name) for one in outside if isinstance(one, Address)]
        case GlobalRef(id):
            unit, parts = program.unit_of_global[id], program.globals[id].parts
            return [program.named(unit, one.address.name) for one in parts if one.address is not None]
        case _:
            return ()


def _emptied(routine: Routine) -> Routine:
    stop = Instruction(Kind.STOP, (), "unused", 0)
    return replace(routine, instructions=(stop,), blocks=((0, 1),), outside=(), variables={})
