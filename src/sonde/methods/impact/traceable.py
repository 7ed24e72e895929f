"""Which values of a routine can be known from constants, options and calls: the rest is left alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sonde.core.code import Kind, Routine

KNOWN = frozenset({"icmp", "xor", "and", "or", "add", "sext", "zext", "trunc", "freeze", "select"})


@dataclass(frozen=True)
class Traceable:
    """What is worth looking at in a routine."""

    values: frozenset[int]  # also the locals that hold nothing else
    steps: tuple[tuple[int, ...], ...]  # for each block the positions that matter


def find_traceable(
    routine: Routine, is_option: Callable[[int], bool], is_followed: Callable[[int], bool]
) -> Traceable:
    """`is_option` tells whether a value reads one, `is_followed` whether the call at a position is known."""
    first = routine.parameters
    found = set(range(first))
    for position, each in enumerate(routine.instructions):
        value = first + position
        if (
            each.kind in (Kind.LOCAL, Kind.PHI, Kind.LOAD)
            or is_option(value)
            or (each.kind is Kind.COMPUTE and each.shape.partition(" ")[0] in KNOWN)
            or (each.kind is Kind.CALL and is_followed(position))
        ):
            found.add(value)
    for each in routine.instructions:
        if each.kind is Kind.LOAD:
            continue
        found.difference_update(
            n
            for n in (each.operands[1:] if each.kind is Kind.STORE else each.operands)
            if _is_local(routine, n)
        )
    changed = True
    while changed:
        changed = False
        for position, each in enumerate(routine.instructions):
            value = first + position
            if each.kind is Kind.STORE:
                target, stored = each.operands
                if target in found and _is_local(routine, target) and stored >= 0 and stored not in found:
                    found.discard(target)
                    changed = True
            elif value in found and not is_option(value):
                if each.kind is Kind.LOAD:
                    gone = each.operands[0] not in found or not _is_local(routine, each.operands[0])
                elif each.kind in (Kind.COMPUTE, Kind.PHI):
                    gone = any(n >= 0 and n not in found for n in each.operands)
                else:
                    gone = False
                if gone:
                    found.discard(value)
                    changed = True
    steps = []
    for start, end in routine.blocks:
        here = []
        for position in range(start, end):
            each = routine.instructions[position]
            if each.kind is Kind.STORE:
                matters = each.operands[0] in found
            elif each.kind is Kind.CALL:
                matters = is_followed(position)
            elif each.kind is Kind.RETURN:
                matters = bool(each.operands)
            else:
                matters = each.kind is not Kind.LOCAL and first + position in found
            if matters:
                here.append(position)
        steps.append(tuple(here))
    return Traceable(frozenset(found), tuple(steps))


def _is_local(routine: Routine, value: int) -> bool:
    position = value - routine.parameters
    return position >= 0 and routine.instructions[position].kind is Kind.LOCAL
