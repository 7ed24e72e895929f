"""Where bits of a variable are taken out of it by constant masks, and by nothing else: `flags & FLAG_X`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from sonde.core.code import Kind, Routine
from sonde.methods.impact.constants import (
    UNKNOWN,
    Conversions,
    Unknown,
    bits_asked,
    is_conversion,
    number_of,
)
from sonde.methods.impact.flow.building import Flow

CHANGES = ("and", "or", "xor")


def find_masks(flow: Flow, reads: Iterable[int]) -> Mapping[int, int] | None:
    """The nodes that hold some bits of what these nodes read, with their masks; None if it is used otherwise.

    What is masked, or joined with a constant, to be stored back is no use.
    """
    loads: dict[tuple[int, int], None] = {}
    cells: set[int] = set()
    waiting = list(reads)
    seen = set(waiting)
    while waiting:
        node = waiting.pop()
        where = flow.where(node)
        if where.kind == "value":
            loads[where.routine, where.index] = None
            waiting += [each for each in _read_by(flow, node) if each not in seen]
            seen.update(_read_by(flow, node))
            continue
        if where.kind not in ("cell", "cells"):
            return None
        if where.kind == "cell":
            cells.add(where.index)
        for other, _, _ in flow.successors(node):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    found: dict[int, int] = {}
    users: dict[int, dict[int, list[int]]] = {}
    for routine, value in loads:
        code = flow.program.routines[routine]
        if routine not in users:
            users[routine] = _users(code)
        position = value - code.parameters
        if position < 0 or code.instructions[position].kind is not Kind.LOAD:
            return None
        masks = _masks(flow, routine, value, users[routine], cells)
        if masks is None:
            return None
        found.update(masks)
    return found


def _read_by(flow: Flow, node: int) -> list[int]:
    """The cells that a LOAD may read, as nodes."""
    where = flow.where(node)
    code = flow.program.routines[where.routine]
    position = where.index - code.parameters
    if position < 0 or code.instructions[position].kind is not Kind.LOAD:
        return []
    return [
        flow.cell(each)
        for each in flow.memory.pointees(where.routine, code.instructions[position].operands[0])
    ]


def _users(code: Routine) -> dict[int, list[int]]:
    """For each value the positions that use it."""
    found: dict[int, list[int]] = {}
    for position, each in enumerate(code.instructions):
        for operand in set(each.operands):
            if operand >= 0:
                found.setdefault(operand, []).append(position)
    return found


def _masks(
    flow: Flow, routine: int, load: int, users: Mapping[int, list[int]], cells: Set[int]
) -> dict[int, int] | None:
    code = flow.program.routines[routine]
    found: dict[int, int] = {}
    waiting: list[tuple[int, Conversions]] = [(load, ())]
    while waiting:
        user, conversions = waiting.pop()
        for position in users.get(user, ()):
            each = code.instructions[position]
            operation = each.shape.partition(" ")[0] if each.kind is Kind.COMPUTE else ""
            value = code.parameters + position
            if operation and is_conversion(each.shape) and not each.shape.endswith("to i1"):
                waiting.append((value, (*conversions, each.shape)))
                continue
            number = number_of(code, each.operands[1]) if len(each.operands) == 2 else UNKNOWN
            if operation not in CHANGES or isinstance(number, Unknown):
                return None
            if _is_stored_back(flow, routine, value, users, cells):
                continue
            if operation != "and":
                return None
            found[flow.value(routine, value)] = bits_asked(conversions, each.shape, number)
    return found


def _is_stored_back(
    flow: Flow, routine: int, value: int, users: Mapping[int, list[int]], cells: Set[int]
) -> bool:
    """Whether a value is changed by constants only, and then stored where it came from."""
    code = flow.program.routines[routine]
    waiting = [value]
    seen: set[int] = set()
    while waiting:
        current = waiting.pop()
        if not users.get(current):
            return False
        for position in users[current]:
            each = code.instructions[position]
            if each.kind is Kind.STORE:
                places = flow.memory.pointees(routine, each.operands[0])
                if each.operands[0] == current or len(places) != 1 or places[0] not in cells:
                    return False
                continue
            operation = each.shape.partition(" ")[0]
            is_changed = operation in CHANGES and any(
                isinstance(number_of(code, n), int) for n in each.operands
            )
            if each.kind is not Kind.COMPUTE or not (is_conversion(each.shape) or is_changed):
                return False
            if position not in seen:
                seen.add(position)
                waiting.append(code.parameters + position)
    return True
