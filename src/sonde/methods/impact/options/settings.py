"""What decisions set: what is stored, chosen or handed over where they lead.

A flag, a size or a function that depends on an option is as good as the option: `if (fast) n = 50;`, and
`if (fast) n *= 2;` as well. What is counted or summed up in loops (`sums`) is work on data; if that
were followed, everything would depend on every option. Nor is anything set that is stored and read again
where the decision leads, and nowhere else. Constants count in both cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from sonde.core.code import Instruction, Kind, Routine
from sonde.methods.impact.constants import UNKNOWN, ConstantNumber, number_of
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.options.idle import IdleStores
from sonde.methods.impact.options.sums import comes_back, is_one_of_several, repeated_blocks

MOST_OF_A_SETTER = 40  # instructions of a routine that is looked into, though others call it, too
COPIES = ("memcpy", "memmove", "memset")
FLAGS = frozenset({0, 1})
PHI, STORE = Kind.PHI, Kind.STORE


class Setting(NamedTuple):
    """An instruction that sets something."""

    node: int
    block: int
    chosen_after: tuple[int, ...]  # of a PHI: the blocks after which it is a constant
    number: ConstantNumber  # that is set, if known


def find_settings(
    flow: Flow, routine: int, own: int, region: Set[int], known: dict[int, tuple[Setting, ...]]
) -> dict[int, ConstantNumber]:
    """The nodes of what is set in a region, as the end of the block `own` decides; with numbers if known.

    What routines set anywhere is kept in `known`.
    """
    found: dict[int, ConstantNumber] = {}
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
                    found[node] = number_of(code, operand)
            for callee in call.callees:
                inner = flow.program.routines[callee]
                is_small = len(inner.instructions) <= MOST_OF_A_SETTER
                if callee not in entered and (is_small or len(flow.callers(callee)) == 1):
                    entered.add(callee)
                    waiting.append((callee, frozenset(range(len(inner.blocks))), -1))
    return found


def _set_within(
    settings: Iterable[Setting], blocks: Set[int], decider: int
) -> Iterator[tuple[int, ConstantNumber]]:
    for node, block, chosen_after, number in settings:
        if chosen_after:
            if decider in chosen_after or not blocks.isdisjoint(chosen_after):
                yield node, UNKNOWN
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
    repeated, idle = repeated_blocks(code), IdleStores(code, flow.definitions[routine])
    for position, each in enumerate(code.instructions):
        kind = each.kind
        if kind is PHI:
            after = tuple(
                block for operand, block in zip(each.operands, each.targets, strict=True) if operand < 0
            )
            if after:
                yield Setting(first + position, each.block, after, UNKNOWN)
        elif kind is STORE:
            if _is_setting(code, each.operands[1]) or (
                (each.block not in repeated or not comes_back(flow, routine, position))
                and is_one_of_several(flow, routine, position)
                and not idle.has(position)
            ):
                yield Setting(first + position, each.block, (), number_of(code, each.operands[1]))
        elif position in copies and each.operands[2] < 0:
            yield Setting(first + position, each.block, (), UNKNOWN)


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
