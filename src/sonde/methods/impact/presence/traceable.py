"""Which values of a routine can be known from constants, options and calls: the rest is left alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from sonde.core.code import Kind, Routine
from sonde.methods.impact.constants import is_folded

RUNNING = ("add ", "sub ", "mul ", "shl ", "lshr ", "ashr ", "udiv ", "sdiv ", "urem ", "srem ")
LOCAL, LOAD, STORE, COMPUTE = Kind.LOCAL, Kind.LOAD, Kind.STORE, Kind.COMPUTE
PHI, CALL, RETURN = Kind.PHI, Kind.CALL, Kind.RETURN
BRANCH, SWITCH = Kind.BRANCH, Kind.SWITCH


@dataclass(frozen=True)
class Traceable:
    """What can be known in a routine, and where it is stored, returned and decided by."""

    values: Set[int]  # also the locals that hold nothing else
    stores: Mapping[int, Sequence[int]]  # by local: positions
    returns: Sequence[int]  # positions that give something back
    decisions: Sequence[int]  # positions
    pointers: Sequence[int]  # positions of calls that are followed, through pointers


def find_traceable(routine: Routine, options: Set[int], followed: Set[int]) -> Traceable:
    """`options` are values that read one, `followed` the positions of calls that are known."""
    first = routine.parameters
    own = {first + position for position, each in enumerate(routine.instructions) if each.kind is LOCAL}
    found = {*range(first), *own, *options}
    needs: list[tuple[int, tuple[int, ...]]] = []  # what can be known only if all of these can
    handed_on: set[int] = set()  # locals whose address is used for more than loads and stores of all of them
    sizes: dict[int, int] = {}  # of these accesses
    stores: dict[int, list[int]] = defaultdict(list)
    returns: list[int] = []
    decisions: list[int] = []
    pointers: list[int] = []
    loops = [
        (target, block)
        for block, targets in enumerate(routine.routes)
        for target in targets
        if target <= block
    ]
    for position, each in enumerate(routine.instructions):
        kind = each.kind
        value = first + position
        if (kind is LOAD or kind is STORE) and each.operands[0] in own:
            local = each.operands[0]
            if sizes.setdefault(local, each.size) != each.size or "volatile" in each.shape:
                handed_on.add(local)
        if kind is LOAD:
            if each.operands[0] in own and value not in options:
                found.add(value)
                needs.append((value, each.operands))
            continue
        if kind is STORE:
            target, stored = each.operands
            if stored in own:
                handed_on.add(stored)
            if target in own:
                stores[target].append(position)
                if stored >= 0:
                    needs.append((target, (stored,)))
                    if any(start <= each.block <= end for start, end in loops) and _runs_on(
                        routine, stored, target
                    ):
                        handed_on.add(target)  # it would be known for a few rounds only
            continue
        if kind is BRANCH or kind is SWITCH:
            decisions.append(position)
        elif kind is RETURN and each.operands:
            returns.append(position)
        elif kind is CALL and position in followed and each.operands[0] >= 0:
            pointers.append(position)
        handed_on.update(own.intersection(each.operands))
        if value in options:
            continue
        if kind is PHI or (kind is COMPUTE and is_folded(each.shape)):
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
    return Traceable(found, stores, returns, decisions, pointers)


def _runs_on(routine: Routine, value: int, local: int) -> bool:
    """Whether a value is a sum, product or the like of what lies in a local, and so another one each time."""
    first, instructions = routine.parameters, routine.instructions
    is_running, is_own = False, False
    waiting = [value]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if one < first or one in seen:
            continue
        seen.add(one)
        each = instructions[one - first]
        if each.kind is COMPUTE:
            is_running = is_running or each.shape.startswith(RUNNING)
            waiting += each.operands
        elif each.kind is LOAD and each.operands[0] == local:
            is_own = True
    return is_running and is_own
