"""Routines that store what they are given: in variables of the program, or through a pointer."""

from __future__ import annotations

from collections.abc import Iterator

from sonde.core.code import Kind, Routine


def parameter_of(body: Routine, operand: int) -> int | None:
    """The parameter that a value is, also by way of its own variable."""
    position = operand - body.parameters
    seen: set[int] = set()
    while position >= 0 and body.instructions[position].kind in (Kind.COMPUTE, Kind.LOAD):
        if position in seen:
            return None  # a variable that is set by what it was: `flags |= 4;`
        seen.add(position)
        each = body.instructions[position]
        operand = each.operands[0]
        if each.kind is Kind.LOAD:
            stores = [
                n.operands[1] for n in body.instructions if n.kind is Kind.STORE and n.operands[0] == operand
            ]
            if len(stores) != 1:
                return None
            operand = stores[0]
        position = operand - body.parameters
    return operand if 0 <= operand < body.parameters else None


def filled_parameters(body: Routine) -> frozenset[int]:
    """The parameters through which it stores itself: `*type = optarg;`, `list->size++;`."""
    return frozenset(_filled(body))


def _filled(body: Routine) -> Iterator[int]:
    for each in body.instructions:
        if each.kind is not Kind.STORE:
            continue
        address = each.operands[0]
        while address >= body.parameters and body.instructions[address - body.parameters].kind is Kind.FIELD:
            address = body.instructions[address - body.parameters].operands[0]
        is_local = (
            address >= body.parameters and body.instructions[address - body.parameters].kind is Kind.LOCAL
        )
        number = None if is_local or address < 0 else parameter_of(body, address)
        if number is not None:
            yield number
