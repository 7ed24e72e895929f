"""What conditions choose for a value of an option's variable, and what is never chosen then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from typing import NamedTuple

from sonde.core.code import Kind
from sonde.methods.impact.constants import (
    UNKNOWN,
    ConstantNumber,
    KnownConstant,
    boundaries_of,
    chosen,
    evaluate,
    in_order,
)
from sonde.methods.impact.flow.building import Flow


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
    values: set[KnownConstant] = set()
    known: list[Condition] = []
    others: list[Condition] = []
    for each in conditions:
        telling = telling_values(flow, each, reads) if each.hops == 0 else ()
        values.update(telling)
        (known if telling else others).append(each)
    found: dict[tuple[tuple[int, int, int], ...], None] = {}
    for value in in_order(values):
        cuts = []
        for each in known:
            taken = choice(flow, each, reads, value)
            if isinstance(taken, int):
                targets = program.routines[each.routine].instructions[each.position].targets
                others_of = (n for n, target in enumerate(targets) if target != targets[taken])
                cuts += [(each.routine, each.block, n) for n in others_of]
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


def telling_values(flow: Flow, condition: Condition, reads: Set[int]) -> tuple[KnownConstant, ...]:
    """Values of the variable that are enough to see where a condition goes.

    Nothing if it is computed of something else as well, or if no few values are enough.
    """
    code = flow.program.routines[condition.routine]
    if code.instructions[condition.position].kind is Kind.CALL:
        return ()
    first = flow.value(condition.routine, 0)
    found = boundaries_of(code, condition.position, lambda operand: first + operand in reads)
    if any(each.is_vague for each in found.values()):
        return ()
    values = in_order(value for each in found.values() for value in each.values())
    return values if any(isinstance(choice(flow, condition, reads, each), int) for each in values) else ()


def choice(flow: Flow, condition: Condition, reads: Set[int], value: KnownConstant) -> ConstantNumber:
    """Which target a condition chooses if the variable has this value."""
    code = flow.program.routines[condition.routine]
    decision = code.instructions[condition.position]
    if decision.kind is Kind.CALL:
        return UNKNOWN
    first = flow.value(condition.routine, 0)
    asked = evaluate(
        code, decision.operands[0], lambda operand: value if first + operand in reads else UNKNOWN
    )
    return chosen(decision, asked)
