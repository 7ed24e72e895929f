"""Flags that nothing sets: decisions by them go one way only."""

from __future__ import annotations

from collections.abc import Iterator

from sonde.core.code import Constant, Kind
from sonde.methods.impact.calls import constant_number
from sonde.methods.impact.memory_contents import Contents
from sonde.methods.impact.option_evaluation import compute
from sonde.methods.impact.reachable import Cut


def silent_cuts(contents: Contents) -> Iterator[Cut]:
    """What is never chosen, as a flag always holds the same number."""
    known: dict[tuple[int, ...], int | None] = {}
    for routine, blocks in contents.executed.items():
        code = contents.flow.program.routines[routine]
        for block in sorted(blocks):
            start, end = code.blocks[block]
            last = code.instructions[end - 1] if end > start else None
            if last is not None and last.kind is Kind.BRANCH and len(set(last.targets)) == 2:
                value = _worth(contents, routine, last.operands[0], known)
                if value is not None:
                    yield routine, block, 1 if value else 0


def _worth(
    contents: Contents, routine: int, operand: int, known: dict[tuple[int, ...], int | None]
) -> int | None:
    flow = contents.flow
    code = flow.program.routines[routine]
    if operand < 0:
        outside = code.outside[~operand]
        return constant_number(outside.text) if isinstance(outside, Constant) else None
    if operand < code.parameters:
        return None
    each = code.instructions[operand - code.parameters]
    if each.kind is Kind.LOAD:
        cells = tuple(flow.memory.pointees(routine, each.operands[0]))
        if not cells:
            return None
        if cells not in known:
            known[cells] = contents.constant(cells)
        return known[cells]
    if each.kind is not Kind.COMPUTE:
        return None
    operands = [_worth(contents, routine, n, known) for n in each.operands]
    numbers = [n for n in operands if n is not None]
    return compute(each.shape, numbers) if len(numbers) == len(operands) else None
