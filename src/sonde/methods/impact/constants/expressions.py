"""What a value is that is computed from others within its routine."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sonde.core.code import Kind, Routine
from sonde.methods.impact.constants.boundaries import Boundaries, all_boundaries, any_of, truth
from sonde.methods.impact.constants.boundaries_before import boundaries_before
from sonde.methods.impact.constants.decisions import width_of_switch
from sonde.methods.impact.constants.folding import fold
from sonde.methods.impact.constants.literals import number_of
from sonde.methods.impact.constants.values import UNKNOWN, ConstantValue

COMPUTE = Kind.COMPUTE


def evaluate(code: Routine, operand: int, known: Callable[[int], ConstantValue]) -> ConstantValue:
    """What an operand is; what `known` leaves unknown is computed of its operands."""
    if operand < 0:
        return number_of(code, operand)
    found: dict[int, ConstantValue] = {}
    opened: set[int] = set()
    waiting = [operand]
    while waiting:
        value = waiting[-1]
        if value in found:
            waiting.pop()
            continue
        told = known(value)
        each = code.instructions[value - code.parameters] if value >= code.parameters else None
        if told is not UNKNOWN or each is None or each.kind is not COMPUTE:
            found[value] = told
            continue
        opened.add(value)  # a value that needs itself, as in code that is never executed, is unknown
        missing = [n for n in each.operands if n >= 0 and n not in found and n not in opened]
        if missing:
            waiting += missing
            continue
        operands = [number_of(code, n) if n < 0 else found.get(n, UNKNOWN) for n in each.operands]
        found[value] = fold(each.shape, operands)
    return found[operand]


def boundaries_of(code: Routine, decision: int, is_variable: Callable[[int], bool]) -> dict[int, Boundaries]:
    """By those of the variables' values that a decision is computed of: where it changes."""

    def before(value: int, found: Boundaries) -> Iterator[tuple[int, Boundaries]]:
        each = code.instructions[value - code.parameters] if value >= code.parameters else None
        if each is not None and each.kind is COMPUTE and not is_variable(value):
            constants = [number_of(code, operand) for operand in each.operands]
            for place, own in boundaries_before(each.shape, constants, found).items():
                if each.operands[place] >= 0:
                    yield each.operands[place], own

    found = all_boundaries(first_boundaries(code, decision), before)
    return {value: each for value, each in found.items() if is_variable(value)}


def first_boundaries(code: Routine, decision: int) -> Iterator[tuple[int, Boundaries]]:
    """The value that a BRANCH or SWITCH asks for, and where it goes elsewhere."""
    each = code.instructions[decision]
    if each.operands[0] < 0:
        return
    if each.kind is Kind.BRANCH:
        yield each.operands[0], truth()
    elif width := width_of_switch(each.shape):
        yield each.operands[0], any_of(width, each.cases)
