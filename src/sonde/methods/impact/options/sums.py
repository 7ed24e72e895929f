"""What is counted or summed up: a store that is repeated, and gets what it stored before.

That is work, and no setting: what comes of it depends on how often there was something to count.
"""

from __future__ import annotations

from collections.abc import Container

from sonde.core.code import Kind, Routine
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.points_to.cycles import components_in_order

MAIN = "main"


def repeated_blocks(code: Routine) -> frozenset[int]:
    """The blocks of a routine that lie in a loop of it."""
    after = code.routes
    return frozenset(
        block
        for component in components_in_order(len(after), after)
        for block in component
        if len(component) > 1 or block in after[block]
    )


def comes_back(flow: Flow, routine: int, position: int) -> bool:
    """Whether what a STORE stores may be computed from what it stored itself before, in its routine.

    Variables that others know of as well have no order: what is stored there may always come back.
    """
    code = flow.program.routines[routine]
    first = flow.value(routine, code.parameters)
    last = first + len(code.instructions)
    store = first + position
    rows = flow.plain.rows(flow.nodes)
    seen: set[int] = set()
    waiting = [store]
    while waiting:
        node = waiting.pop()
        for other in rows.of(node):
            if other == store or (node == store and other >= flow.numbering.first_cell):
                return True
            if first <= other < last and other not in seen:
                seen.add(other)
                waiting.append(other)
    return False


def is_one_of_several(flow: Flow, routine: int, position: int) -> bool:
    """Whether what a STORE stores is read where something else may lie as well.

    `if (fast) n = width;` is such a choice; `if (fast) { k = width / 2; work (k); }` is none: whoever reads
    `k` finds that.
    """
    code = flow.program.routines[routine]
    first = flow.value(routine, code.parameters)
    last = first + len(code.instructions)
    store = first + position
    back = flow.plain.back(flow.nodes)
    for node in flow.plain.rows(flow.nodes).of(store):
        if node >= flow.numbering.first_cell:
            return True
        if first <= node < last and any(
            other != store and (other >= flow.numbering.first_cell or _is_store(code, other - first))
            for other in back.of(node)
        ):
            return True
    return False


def _is_store(code: Routine, position: int) -> bool:
    return 0 <= position < len(code.instructions) and code.instructions[position].kind is Kind.STORE


def is_counter(flow: Flow, node: int, routines: Container[int]) -> bool:
    """Whether something that is set is a variable of one of these routines that counts or sums up there.

    That it starts from some value is part of the work, and sets nothing.
    """
    where = flow.where(node)
    if where.kind != "value" or where.routine not in routines:
        return False
    code = flow.program.routines[where.routine]
    position = where.index - code.parameters
    if position < 0 or code.instructions[position].kind is not Kind.STORE or code.name == MAIN:
        return False
    address = code.instructions[position].operands[0]
    adding = [
        number
        for number, each in enumerate(code.instructions)
        if each.kind is Kind.STORE
        and each.operands[0] == address
        and _adds_to(code, each.operands[1], address)
    ]
    if not adding:
        return False
    repeated = repeated_blocks(code)
    return any(
        code.instructions[each].block in repeated and comes_back(flow, where.routine, each) for each in adding
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
