"""Attributes of objects that variables refer to: `args.level`, where `args` may be any object.

In Python a variable holds a reference, and what has attributes is the object behind it. An option that is
kept in `args.level` is kept in that attribute of every object that a variable `args` may refer to, or that is
made by a class `args`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sonde.core.code import Kind
from sonde.methods.impact.flow.building import Flow

REFERENCE, OBJECT = "reference", "object"  # types of variables


def find_attribute_cells(
    flow: Flow, first: str, fields: Sequence[str], routine: str, is_in_file: Callable[[str], bool]
) -> frozenset[int]:
    """The cells that keep the attribute; `routine` is where the variable is, empty: anywhere."""
    offsets = {each.name: each.offset for unit in flow.program.units for each in unit.types.get(OBJECT, ())}
    if not fields or not all(name in offsets for name in fields):
        return frozenset()
    memory = flow.memory
    objects = set(_objects(flow, first, routine, is_in_file))
    cells: set[int] = set()
    for number, name in enumerate(fields):
        cells = {
            memory.cell_numbers[each, offsets[name]]
            for each in objects
            if (each, offsets[name]) in memory.cell_numbers
        }
        if number < len(fields) - 1:
            objects = {memory.cells[pointee].object for cell in cells for pointee in memory.pointees_in(cell)}
    return frozenset(cells)


def _objects(flow: Flow, first: str, routine: str, is_in_file: Callable[[str], bool]) -> Iterable[int]:
    """The objects that variables of a name refer to."""
    program, memory = flow.program, flow.memory
    for number, each in enumerate(program.globals):
        if routine or each.variable is None or each.variable.name != first or not is_in_file(each.place.file):
            continue
        for cell in memory.cells_of(memory.object_of_global(number)):
            yield from (memory.cells[pointee].object for pointee in memory.pointees_in(cell))
    for number, code in enumerate(program.routines):
        if not is_in_file(code.place.file):
            continue
        if not routine and code.shown.rpartition(".")[0] == first and code.parameters:  # a method of a class
            yield from (memory.cells[pointee].object for pointee in memory.pointees(number, 0))
        if routine and routine not in (code.name, code.shown):
            continue
        for value, variable in code.variables.items():
            if variable.name != first or variable.type != REFERENCE:
                continue
            pointees = memory.pointees(number, value)
            position = value - code.parameters
            if position >= 0 and code.instructions[position].kind is Kind.LOCAL:
                pointees = [other for cell in pointees for other in memory.pointees_in(cell)]
            yield from (memory.cells[each].object for each in pointees)
