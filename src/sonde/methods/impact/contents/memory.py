"""What lies in memory: the numbers that are stored there, or where it is copied from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sonde.core.code import Address, Instruction, Kind
from sonde.methods.impact.constants import (
    SOME_ADDRESS,
    Conversions,
    KnownConstant,
    Unknown,
    as_unsigned,
    converted,
    number_of,
    one_after_another,
    unconverted,
)
from sonde.methods.impact.contents.handed_numbers import HandedNumbers
from sonde.methods.impact.contents.parsed_numbers import ParsedNumbers
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.flow.memory import room_of
from sonde.methods.impact.program.memory import ObjectKind

MOST_CELLS = 64
MOST_CONVERSIONS = 8  # of one value, one after the other


class Origin(NamedTuple):
    """Memory that a value is loaded from."""

    cell: int
    size: int  # bytes that are loaded; 0: not known
    conversions: Conversions  # of what lies there


class Write(NamedTuple):
    """A number or an address that is stored, and where: at an instruction."""

    routine: int
    position: int
    block: int
    number: KnownConstant
    is_whole: bool  # nothing of what was there is left
    is_sure: bool = True  # it is stored wherever the block is executed
    words: tuple[str, ...] = ()  # of the command line, from which the number is read


class UnknownContent(Exception):
    """Something else than a number may lie there."""


@dataclass(frozen=True)
class Contents:
    """Answers for one program of which some blocks are executed."""

    flow: Flow
    executed: Mapping[int, Set[int]]
    parsed: ParsedNumbers | None = None

    def numbers(self, cells: Iterable[int], size: int) -> frozenset[KnownConstant] | None:
        """All that may lie in these cells, of which so many bytes are loaded; None if that is not known."""
        try:
            first, writes = self.written(cells, size=size)
        except UnknownContent:
            return None
        return frozenset({*first, *(each.number for each in writes)})

    def written(
        self, cells: Iterable[int], same: Set[int] = frozenset(), size: int = 0
    ) -> tuple[set[KnownConstant], list[Write]]:
        """What lies there at first, and what is stored there; also what lies where it is copied from.

        Values of the nodes `same` are known to be nothing else. Raises UnknownContent.
        """
        first: set[KnownConstant] = set()
        writes: dict[Write, None] = {}
        known: set[Origin] = set()
        waiting = {Origin(cell, size, ()) for cell in cells}
        only = len(waiting) == 1
        while waiting:
            known |= waiting
            if len(known) > MOST_CELLS:
                raise UnknownContent
            origins: set[Origin] = set()
            for origin in waiting:
                first.add(_told(self._first_number(origin), origin))
                for routine, position in self.writers(origin.cell):
                    found = self._given(origin, routine, position, same)
                    if isinstance(found, list):
                        writes.update(
                            (each._replace(number=_told(each.number, origin)), None) for each in found
                        )
                    elif isinstance(found, frozenset):
                        origins |= found
                    else:
                        each = self.flow.program.routines[routine].instructions[position]
                        is_whole = only and self._points_to(routine, each.operands[0]) == [origin.cell]
                        number = _told(found, origin)
                        writes[Write(routine, position, each.block, number, is_whole)] = None
            waiting = origins - known
        return first, list(writes)

    def _points_to(self, routine: int, operand: int) -> list[int]:
        return list(self.flow.memory.pointees(routine, operand))

    @cached_property
    def _room(self) -> Sequence[int]:
        return room_of(self.flow.memory)

    def _first_number(self, origin: Origin) -> KnownConstant:
        memory, program, cell = self.flow.memory, self.flow.program, origin.cell
        if origin.size > self._room[cell]:
            raise UnknownContent  # of several fields together
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
        return SOME_ADDRESS if number is None else number

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
        self, origin: Origin, routine: int, position: int, same: Set[int]
    ) -> KnownConstant | frozenset[Origin] | list[Write]:
        """What an instruction puts into a cell, where that comes from, or the calls that hand it over."""
        each = self.flow.program.routines[routine].instructions[position]
        cell = origin.cell
        if each.kind is Kind.STORE:
            pointees = self._points_to(routine, each.operands[0])
            if cell not in pointees or (each.size and origin.size and each.size != origin.size):
                raise UnknownContent  # a part of something longer, or of what lies there
            memory = self.flow.memory
            object = memory.cells[cell].object
            if object in memory.blurred and any(
                memory.cells[other].object == object for other in pointees if other != cell
            ):
                raise UnknownContent  # perhaps a part of what lies there
            handed = self._handed(routine, position) or self._read_from_words(routine, position)
            if handed is not None:
                return handed
            return _before(self.worth(routine, each.operands[1], same), origin.conversions)
        if each.kind is not Kind.CALL:
            raise UnknownContent
        pairs = self.flow.memory.copied(routine, position)
        origins = frozenset(
            Origin(source, origin.size, origin.conversions) for source, target in pairs if target == cell
        )
        if origins:
            return origins
        return self._filled(origin, routine, position, same)

    def _filled(self, origin: Origin, routine: int, position: int, same: Set[int]) -> int:
        """The number that `memset` leaves in a cell: each of its bytes is the same."""
        each = self.flow.program.routines[routine].instructions[position]
        names = [
            name for call in self.flow.calls[routine] if call.position == position for name in call.externals
        ]
        if len(each.operands) > 3 and names and all("memset" in name for name in names):
            found = self.worth(routine, each.operands[2], same)
            if (
                isinstance(found, int)
                and not as_unsigned(found, 8)
                and self._is_filled(origin, routine, each)
            ):
                return 0
        raise UnknownContent

    def _is_filled(self, origin: Origin, routine: int, call: Instruction) -> bool:
        """Whether the bytes that a call fills do not end inside of what is loaded."""
        length = number_of(self.flow.program.routines[routine], call.operands[3])
        if isinstance(length, Unknown):
            return True
        cells = self.flow.memory.cells
        object, start = cells[origin.cell].object, cells[origin.cell].offset
        ends = (
            cells[each].offset + length
            for each in self._points_to(routine, call.operands[1])
            if cells[each].object == object
        )
        return not any(start < end < start + origin.size for end in ends)

    def _handed(self, routine: int, position: int) -> list[Write] | None:
        """What callers let a STORE put into a cell, if they hand numbers over."""
        handed, routines = self._handed_numbers, self.flow.program.routines
        found = handed.parameter(routine, routines[routine].instructions[position].operands[1])
        if found is None:
            return None
        calls = handed.of(routine, found.parameter)
        if calls is None:
            return None
        block = routines[routine].instructions[position].block
        is_stored = not self.flow.deciders[routine][block]
        writes = []
        for each in calls:
            number = converted(each.number, found.conversions)
            if isinstance(number, Unknown):
                return None
            block = routines[each.routine].instructions[each.position].block
            is_sure = is_stored and each.is_sure
            writes.append(Write(each.routine, each.position, block, number, is_whole=False, is_sure=is_sure))
        return writes

    def _read_from_words(self, routine: int, position: int) -> list[Write] | None:
        """What a STORE puts into a cell, if that is read from words of the command line."""
        code = self.flow.program.routines[routine]
        store = code.instructions[position]
        operand, conversions = unconverted(code, store.operands[1])
        call = operand - code.parameters
        if self.parsed is None or call < 0 or code.instructions[call].kind is not Kind.CALL:
            return None
        found = []
        for each in self.parsed.at(routine, call) or ():
            number = converted(each.number, conversions)
            if isinstance(number, Unknown):
                return None
            found.append(Write(routine, position, store.block, number, is_whole=False, words=each.words))
        return found or None

    @cached_property
    def _handed_numbers(self) -> HandedNumbers:
        return HandedNumbers(self.flow, self.executed)

    def worth(self, routine: int, operand: int, same: Set[int]) -> KnownConstant | frozenset[Origin]:
        """What a value is, or the memory that it is loaded from."""
        code = self.flow.program.routines[routine]
        operand, conversions = unconverted(code, operand)
        if operand < 0:
            is_address = isinstance(code.outside[~operand], Address)
            number = converted(SOME_ADDRESS if is_address else number_of(code, operand), conversions)
            if isinstance(number, Unknown):
                raise UnknownContent
            return number
        if self.flow.value(routine, operand) in same:
            return frozenset()
        position = operand - code.parameters
        if position < 0 or code.instructions[position].kind is not Kind.LOAD:
            raise UnknownContent
        load = code.instructions[position]
        cells = self._points_to(routine, load.operands[0])
        if not cells:
            raise UnknownContent
        return frozenset(Origin(cell, load.size, conversions) for cell in cells)


def _told(value: KnownConstant, origin: Origin) -> KnownConstant:
    """What comes of what lies somewhere."""
    found = converted(value, origin.conversions)
    if isinstance(found, Unknown):
        raise UnknownContent
    return found


def _before(
    found: KnownConstant | frozenset[Origin], conversions: Conversions
) -> KnownConstant | frozenset[Origin]:
    """The same, which is converted then."""
    if not isinstance(found, frozenset):
        return found
    longer = frozenset(
        each._replace(conversions=one_after_another(each.conversions, conversions)) for each in found
    )
    if any(len(each.conversions) > MOST_CONVERSIONS for each in longer):
        raise UnknownContent
    return longer
