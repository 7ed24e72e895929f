"""What conditions choose for a value of an option's variable, and what is never chosen then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from typing import NamedTuple

from sonde.core.code import Constant, Kind, Routine
from sonde.methods.impact.calls import constant_number
from sonde.methods.impact.flow import Flow

SMALL = 1 << 6  # the sum of two of them fits into any whole number


class Condition(NamedTuple):
    """A BRANCH or SWITCH, or a CALL that may throw, that an option has influence on."""

    routine: int
    position: int
    block: int
    hops: int  # implicit ones, from the option's variable to the condition


def scenarios(
    flow: Flow, reads: Set[int], conditions: Sequence[Condition]
) -> list[tuple[tuple[int, int, int], ...]]:
    """What is never chosen for certain values of an option, as cuts (routine, block, number of the target).

    For conditions that compare the variable itself with constants, a value says where they go. Of the others,
    one side after the other is left out.
    """
    program = flow.program
    values: set[int] = {0, 1}
    known: list[Condition] = []
    others: list[Condition] = []
    for each in conditions:
        if each.hops == 0 and evaluate(flow, each, reads, 0) is not None:
            known.append(each)
            values.update(constants_of(program.routines[each.routine], each.position))
        else:
            others.append(each)
    found: dict[tuple[tuple[int, int, int], ...], None] = {}
    if known:
        for value in sorted({v + d for v in values for d in (-1, 0, 1)}):
            cuts = []
            for each in known:
                chosen = evaluate(flow, each, reads, value)
                targets = program.routines[each.routine].instructions[each.position].targets
                taken = targets[chosen] if chosen is not None else -1
                cuts += [(each.routine, each.block, n) for n, target in enumerate(targets) if target != taken]
            found[tuple(cuts)] = None
    by_side: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for each in others:
        targets = program.routines[each.routine].instructions[each.position].targets
        for number, _ in enumerate(targets):
            if each.hops == 0:
                by_side[number].append((each.routine, each.block, number))
            else:
                found[((each.routine, each.block, number),)] = None
    for cuts in by_side.values():
        found[tuple(cuts)] = None
    return list(found)


def constants_of(code: Routine, position: int) -> set[int]:
    """Numbers that a condition mentions."""
    found: set[int] = set(code.instructions[position].cases)
    waiting = [position]
    while waiting:
        for operand in code.instructions[waiting.pop()].operands:
            if operand >= code.parameters:
                if code.instructions[operand - code.parameters].kind is Kind.COMPUTE:
                    waiting.append(operand - code.parameters)
            elif operand < 0:
                outside = code.outside[~operand]
                number = constant_number(outside.text) if isinstance(outside, Constant) else None
                if number is not None:
                    found.add(number)
    return found


def evaluate(flow: Flow, condition: Condition, reads: Set[int], value: int) -> int | None:
    """Which target a condition chooses if the variable has this value; None if that is not to be seen."""
    code = flow.program.routines[condition.routine]
    instruction = code.instructions[condition.position]
    if instruction.kind is Kind.CALL:
        return None

    def worth(operand: int) -> int | None:
        if operand < 0:
            outside = code.outside[~operand]
            return constant_number(outside.text) if isinstance(outside, Constant) else None
        if flow.value(condition.routine, operand) in reads:
            return value
        position = operand - code.parameters
        if position < 0:
            return None
        each = code.instructions[position]
        if each.kind is not Kind.COMPUTE:
            return None
        operands = [worth(n) for n in each.operands]
        if any(n is None for n in operands):
            return None
        return compute(each.shape, [n for n in operands if n is not None])

    number = worth(instruction.operands[0])
    if number is None:
        return None
    if instruction.kind is Kind.BRANCH:
        return 0 if number else 1
    return instruction.cases.index(number) + 1 if number in instruction.cases else 0


def compute(shape: str, numbers: Sequence[int]) -> int | None:
    """What an instruction gives for these numbers; None if it is not one of the few that are known."""
    operation, *rest = shape.split(" ")
    if operation in ("sext", "zext", "trunc", "freeze"):
        return numbers[0] & 1 if shape.endswith("to i1") else numbers[0]
    if operation == "select" and len(numbers) == 3:
        return numbers[1] if numbers[0] else numbers[2]
    if len(numbers) < 2:
        return None
    a, b = numbers[0], numbers[1]
    if operation == "icmp":
        predicate = next((word for word in rest if word in COMPARISONS), "")
        return None if not predicate else int(COMPARISONS[predicate](a, b))
    if operation == "xor":
        return (a ^ b) & 1 if "i1" in rest else a ^ b
    if operation == "and":
        return a & b
    if operation == "or":
        return a | b
    if operation == "add" and 0 <= a <= SMALL and 0 <= b <= SMALL:
        return a + b
    return None


COMPARISONS = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "ult": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "ule": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "ugt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
    "uge": lambda a, b: a >= b,
}
