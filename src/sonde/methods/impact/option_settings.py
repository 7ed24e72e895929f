"""What decisions set: constants that are stored, chosen or handed over where they lead.

A flag, a size or a function that depends on an option is as good as the option. What is computed from data
there depends on the data as well; if that were followed, everything would depend on every option.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Set
from typing import NamedTuple

from sonde.core.code import Constant, Instruction, Kind, Routine
from sonde.methods.impact.calls import constant_number
from sonde.methods.impact.flow import Flow

MOST_OF_A_SETTER = 40  # instructions of a routine that is looked into, though others call it, too
COPIES = ("memcpy", "memmove", "memset")
MAIN = "main"
FLAGS = frozenset({0, 1})
PHI, STORE = Kind.PHI, Kind.STORE


class Setting(NamedTuple):
    """An instruction that sets something."""

    node: int
    block: int
    chosen_after: tuple[int, ...]  # of a PHI: the blocks after which it is a constant
    number: int | None  # that is set, if known


def find_settings(
    flow: Flow, routine: int, own: int, region: Set[int], known: dict[int, tuple[Setting, ...]]
) -> dict[int, int | None]:
    """The nodes of what is set in a region, as the end of the block `own` decides; with numbers if known.

    What routines set anywhere is kept in `known`.
    """
    found: dict[int, int | None] = {}
    entered = {routine}
    waiting: list[tuple[int, Set[int], int]] = [(routine, region, own)]
    while waiting:
        number, blocks, decider = waiting.pop()
        if number not in known:
            known[number] = tuple(_settings_of(flow, number))
        found.update(_set_within(known[number], blocks, decider))
        code = flow.program.routines[number]
        for call in flow.calls[number]:
            if call.block not in blocks or call.block == decider:
                continue
            for place, operand in enumerate(code.instructions[call.position].operands[1:]):
                node = flow.argument(number, call.position, place) if operand < 0 else None
                if node is not None:
                    found[node] = _number(code, operand)
            for callee in call.callees:
                inner = flow.program.routines[callee]
                is_small = len(inner.instructions) <= MOST_OF_A_SETTER
                if callee not in entered and (is_small or len(flow.callers(callee)) == 1):
                    entered.add(callee)
                    waiting.append((callee, frozenset(range(len(inner.blocks))), -1))
    return found


def _set_within(
    settings: Iterable[Setting], blocks: Set[int], decider: int
) -> Iterator[tuple[int, int | None]]:
    for node, block, chosen_after, number in settings:
        if chosen_after:
            if decider in chosen_after or not blocks.isdisjoint(chosen_after):
                yield node, None
        elif block in blocks and block != decider:
            yield node, number


def _settings_of(flow: Flow, routine: int) -> Iterator[Setting]:
    """What a routine sets anywhere, in order."""
    code = flow.program.routines[routine]
    first = flow.value(routine, code.parameters)
    copies = {
        call.position
        for call in flow.calls[routine]
        if any(name.removeprefix("llvm.").startswith(COPIES) for name in call.externals)
    }
    for position, each in enumerate(code.instructions):
        kind = each.kind
        if kind is PHI:
            after = tuple(
                block for operand, block in zip(each.operands, each.targets, strict=True) if operand < 0
            )
            if after:
                yield Setting(first + position, each.block, after, None)
        elif kind is STORE:
            if _is_setting(code, each.operands[1]):
                yield Setting(first + position, each.block, (), _number(code, each.operands[1]))
        elif position in copies and each.operands[2] < 0:
            yield Setting(first + position, each.block, (), None)


def _is_setting(code: Routine, operand: int) -> bool:
    """Whether it is a constant, or a variable some bits of which are set."""
    if operand < 0:
        return True
    position = operand - code.parameters
    each: Instruction | None = code.instructions[position] if position >= 0 else None
    if each is None or each.kind is not Kind.COMPUTE:
        return False
    operation = each.shape.partition(" ")[0]
    if operation in ("zext", "sext", "trunc"):
        return _is_setting(code, each.operands[0])
    return operation in ("or", "and", "xor", "select") and any(n < 0 for n in each.operands)


def is_counter(flow: Flow, node: int, routines: Container[int]) -> bool:
    """Whether something that is set is a variable of one of these routines that counts or sums up there.

    That it starts from a constant is part of the work, and sets nothing.
    """
    where = flow.where(node)
    if where.kind != "value" or where.routine not in routines:
        return False
    code = flow.program.routines[where.routine]
    position = where.index - code.parameters
    if position < 0 or code.instructions[position].kind is not Kind.STORE or code.name == MAIN:
        return False
    address = code.instructions[position].operands[0]
    return any(
        each.kind is Kind.STORE and each.operands[0] == address and _adds_to(code, each.operands[1], address)
        for each in code.instructions
    )


def _adds_to(code: Routine, operand: int, address: int) -> bool:
    """Whether a value is computed from what lies at an address."""
    waiting = [operand]
    while waiting:
        position = waiting.pop() - code.parameters
        if position < 0:
            continue
        each = code.instructions[position]
        if each.kind is Kind.LOAD and each.operands[0] == address:
            return True
        if each.kind in (Kind.COMPUTE, Kind.FIELD):
            waiting += each.operands
    return False


def _number(code: Routine, operand: int) -> int | None:
    outside = code.outside[~operand] if operand < 0 else None
    return constant_number(outside.text) if isinstance(outside, Constant) else None
