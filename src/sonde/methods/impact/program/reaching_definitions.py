"""Which stores to a local variable a load of it may see, where the variable is the routine's own affair.

A local is that if its address is used for nothing but loads and stores, of itself or of its fields. Its bytes
are split into *variables*: ranges that loads and stores use together. A store that covers the whole variable
replaces what was there (a strong update); one to an element of an array, or to a piece, does not. A local in
which a walk comes to more than one element's bytes is one variable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sonde.core.code import OPEN, Instruction, Kind, Routine
from sonde.methods.impact.program.element_walks import EVERYTHING, ElementWalk, View, follow

LOCAL, LOAD, STORE, FIELD = Kind.LOCAL, Kind.LOAD, Kind.STORE, Kind.FIELD


class Access(NamedTuple):
    """A LOAD or STORE of a local, by its position."""

    position: int
    local: int  # value
    offset: int
    size: int
    is_whole: bool  # not an element of an array
    is_store: bool


@dataclass(frozen=True)
class ReachingDefinitions:
    """What loads and stores of a routine's own locals have to do with each other."""

    reaching: Mapping[int, tuple[int, ...]]  # for each LOAD of such a local: the STOREs, by position
    stores: frozenset[int]  # the STOREs to such locals, by position


def find_definitions(routine: Routine, routes: Sequence[Sequence[int]]) -> ReachingDefinitions:
    """The stores that reach each load of the locals whose address stays in the routine's own hands."""
    accesses = own_accesses(routine)
    stores = frozenset(each.position for each in accesses if each.is_store)
    reaching: dict[int, tuple[int, ...]] = {}
    contested: list[tuple[list[Access], bool]] = []
    for group in _variables(accesses):
        written = [each.position for each in group if each.is_store]
        if len(written) <= 1:
            # The only store is seen by all: who reads before it reads nothing that is defined.
            reaching.update((each.position, tuple(written)) for each in group if not each.is_store)
        else:
            contested.append(_with_strength(group))
    if contested:
        reaching.update(_flow(routine, routes, contested))
    return ReachingDefinitions(reaching, stores)


def own_accesses(routine: Routine) -> list[Access]:
    """Loads and stores of the locals whose address is used for nothing else."""
    first = routine.parameters
    where: dict[int, tuple[int, int, bool, View]] = {}  # addresses inside of locals: local, offset, whole
    walks: dict[int, set[ElementWalk]] = {}
    escaped: set[int] = set()
    early: set[int] = set()  # used in the text before they are made
    accesses: list[Access] = []
    for position, instruction in enumerate(routine.instructions):
        kind = instruction.kind
        if kind is LOCAL:
            where[first + position] = (first + position, 0, True, EVERYTHING)
            continue
        for place, operand in enumerate(instruction.operands):
            if operand not in where:
                if operand > first + position:
                    early.add(operand)
                continue
            local, offset, is_whole, view = where[operand]
            if place == 0 and (kind is LOAD or kind is STORE):
                size = instruction.size or 1
                accesses.append(Access(position, local, offset, size, is_whole, kind is STORE))
            elif place == 0 and kind is FIELD:
                view, found = follow(offset, view, instruction.offset, instruction.steps)
                is_plain = bool(instruction.type) and len(instruction.operands) == 1 and not found
                walks.setdefault(local, set()).update(found)
                where[first + position] = (local, offset + instruction.offset, is_whole and is_plain, view)
            elif not _is_mark(routine, instruction):
                escaped.add(local)
    escaped.update(where[each][0] for each in early if each in where)
    left = {
        each.local
        for each in accesses
        if any(walk.leaves_at(each.offset) for walk in walks.get(each.local, ()))
    }
    return [
        each._replace(offset=0, size=OPEN, is_whole=False) if each.local in left else each
        for each in accesses
        if each.local not in escaped
    ]


def _is_mark(routine: Routine, instruction: Instruction) -> bool:
    """Whether a call only tells the compiler how long a local lives."""
    if instruction.kind is not Kind.CALL or instruction.operands[0] >= 0:
        return False
    name = getattr(routine.outside[~instruction.operands[0]], "name", "")
    return name.startswith(("llvm.lifetime.", "llvm.dbg.", "llvm.invariant."))


def _variables(accesses: list[Access]) -> list[list[Access]]:
    """Accesses grouped so that those of different groups share no byte; in an array all elements are one."""
    groups: list[list[Access]] = []
    ordered = sorted(accesses, key=lambda each: (each.local, each.offset, each.position))
    local, end = -1, 0
    for each in ordered:
        if each.local != local or each.offset >= end:
            groups.append([])
            local, end = each.local, each.offset
        groups[-1].append(each)
        end = max(end, each.offset + each.size)
    return groups


def _with_strength(group: list[Access]) -> tuple[list[Access], bool]:
    """A variable, and whether each of its stores replaces all of it."""
    ranges = {(each.offset, each.size) for each in group}
    return group, len(ranges) == 1 and all(each.is_whole for each in group)


def _flow(
    routine: Routine, routes: Sequence[Sequence[int]], contested: list[tuple[list[Access], bool]]
) -> dict[int, tuple[int, ...]]:
    """Reaching definitions as sets of bits: one bit a store, numbered a variable after the other."""
    bits: list[int] = []  # positions
    masks: list[int] = []  # of each variable: all of its stores
    steps: dict[int, list[tuple[int, int, int, int]]] = {}  # by block: position, variable, bit or 0, kept
    for number, (group, is_strong) in enumerate(contested):
        start = len(bits)
        bits.extend(sorted(each.position for each in group if each.is_store))
        mask = ((1 << (len(bits) - start)) - 1) << start
        masks.append(mask)
        bit_of = {position: 1 << (start + n) for n, position in enumerate(bits[start:])}
        for each in group:
            bit = bit_of[each.position] if each.is_store else 0
            kept = ~mask if is_strong else -1
            block = routine.instructions[each.position].block
            steps.setdefault(block, []).append((each.position, number, bit, kept))
    for block_steps in steps.values():
        block_steps.sort()
    incoming = _incoming(routes, steps)
    reaching: dict[int, tuple[int, ...]] = {}
    for block, block_steps in steps.items():
        state = incoming[block]
        for position, number, bit, kept in block_steps:
            if bit:
                state = (state & kept) | bit
            else:
                reaching[position] = _positions(state & masks[number], bits)
    return reaching


def _incoming(
    routes: Sequence[Sequence[int]], steps: Mapping[int, list[tuple[int, int, int, int]]]
) -> list[int]:
    """The definitions that hold at the start of each block."""
    made = [0] * len(routes)
    kept_by = [-1] * len(routes)
    for block, block_steps in steps.items():
        for _, _, bit, kept in block_steps:
            if bit:
                made[block] = (made[block] & kept) | bit
                kept_by[block] &= kept
    incoming = [0] * len(routes)
    waiting = dict.fromkeys(block for block in range(len(routes)) if made[block])
    while waiting:
        block = next(iter(waiting))
        del waiting[block]
        leaving = (incoming[block] & kept_by[block]) | made[block]
        for each in routes[block]:
            joined = incoming[each] | leaving
            if joined != incoming[each]:
                incoming[each] = joined
                waiting[each] = None
    return incoming


def _positions(state: int, bits: list[int]) -> tuple[int, ...]:
    found = []
    while state:
        low = state & -state
        found.append(bits[low.bit_length() - 1])
        state ^= low
    return tuple(found)
