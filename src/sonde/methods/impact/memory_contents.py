"""What lies in memory: the numbers that are stored there, or where it is copied from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sonde.core.code import Address, Constant, Kind
from sonde.methods.impact.calls import constant_number
from sonde.methods.impact.flow import Flow
from sonde.methods.impact.handed_numbers import HandedNumbers
from sonde.methods.impact.memory import ObjectKind
from sonde.methods.impact.value_sources import stripped

SOMETHING = 1  # stands for an address: all that is asked is whether there is one
MOST_CELLS = 64


class Write(NamedTuple):
    """A number that is stored, and where: at an instruction."""

    routine: int
    position: int
    block: int
    number: int
    is_whole: bool  # nothing of what was there is left
    is_sure: bool = True  # it is stored wherever the block is executed


class UnknownContent(Exception):
    """Something else than a number may lie there."""


@dataclass(frozen=True)
class Contents:
    """Answers for one program of which some blocks are executed."""

    flow: Flow
    executed: Mapping[int, Set[int]]

    def constant(self, cells: Iterable[int]) -> int | None:
        """The number that always lies in each of these cells; None if there is no such number."""
        try:
            first, writes = self.written(cells)
        except UnknownContent:
            return None
        numbers = {*first, *(each.number for each in writes)}
        return numbers.pop() if len(numbers) == 1 else None

    def written(self, cells: Iterable[int], same: Set[int] = frozenset()) -> tuple[set[int], list[Write]]:
        """What lies there at first, and what is stored there; also what lies where it is copied from.

        Values of the nodes `same` are known to be nothing else. Raises UnknownContent.
        """
        first: set[int] = set()
        writes: dict[Write, None] = {}
        known: set[int] = set()
        waiting = set(cells)
        only = len(waiting) == 1
        while waiting:
            known |= waiting
            if len(known) > MOST_CELLS:
                raise UnknownContent
            origins: set[int] = set()
            for cell in waiting:
                first.add(self._first_number(cell))
                for routine, position in self.writers(cell):
                    found = self._given(cell, routine, position, same)
                    if isinstance(found, list):
                        writes.update(dict.fromkeys(found))
                    elif isinstance(found, int):
                        each = self.flow.program.routines[routine].instructions[position]
                        is_whole = only and self._points_to(routine, each.operands[0]) == [cell]
                        writes[Write(routine, position, each.block, found, is_whole)] = None
                    else:
                        origins |= found
            waiting = origins - known
        return first, list(writes)

    def _points_to(self, routine: int, operand: int) -> list[int]:
        return list(self.flow.memory.pointees(routine, operand))

    def _first_number(self, cell: int) -> int:
        memory, program = self.flow.memory, self.flow.program
        thing = memory.objects[memory.cells[cell].object]
        if thing.kind in (ObjectKind.EXTERNAL, ObjectKind.ROUTINE):
            raise UnknownContent
        if thing.kind is not ObjectKind.GLOBAL:
            return 0
        offset = memory.cells[cell].offset
        parts = [
            each
            for each in program.globals[thing.position].parts
            if each.offset == offset or memory.cells[cell].object in memory.blurred
        ]
        if not parts:
            return 0
        if len(parts) > 1 or (parts[0].address is None and parts[0].number is None):
            raise UnknownContent
        number = parts[0].number
        return SOMETHING if number is None else number

    def writers(self, cell: int) -> Iterator[tuple[int, int]]:
        """What writes to a cell: routines and positions of STOREs and CALLs that are executed.

        Raises UnknownContent.
        """
        flow, program = self.flow, self.flow.program
        if cell in self._stores_to_many:
            raise UnknownContent
        found = dict.fromkeys(self._stores.get(cell, ()))
        plain, special = flow.plain.back(flow.nodes), flow.special.back(flow.nodes)
        waiting = [flow.cell(cell), *self._moments.get(cell, ())]
        seen = set(waiting)
        while waiting:
            current = waiting.pop()
            for node in (*plain.of(current), *special.of(current)):
                where = flow.where(node)
                if where.kind == "cells" or (where.kind == "cell" and where.index == cell):
                    if node not in seen:
                        seen.add(node)
                        waiting.append(node)
                elif where.kind == "value":
                    found[where.routine, where.index - program.routines[where.routine].parameters] = None
                elif where.kind != "block":
                    raise UnknownContent
        for routine, position in found:
            if position < 0:
                raise UnknownContent
            block = program.routines[routine].instructions[position].block
            if block in self.executed.get(routine, ()):
                yield routine, position

    @cached_property
    def _moments(self) -> dict[int, list[int]]:
        """By cell: further nodes that stand for it, at certain moments."""
        found: dict[int, list[int]] = {}
        first = self.flow.numbering.first_set
        for number, where in enumerate(self.flow.sets):
            if where.kind == "cell":
                found.setdefault(where.index, []).append(first + number)
        return found

    @cached_property
    def _all_stores(self) -> tuple[dict[int, list[tuple[int, int]]], set[int]]:
        memory = self.flow.memory
        found: dict[int, list[tuple[int, int]]] = {}
        wide: dict[int, Sequence[int]] = {}
        for routine, blocks in self.executed.items():
            code = self.flow.program.routines[routine]
            for position in code.stores:
                each = code.instructions[position]
                if each.block in blocks:
                    cells = memory.pointees(routine, each.operands[0])
                    if len(cells) > MOST_CELLS:
                        wide[id(cells)] = cells  # many stores share their cells
                    else:
                        for cell in cells:
                            found.setdefault(cell, []).append((routine, position))
        return found, set[int]().union(*wide.values())

    @property
    def _stores(self) -> dict[int, list[tuple[int, int]]]:
        return self._all_stores[0]

    @property
    def _stores_to_many(self) -> set[int]:
        return self._all_stores[1]

    def _given(
        self, cell: int, routine: int, position: int, same: Set[int]
    ) -> int | frozenset[int] | list[Write]:
        """The number that an instruction puts into a cell, the cells that it comes from, or the calls."""
        each = self.flow.program.routines[routine].instructions[position]
        if each.kind is Kind.STORE:
            pointees = self._points_to(routine, each.operands[0])
            if cell not in pointees:
                raise UnknownContent  # a part of something longer
            memory = self.flow.memory
            object = memory.cells[cell].object
            if object in memory.blurred and any(
                memory.cells[other].object == object for other in pointees if other != cell
            ):
                raise UnknownContent  # perhaps a part of what lies there
            handed = self._handed(cell, routine, position)
            return self.worth(routine, each.operands[1], same) if handed is None else handed
        if each.kind is not Kind.CALL:
            raise UnknownContent
        pairs = self.flow.memory.copied(routine, position)
        origins = frozenset(source for source, target in pairs if target == cell)
        if origins:
            return origins
        names = [
            name for call in self.flow.calls[routine] if call.position == position for name in call.externals
        ]
        if len(each.operands) > 2 and names and all("memset" in name for name in names):
            found = self.worth(routine, each.operands[2], same)
            if found == 0:
                return 0
        raise UnknownContent

    def _handed(self, cell: int, routine: int, position: int) -> list[Write] | None:
        """What callers let a STORE put into a cell, if they hand numbers over."""
        handed, routines = self._handed_numbers, self.flow.program.routines
        parameter = handed.parameter(routine, routines[routine].instructions[position].operands[1])
        calls = None if parameter is None else handed.of(routine, parameter)
        if calls is None:
            return None
        is_kept = handed.is_kept_either_way(routine, position, cell)
        return [
            Write(
                each.routine,
                each.position,
                routines[each.routine].instructions[each.position].block,
                each.number,
                is_whole=False,
                is_sure=is_kept and each.is_sure,
            )
            for each in calls
        ]

    @cached_property
    def _handed_numbers(self) -> HandedNumbers:
        return HandedNumbers(self.flow, self.executed)

    def worth(self, routine: int, operand: int, same: Set[int]) -> int | frozenset[int]:
        """The number that a value is, or the cells that it is loaded from."""
        code = self.flow.program.routines[routine]
        operand = stripped(code, operand)
        if operand < 0:
            outside = code.outside[~operand]
            if isinstance(outside, Address):
                return SOMETHING
            number = constant_number(outside.text) if isinstance(outside, Constant) else None
            if number is None:
                raise UnknownContent
            return number
        if self.flow.value(routine, operand) in same:
            return frozenset()
        position = operand - code.parameters
        if position < 0 or code.instructions[position].kind is not Kind.LOAD:
            raise UnknownContent
        cells = frozenset(self._points_to(routine, code.instructions[position].operands[0]))
        if not cells:
            raise UnknownContent
        return cells
