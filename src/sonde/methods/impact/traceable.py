"""Which values of a routine can be known from constants, options and calls: the rest is left alone."""

from __future__ import annotations

from collections.abc import Set

from sonde.core.code import Kind, Routine

KNOWN = frozenset({"icmp", "xor", "and", "or", "add", "sext", "zext", "trunc", "freeze", "select"})
LOCAL, LOAD, STORE, COMPUTE = Kind.LOCAL, Kind.LOAD, Kind.STORE, Kind.COMPUTE
PHI, CALL, RETURN = Kind.PHI, Kind.CALL, Kind.RETURN

Steps = tuple[tuple[int, ...], ...]  # for each block the positions that matter


def find_steps(routine: Routine, options: Set[int], followed: Set[int]) -> Steps:
    """What is worth looking at: `options` are values that read one, `followed` the calls that are known."""
    found = _traceable(routine, options, followed)
    first = routine.parameters
    steps = []
    for start, end in routine.blocks:
        here = []
        for position in range(start, end):
            each = routine.instructions[position]
            kind = each.kind
            if kind is STORE:
                matters = each.operands[0] in found
            elif kind is CALL:
                matters = position in followed
            elif kind is RETURN:
                matters = bool(each.operands)
            else:
                matters = kind is not LOCAL and first + position in found
            if matters:
                here.append(position)
        steps.append(tuple(here))
    return tuple(steps)


def _traceable(routine: Routine, options: Set[int], followed: Set[int]) -> set[int]:
    """The values that can be known; also the locals that hold nothing else."""
    first = routine.parameters
    own = {first + position for position, each in enumerate(routine.instructions) if each.kind is LOCAL}
    found = {*range(first), *own, *options}
    needs: list[tuple[int, tuple[int, ...]]] = []  # what can be known only if all of these can
    handed_on: set[int] = set()  # locals whose address is used for more than loads and stores
    for position, each in enumerate(routine.instructions):
        kind = each.kind
        value = first + position
        if kind is LOAD:
            if each.operands[0] in own and value not in options:
                found.add(value)
                needs.append((value, each.operands))
            continue
        if kind is STORE:
            target, stored = each.operands
            if stored in own:
                handed_on.add(stored)
            if stored >= 0 and target in own:
                needs.append((target, (stored,)))
            continue
        handed_on.update(own.intersection(each.operands))
        if value in options:
            continue
        if kind is PHI or (kind is COMPUTE and each.shape.partition(" ")[0] in KNOWN):
            found.add(value)
            needs.append((value, tuple(operand for operand in each.operands if operand >= 0)))
        elif kind is CALL and position in followed:
            found.add(value)
    found -= handed_on
    before = -1
    while before != len(found):
        before = len(found)
        needs = [each for each in needs if each[0] in found]
        for value, needed in needs:
            if not found.issuperset(needed):
                found.discard(value)
    return found
