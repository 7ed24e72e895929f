"""The way through a routine: what is looked at in each block, and what variables are kept for the next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from sonde.core.code import Kind, Routine
from sonde.methods.impact.presence.traceable import Traceable

LOCAL, LOAD, STORE, CALL, PHI = Kind.LOCAL, Kind.LOAD, Kind.STORE, Kind.CALL, Kind.PHI


@dataclass(frozen=True)
class RoutineSteps:
    """What matters in a routine."""

    by_block: Sequence[Sequence[int]]  # positions, in order
    kept: Sequence[Sequence[int]]  # for each block the variables that are read there or later
    users: Mapping[int, Sequence[int]]  # by value: blocks that need it beside its own
    joining: Set[int]  # blocks that ask where control came from


def find_steps(
    routine: Routine,
    after: Sequence[Sequence[int]],
    traceable: Traceable,
    asked: Set[int],
    followed: Iterable[int],
    is_returning: bool,
) -> RoutineSteps:
    """`asked` are values that are worth knowing, `followed` calls that lead on, wherever they are."""
    first, instructions = routine.parameters, routine.instructions
    positions = set(followed)
    variables = []
    for value in asked:
        if value < first:
            continue
        kind = instructions[value - first].kind
        if kind is LOCAL:
            variables.append(value)
            positions.update(traceable.stores.get(value, ()))
        elif kind is not CALL:  # a call that is not followed tells nothing
            positions.add(value - first)
    if is_returning:
        positions.update(traceable.returns)
    by_block: list[list[int]] = [[] for _ in routine.blocks]
    users: dict[int, set[int]] = defaultdict(set)
    joining = set()
    for position in sorted(positions):
        each = instructions[position]
        by_block[each.block].append(position)
        if each.kind is PHI:
            joining.add(each.block)
        _use(routine, position, asked, users)
    for position in traceable.decisions:
        _use(routine, position, asked, users)
    return RoutineSteps(
        by_block,
        _kept(routine, after, by_block, variables),
        {value: sorted(blocks) for value, blocks in users.items()},
        joining,
    )


def _use(routine: Routine, position: int, asked: Set[int], users: dict[int, set[int]]) -> None:
    each = routine.instructions[position]
    if each.kind is LOAD:
        return
    for operand in each.operands[1:] if each.kind is STORE else each.operands:
        if operand in asked:
            made = operand - routine.parameters
            if made < 0 or each.kind is PHI or routine.instructions[made].block != each.block:
                users[operand].add(each.block)


def _kept(
    routine: Routine,
    after: Sequence[Sequence[int]],
    by_block: Sequence[Sequence[int]],
    variables: Sequence[int],
) -> list[tuple[int, ...]]:
    """For each block the variables whose content may still be read; sets of them are numbers."""
    if not variables:
        return [()] * len(after)
    bits = {variable: 1 << n for n, variable in enumerate(variables)}
    read, written = [0] * len(after), [0] * len(after)
    for block, positions in enumerate(by_block):
        for position in positions:
            each = routine.instructions[position]
            if each.kind is LOAD:
                read[block] |= bits[each.operands[0]] & ~written[block]
            elif each.kind is STORE:
                written[block] |= bits[each.operands[0]]
    kept = list(read)
    is_open = True
    while is_open:
        is_open = False
        for block in range(len(after) - 1, -1, -1):
            later = 0
            for target in after[block]:
                later |= kept[target]
            found = kept[block] | (later & ~written[block])
            if found != kept[block]:
                kept[block] = found
                is_open = True
    known: dict[int, tuple[int, ...]] = {}
    for each_set in kept:
        if each_set not in known:
            known[each_set] = tuple(variable for variable, bit in bits.items() if each_set & bit)
    return [known[each_set] for each_set in kept]
