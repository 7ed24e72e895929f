"""Where main gives up: what stands there is no work."""

from __future__ import annotations

from collections.abc import Set

from sonde.core.code import Kind, Routine
from sonde.methods.impact.constants import is_failure, number_of


def failing_ends(code: Routine, busy: Set[int]) -> frozenset[int]:
    """Blocks of main that do nothing but report and return a failure: `return 2;` is as good as `exit (2);`.

    `busy` blocks call routines of the program, so they do more.
    """
    ends = [
        (block, code.instructions[end - 1])
        for block, (start, end) in enumerate(code.blocks)
        if end > start and code.instructions[end - 1].kind is Kind.RETURN
    ]
    if len(ends) != 1 or not ends[0][1].operands:
        return frozenset()
    end, last = ends[0]
    loaded = last.operands[0] - code.parameters
    if loaded < 0 or code.instructions[loaded].kind is not Kind.LOAD:
        return frozenset()
    result = code.instructions[loaded].operands[0]
    after = code.routes
    failing: set[int] = set()
    changed = True
    while changed:
        changed = False
        for block, (start, stop) in enumerate(code.blocks):
            if block in failing or block in busy or block == end:
                continue
            targets = after[block]
            stores = [
                each.operands[1]
                for each in code.instructions[start:stop]
                if each.kind is Kind.STORE and each.operands[0] == result
            ]
            fails = (
                bool(stores)
                and is_failure(number_of(code, stores[-1]))
                and all(each == end for each in targets)
            )
            if targets and (fails or all(each in failing for each in targets)):
                failing.add(block)
                changed = True
    return frozenset(failing) if 0 not in failing else frozenset()
