"""Pointers that are copied piece by piece: byte by byte, as a memcpy of the program's own does it."""

from __future__ import annotations

from sonde.core.code import Instruction, Kind, Routine

POINTER_BYTES = 8


def find_pieces(routine: Routine) -> frozenset[int]:
    """The LOADs and STOREs, by their values, that may read and write pieces of pointers.

    That is: what is smaller than a pointer, read through one, and stored as it is; variables may lie between.
    """
    first = routine.parameters
    small = {
        first + position: each
        for position, each in enumerate(routine.instructions)
        if (each.kind is Kind.LOAD or each.kind is Kind.STORE) and 0 < each.size < POINTER_BYTES
    }
    found = {
        value
        for value, each in small.items()
        if each.kind is Kind.LOAD and _is_through_a_pointer(routine, each.operands[0])
    }
    variables: set[int] = set()
    while True:
        stores = {
            value for value, each in small.items() if each.kind is Kind.STORE and each.operands[1] in found
        }
        variables |= {address for value in stores if _is_local(routine, address := small[value].operands[0])}
        further = {
            value
            for value, each in small.items()
            if each.kind is Kind.LOAD and each.operands[0] in variables and value not in found
        }
        if not further:
            used = {small[value].operands[1] for value in stores}
            return frozenset(stores | (found & used))
        found |= further


def _is_through_a_pointer(routine: Routine, address: int) -> bool:
    """Whether an address is none of a variable or of a field, but may be that of any byte."""
    if address < routine.parameters:
        return address >= 0
    each: Instruction = routine.instructions[address - routine.parameters]
    if each.kind is Kind.FIELD:
        return any(step.stride for step in each.steps)
    return each.kind is not Kind.LOCAL


def _is_local(routine: Routine, address: int) -> bool:
    return address >= routine.parameters and (
        routine.instructions[address - routine.parameters].kind is Kind.LOCAL
    )
