"""Tables in which a program describes its own command line: rows with a word and a number each.

    static const struct { char letter; const char *word; int id; } options[] = {{'f', "fast", 'f'}, ...};

If a value can be nothing but a number of such a table, or another constant, then code behind `case 'f':`
needs a word of a row with that number. The words of the table have to be compared with those of the command
line, and with nothing else: the words of a language make such tables, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from string import ascii_letters, digits
from typing import NamedTuple

from sonde.core.code import Global, Instruction, Kind
from sonde.methods.impact.constants import Unknown, converted, is_conversion, number_of
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.program.command_words import COMPARERS
from sonde.methods.impact.program.linking import GlobalRef
from sonde.methods.impact.program.memory import ObjectKind

LETTERS = frozenset(ascii_letters + digits)
MOST_STEPS = 400
FEWEST_ROWS = 2


@dataclass(frozen=True)
class OptionRow:
    """What stands in one row."""

    texts: frozenset[str]
    numbers: Mapping[int, int]  # by their offsets

    @property
    def letters(self) -> frozenset[str]:
        """Numbers that may be letters of words."""
        return frozenset(
            chr(each) for each in self.numbers.values() if 0 < each < 128 and chr(each) in LETTERS
        )


class TableColumn(NamedTuple):
    """A column of a table, and the constants that stand for a value beside its numbers."""

    table: int  # object
    offset: int
    constants: frozenset[int]
    conversions: frozenset[str]  # on some way, each the shape of an instruction

    def keeps(self, number: int) -> bool:
        """Whether a number stays what it is, however it is converted."""
        return all(converted(number, (each,)) == number for each in self.conversions)


@dataclass(frozen=True)
class OptionRows:
    """Answers for one program."""

    flow: Flow

    def words(self, routine: int, value: int) -> Mapping[int, tuple[OptionRow, ...]]:
        """The rows that a value may stand for, by number; nothing if it may be something else.

        A number that is a constant elsewhere in the program, and comes there as well, needs no row.
        """
        column = self._column(routine, value)
        found: dict[int, list[OptionRow]] = {}
        if column is None:
            return {}
        for row in self.tables[column.table]:
            number = row.numbers.get(column.offset)
            if number is not None and not column.keeps(number):
                return {}
            if number is not None and number not in column.constants:
                found.setdefault(number, []).append(row)
        return {number: tuple(rows) for number, rows in found.items()}

    @cached_property
    def tables(self) -> Mapping[int, tuple[OptionRow, ...]]:
        """The rows of each constant table that has texts in it, by the object of the global."""
        program, memory = self.flow.program, self.flow.memory
        found = {}
        for number, each in enumerate(program.globals):
            if each.is_constant and not each.text:
                rows = tuple(self._rows(number, each))
                if len(rows) >= FEWEST_ROWS and self._is_compared_with_words(number, each):
                    found[memory.object_of_global(number)] = rows
        return found

    def _is_compared_with_words(self, number: int, table: Global) -> bool:
        """Whether the texts of a table are compared with words of the command line, and with nothing else.

        A pointer that may be to a word as well as to such a text, as in a message, looks for no row.
        """
        program, memory = self.flow.program, self.flow.memory
        unit = program.unit_of_global[number]
        meanings = [program.named(unit, part.address.name) for part in table.parts if part.address]
        texts = {memory.object_of_global(each.id) for each in meanings if isinstance(each, GlobalRef)}
        others = [
            other for one, other in self._compared if not texts.isdisjoint(one) and self._words not in one
        ]
        return bool(others) and all(other == {self._words} for other in others)

    @cached_property
    def _words(self) -> int | None:
        return self.flow.memory.object_of_external("*argv[]")

    @cached_property
    def _compared(self) -> Iterable[tuple[frozenset[int], frozenset[int]]]:
        """What is compared with what, as objects, in both orders; each pair once."""
        flow = self.flow
        found: dict[tuple[frozenset[int], frozenset[int]], None] = {}
        known: dict[int, frozenset[int]] = {}
        for routine, calls in enumerate(flow.calls):
            for call in calls:
                operands = flow.program.routines[routine].instructions[call.position].operands[1:3]
                if COMPARERS.isdisjoint(call.externals) or len(operands) < 2:
                    continue
                one, other = (self._objects(routine, operand, known) for operand in operands)
                found[one, other] = found[other, one] = None
        return found

    def _objects(self, routine: int, operand: int, known: dict[int, frozenset[int]]) -> frozenset[int]:
        """What an operand points to; `known` by sets of cells, as many operands have the same one."""
        memory = self.flow.memory
        number = memory.set_of_value[memory.first_value[routine] + operand] if operand >= 0 else -1
        found = known.get(number) if number >= 0 else None
        if found is None:
            found = frozenset(memory.cells[cell].object for cell in memory.pointees(routine, operand))
            if number >= 0:
                known[number] = found
        return found

    def _rows(self, number: int, table: Global) -> Iterator[OptionRow]:
        program = self.flow.program
        texts: set[str] = set()
        numbers: dict[int, int] = {}
        last = -1
        for part in table.parts:
            if part.offset <= last:
                yield OptionRow(frozenset(texts), numbers)
                texts, numbers = set(), {}
            last = part.offset
            if part.address is not None:
                meaning = program.named(program.unit_of_global[number], part.address.name)
                text = program.globals[meaning.id].text if isinstance(meaning, GlobalRef) else ""
                texts |= {text.rstrip("\0")} - {""}
            elif part.number is not None:
                numbers[part.offset] = part.number
        if texts or numbers:
            yield OptionRow(frozenset(texts), numbers)

    def _column(self, routine: int, value: int) -> TableColumn | None:
        """Where a value is read from, if it is nothing else but a constant."""
        flow, memory = self.flow, self.flow.memory
        columns: set[tuple[int, int]] = set()
        constants: set[int] = set()
        conversions: set[str] = set()
        waiting = [flow.value(routine, value)]
        seen = set(waiting)
        while waiting:
            node = waiting.pop()
            if len(seen) > MOST_STEPS:
                return None
            where = flow.where(node)
            if where.kind == "cell":
                cell = memory.cells[where.index]
                if cell.object in self.tables:
                    columns.add((cell.object, cell.offset))
                    continue
                if memory.objects[cell.object].kind is not ObjectKind.LOCAL:
                    return None
            before = self._before(node, constants, conversions)
            if before is None:
                return None
            for each in before:
                if each not in seen:
                    seen.add(each)
                    waiting.append(each)
        if len(columns) != 1:
            return None
        found = TableColumn(*columns.pop(), frozenset(constants), frozenset(conversions))
        return found if all(map(found.keeps, constants)) else None

    def _before(self, node: int, constants: set[int], conversions: set[str]) -> list[int] | None:
        """Where a value comes from, but for conversions; None if it is made otherwise.

        Constants and conversions are added to those.
        """
        flow = self.flow
        where = flow.where(node)
        before = [each for each, _, _ in flow.predecessors(node) if flow.where(each).kind != "block"]
        if where.kind != "value":
            return before
        code = flow.program.routines[where.routine]
        if where.index < code.parameters:
            return before or None
        each = code.instructions[where.index - code.parameters]
        if node in self._places:
            number = number_of(code, each.operands[self._places[node] + 1])
            if isinstance(number, Unknown):
                return None
            constants.add(number)
            return []
        if each.kind is Kind.LOAD:
            address = flow.value(where.routine, each.operands[0]) if each.operands[0] >= 0 else -1
            return [one for one in before if one != address] or None
        kept = _kept(each)
        numbers = [number_of(code, operand) for operand in kept if operand < 0]
        known = [number for number in numbers if isinstance(number, int)]
        if not kept or len(known) < len(numbers):
            return None
        constants.update(known)
        if each.kind is Kind.COMPUTE and is_conversion(each.shape):
            conversions.add(each.shape)
        return [flow.value(where.routine, operand) for operand in kept if operand >= 0]

    @cached_property
    def _places(self) -> Mapping[int, int]:
        """By the nodes of constant arguments: their places in the call."""
        return {node: place for (_, place), node in self.flow.fixed.items()}


def _kept(each: Instruction) -> tuple[int, ...]:
    """The operands of which an instruction gives one as it is; nothing if it makes something else."""
    if each.kind is Kind.PHI or (each.kind is Kind.COMPUTE and is_conversion(each.shape)):
        return each.operands
    if each.kind is Kind.COMPUTE and each.shape.startswith("select "):
        return each.operands[1:]
    return each.operands[1:] if each.kind is Kind.STORE else ()
