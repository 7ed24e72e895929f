"""The calls of a program and what they may enter, gathered once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sonde.core.code import Kind, Routine
from sonde.methods.impact.memory import Memory, ObjectKind
from sonde.methods.impact.program import Program

THROWS = frozenset(
    {"__cxa_throw", "__cxa_rethrow", "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE"}
)


class Call(NamedTuple):
    """A CALL of a routine."""

    position: int
    block: int
    callees: tuple[int, ...]  # routines with a body
    externals: tuple[str, ...]  # functions of libraries
    called_back: tuple[int, ...]  # routines that these functions call


def find_calls(program: Program, memory: Memory) -> list[list[Call]]:
    """For each routine its calls, in order."""
    return [
        [
            Call(
                position,
                instruction.block,
                tuple(memory.callees(number, position)),
                tuple(memory.externals(number, position)),
                tuple(memory.callbacks(number, position)),
            )
            for position, instruction in enumerate(routine.instructions)
            if instruction.kind is Kind.CALL
        ]
        for number, routine in enumerate(program.routines)
    ]


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


def routes(routine: Routine) -> list[tuple[int, ...]]:
    """For each block of a routine where it may go."""
    instructions = routine.instructions
    return [
        () if end == start or instructions[end - 1].kind is Kind.PHI else instructions[end - 1].targets
        for start, end in routine.blocks
    ]


def constant_number(text: str) -> int | None:
    """The number that a constant stands for, or None if it is none."""
    word = text.rpartition(" ")[2]
    if word in ("null", "zeroinitializer", "false"):
        return 0
    if word == "true":
        return 1
    try:
        return int(word)
    except ValueError:
        return None
