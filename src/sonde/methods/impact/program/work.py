"""Which routines do work that may take long, as far as their own shape and their calls show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sonde.core.code import Kind, Routine
from sonde.methods.impact.program.calls import Call
from sonde.methods.impact.program.linking import Program

PRINTS = frozenset(
    {"printf", "fprintf", "vprintf", "vfprintf", "dprintf", "puts", "fputs", "putc", "fputc", "putchar"}
    | {"__printf_chk", "__fprintf_chk", "__vfprintf_chk", "fputs_unlocked", "putc_unlocked", "fwrite"}
    | {"fputc_unlocked", "putchar_unlocked", "fwrite_unlocked", "perror", "warn", "warnx", "syslog"}
)

TEXTS = frozenset({"gettext", "dgettext", "dcgettext", "ngettext", "strerror", "__errno_location", "strlen"})


def only_prints(calls: Sequence[Call]) -> bool:
    """Whether these calls make up a message: they print, and do nothing else but look for texts."""
    names = {name for call in calls for name in call.externals}
    return not names.isdisjoint(PRINTS) and names <= PRINTS | TEXTS


def working_routines(program: Program, calls: Mapping[int, Sequence[Call]]) -> frozenset[int]:
    """Routines with a loop, recursive ones, those that call a pointer blindly, and all that call them.

    The others are taken away, callees before callers; what stays calls something that stays, or loops.
    """
    callers: dict[int, list[int]] = {number: [] for number in calls}
    left: dict[int, int] = {}
    waiting = []
    for number, here in calls.items():
        routine = program.routines[number]
        if any(call.is_unknown for call in here) or _loops(routine):
            left[number] = -1
            continue
        messages = message_calls(routine, here)
        callees = {
            callee
            for call in here
            for callee in (*call.callees, *call.called_back)
            if call.position not in messages
        }
        left[number] = len(callees)
        for callee in callees:
            callers[callee].append(number)
        if not callees:
            waiting.append(number)
    while waiting:
        for caller in callers[waiting.pop()]:
            left[caller] -= 1
            if not left[caller]:
                waiting.append(caller)
    return frozenset(number for number, count in left.items() if count)


def message_calls(routine: Routine, calls: Sequence[Call]) -> frozenset[int]:
    """Positions of calls whose text is only handed to other calls of its block: `die (quote (name))`."""
    blocks = {
        routine.parameters + call.position: call.block
        for call in calls
        if call.callees and routine.instructions[call.position].shape.startswith("call ptr")
    }
    if not blocks:
        return frozenset()
    used: set[int] = set()
    otherwise: set[int] = set()
    for each in routine.instructions:
        for place, operand in enumerate(each.operands):
            if operand in blocks:
                is_argument = each.kind is Kind.CALL and place > 0 and each.block == blocks[operand]
                (used if is_argument else otherwise).add(operand)
    return frozenset(value - routine.parameters for value in used - otherwise)


def _loops(routine: Routine) -> bool:
    after = routine.routes
    for block, targets in enumerate(after):
        for target in targets:
            if target <= block and _leads_to(after, target, block):
                return True
    return False


def _leads_to(after: Sequence[Sequence[int]], start: int, end: int) -> bool:
    seen = {start}
    waiting = [start]
    while waiting:
        block = waiting.pop()
        if block == end:
            return True
        for each in after[block]:
            if each not in seen:
                seen.add(each)
                waiting.append(each)
    return False
