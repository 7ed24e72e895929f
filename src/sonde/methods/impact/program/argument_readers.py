"""Which routines get the words of the command line: main, and those that it hands them to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from sonde.core.code import Address, Kind, Routine

MAIN = "main"
ARGV = 1


def argument_readers(bodies: Mapping[str, Routine]) -> frozenset[str]:
    """The names of these routines; what goes through other memory than variables is not followed."""
    found: dict[str, set[int]] = {MAIN: {ARGV}} if MAIN in bodies else {}
    waiting = list(found)
    while waiting:
        routine = bodies[waiting.pop()]
        for callee, parameter in _handed_on(routine, found[routine.name]):
            if callee in bodies and parameter < bodies[callee].parameters:
                known = found.setdefault(callee, set())
                if parameter not in known:
                    known.add(parameter)
                    waiting.append(callee)
    return frozenset(found)


def _handed_on(routine: Routine, parameters: Set[int]) -> Iterator[tuple[str, int]]:
    """Calls that are given such words: what is called, and as which parameter."""
    words = set(parameters)
    while True:
        before = len(words)
        for position, each in enumerate(routine.instructions):
            if each.kind is Kind.STORE and each.operands[1] in words and each.operands[0] >= 0:
                words.add(each.operands[0])
            elif each.kind in (Kind.LOAD, Kind.FIELD) and each.operands[0] in words:
                words.add(routine.parameters + position)
        if len(words) == before:
            break
    for each in routine.instructions:
        outside = (
            routine.outside[~each.operands[0]]
            if each.kind is Kind.CALL and each.operands and each.operands[0] < 0
            else None
        )
        if isinstance(outside, Address):
            for parameter, operand in enumerate(each.operands[1:]):
                if operand in words:
                    yield outside.name, parameter
