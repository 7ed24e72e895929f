"""Flags that nothing sets: decisions by them go one way only."""

from __future__ import annotations

from collections.abc import Iterator

from sonde.core.code import DECIDING, Kind
from sonde.methods.impact.constants import UNKNOWN, ConstantValue, chosen, evaluate
from sonde.methods.impact.contents.memory import Contents
from sonde.methods.impact.reach.reachable import Cut

Loaded = tuple[tuple[int, ...], int]  # cells, and how many bytes of them


def silent_cuts(contents: Contents) -> Iterator[Cut]:
    """What is never chosen, as a flag always holds the same number."""
    known: dict[Loaded, ConstantValue] = {}
    for routine, blocks in contents.executed.items():
        code = contents.flow.program.routines[routine]
        for block in sorted(blocks):
            start, end = code.blocks[block]
            last = code.instructions[end - 1] if end > start else None
            if last is not None and last.kind in DECIDING and len(set(last.targets)) > 1:
                taken = chosen(last, _worth(contents, routine, last.operands[0], known))
                if isinstance(taken, int):
                    for number, target in enumerate(last.targets):
                        if target != last.targets[taken]:
                            yield routine, block, number


def _worth(
    contents: Contents, routine: int, operand: int, known: dict[Loaded, ConstantValue]
) -> ConstantValue:
    """What a value is, as far as it is computed of what lies in memory in any case."""
    flow = contents.flow
    code = flow.program.routines[routine]

    def loaded(value: int) -> ConstantValue:
        each = code.instructions[value - code.parameters] if value >= code.parameters else None
        if each is None or each.kind is not Kind.LOAD:
            return UNKNOWN
        cells = tuple(flow.memory.pointees(routine, each.operands[0]))
        if not cells:
            return UNKNOWN
        key = cells, each.size
        if key not in known:
            known[key] = contents.constant(*key)
        return known[key]

    return evaluate(code, operand, loaded)
