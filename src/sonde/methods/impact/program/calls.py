"""The calls of a program and what they may enter, gathered once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sonde.core.code import Kind, Routine
from sonde.methods.impact.program.block_routes import reached_from
from sonde.methods.impact.program.linking import External, Program, RoutineRef
from sonde.methods.impact.program.memory import Memory, ObjectKind

THROWS = frozenset(
    {"__cxa_throw", "__cxa_rethrow", "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE"}
    | {"python.raise"}
)
STOP = Kind.STOP


class Call(NamedTuple):
    """A CALL of a routine."""

    position: int
    block: int
    callees: tuple[int, ...]  # routines with a body
    externals: tuple[str, ...]  # functions of libraries
    called_back: tuple[int, ...]  # routines that these functions call
    is_unknown: bool = False  # a pointer is called, and nobody asked what it may point to


def find_calls(program: Program, memory: Memory) -> list[list[Call]]:
    """For each routine its calls, in order."""
    return [
        [
            Call(
                position,
                routine.instructions[position].block,
                tuple(memory.callees(number, position)),
                tuple(memory.externals(number, position)),
                tuple(memory.callbacks(number, position)),
            )
            for position in routine.calls
        ]
        for number, routine in enumerate(program.routines)
    ]


def direct_calls(program: Program, routines: Iterable[int]) -> dict[int, list[Call]]:
    """The calls of these routines and of all that they call, without a look at pointers."""
    found: dict[int, list[Call]] = {}
    waiting = list(routines)
    while waiting:
        number = waiting.pop()
        if number in found:
            continue
        routine = program.routines[number]
        here = found[number] = []
        for position in routine.calls:
            each = routine.instructions[position]
            meaning = program.meaning(number, each.operands[0]) if each.operands else None
            callees = (meaning.id,) if isinstance(meaning, RoutineRef) else ()
            externals = (meaning.name,) if isinstance(meaning, External) else ()
            called_back: tuple[int, ...] = ()
            if externals:
                others = (program.meaning(number, operand) for operand in each.operands[1:] if operand < 0)
                called_back = tuple(other.id for other in others if isinstance(other, RoutineRef))
            is_unknown = bool(each.operands) and each.operands[0] >= 0
            here.append(Call(position, each.block, callees, externals, called_back, is_unknown))
            waiting += (*callees, *called_back)
    return found


def throwing(calls: Sequence[Sequence[Call]]) -> frozenset[int]:
    """The routines that may throw an exception, themselves or by what they call."""
    callers: dict[int, list[int]] = {}
    waiting = []
    for number, found in enumerate(calls):
        if any(not THROWS.isdisjoint(call.externals) for call in found):
            waiting.append(number)
        for call in found:
            for callee in (*call.callees, *call.called_back):
                callers.setdefault(callee, []).append(number)
    throwing = set(waiting)
    while waiting:
        for caller in callers.get(waiting.pop(), ()):
            if caller not in throwing:
                throwing.add(caller)
                waiting.append(caller)
    return frozenset(throwing)


def routines_in(memory: Memory, cells: Iterable[int]) -> list[int]:
    """The routines whose addresses these cells are."""
    objects = (memory.objects[memory.cells[cell].object] for cell in cells)
    return [each.position for each in objects if each.kind is ObjectKind.ROUTINE]


def stops_of(routine: Routine) -> frozenset[int]:
    """Blocks from which every way ends in STOP, as far as the routine itself shows."""
    after = routine.routes
    before: list[list[int]] = [[] for _ in after]
    for block, targets in enumerate(after):
        for each in targets:
            before[each].append(block)
    # What can come to an end (or run forever) is alive; the rest is not.
    stack = [
        block
        for block, (start, end) in enumerate(routine.blocks)
        if not after[block] and not (end > start and routine.instructions[end - 1].kind is STOP)
    ]
    stops = [block for block, targets in enumerate(after) if not targets and block not in set(stack)]
    if not stops:
        return frozenset()
    alive = reached_from(before, stack)
    doomed = reached_from(before, stops)
    return frozenset(block for block in doomed if block not in alive)
