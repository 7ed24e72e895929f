"""Where the addresses of routines are taken: they may be called from anywhere then."""

from __future__ import annotations

from collections.abc import Iterator

from sonde.core.code import Kind
from sonde.methods.impact.program.linking import Program, RoutineRef


def mentions_in(program: Program, number: int) -> Iterator[tuple[int, int]]:
    """The blocks of a routine that take the address of a routine, each with that one's number."""
    routine = program.routines[number]
    meant = {
        ~index: meaning.id
        for index in range(len(routine.outside))
        if isinstance(meaning := program.meaning(number, ~index), RoutineRef)
    }
    if not meant:
        return
    for each in routine.instructions:
        operands = each.operands[1:] if each.kind is Kind.CALL else each.operands
        for place, operand in enumerate(operands):
            if operand in meant:
                yield each.targets[place] if each.kind is Kind.PHI else each.block, meant[operand]


def standing_in_globals(program: Program) -> frozenset[int]:
    """Routines whose address stands in a global."""
    meanings = (
        program.named(program.unit_of_global[number], part.address.name)
        for number, each in enumerate(program.globals)
        for part in each.parts
        if part.address is not None
    )
    return frozenset(each.id for each in meanings if isinstance(each, RoutineRef))
