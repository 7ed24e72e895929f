"""Routines of a module."""

from __future__ import annotations

from sonde.core.code import NOWHERE, Kind, Routine
from sonde.formats.llvm_ir.facts import ModuleFacts
from sonde.formats.llvm_ir.headers import RoutineHeader
from sonde.formats.llvm_ir.instructions.bodies import RoutineBody
from sonde.formats.llvm_ir.instructions.byte_steps import settle_byte_steps
from sonde.formats.llvm_ir.instructions.lines import find_labels, lines_of, read_lines


def read_routine(facts: ModuleFacts, header: RoutineHeader, text: str) -> Routine:
    """The routine with this header and body."""
    lines = lines_of(text)
    body = RoutineBody(facts, header.parameters)
    find_labels(body, lines)
    blocks = read_lines(body, lines)
    if body.met_unknown:
        body = RoutineBody(facts, header.parameters, body)
        blocks = read_lines(body, lines)
    _name_parameters(body)
    settle_byte_steps(body)
    note = facts.metadata.note(header.note)
    return Routine(
        name=facts.constants.name(header.token),
        is_internal=header.is_internal,
        parameters=len(header.parameters),
        is_variadic=header.is_variadic,
        instructions=tuple(body.instructions),
        blocks=tuple(blocks),
        outside=tuple(body.outside),
        variables=body.variables,
        place=facts.places.of_note(note) if header.note else NOWHERE,
        shown=facts.structures.qualified(note) if header.note else "",
        is_weak=header.is_weak,
        parameter_types=tuple(facts.type(each)[0] for each in header.types),
    )


def _name_parameters(body: RoutineBody) -> None:
    """A parameter that is stored in a variable right away is that variable."""
    for instruction in body.instructions:
        if instruction.kind is Kind.STORE:
            address, value = instruction.operands
            if 0 <= value < body.parameters and value not in body.variables and address in body.variables:
                body.variables[value] = body.variables[address]
                body.types[value] = body.types[address]
        elif instruction.block:
            break
