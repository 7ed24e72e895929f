"""Where a program reads the variables of its options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from sonde.core.code import Global, Kind, Member, Routine
from sonde.core.options import OptionName, Value
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.hot.code import same_file
from sonde.methods.impact.options.names import NAMELESS
from sonde.methods.impact.options.references import find_attribute_cells
from sonde.methods.impact.program.linking import GlobalRef, Program


@dataclass(frozen=True)
class Choice:
    """A value of an option, and its words on the command line."""

    value: Value
    words: tuple[str, ...]


@dataclass(frozen=True)
class OptionInCode:
    """An option and its variables as the source names them.

    `verbose`; `opts.level`, a field of a variable; `keyfield.month`, a field of any structure of that type;
    `main.c:verbose`, of one file; `main:verbose`, of one routine; `flags & 0x10`, some bits of a variable.
    """

    option: OptionName
    variables: tuple[str, ...] = ()
    file: str = ""
    choices: tuple[Choice, ...] = ()  # its values, with their words; nothing: they are not known


@dataclass(frozen=True)
class Reads:
    """Where a variable is read, and whether the program has such a variable at all."""

    nodes: frozenset[int]
    is_known: bool
    bits: int | None = None  # of these nodes that hold the variable, a bit-field; None: all


def split_bits(variable: str) -> tuple[str, int | None]:
    """A variable as a project file names it, and the bits of it that are meant: `flags & 0x10`; None: all."""
    name, sign, bits = variable.partition("&")
    try:
        return name.strip(), int(bits.strip(), 0) if sign else None
    except ValueError:
        return variable, None


def find_reads(flow: Flow, name: str, file: str = "") -> Reads:
    """Where a variable is read; through pointers as well."""
    return _Finding(flow, split_bits(name)[0], file).result()


def nearest_names(program: Program, name: str) -> list[str]:
    """Names of variables that look like this one, for messages."""
    known = {each.variable.name for each in program.globals if each.variable}
    for number in program.find_routines("main"):
        known.update(each.name for each in program.routines[number].variables.values())
    for unit in program.units:
        for type, members in unit.types.items():
            known.update(f"{type.removeprefix(NAMELESS)}.{each.name}" for each in members)
    fields = {each.rpartition(".")[2]: each for each in sorted(known) if "." in each}
    found = get_close_matches(name, known, n=3, cutoff=0.6)
    last = name.replace("->", ".").rpartition(".")[2]
    if last in fields and fields[last] not in found:
        found.append(fields[last])
    return found


class _Finding:
    def __init__(self, flow: Flow, name: str, file: str) -> None:
        self.flow, self.program = flow, flow.program
        scope, colon, rest = name.rpartition(":")
        self.file, self.routine = file, ""
        if colon:
            is_routine = "." not in scope and "/" not in scope
            self.routine, self.file = (scope, file) if is_routine else ("", scope)
        self.first, *self.fields = rest.replace("->", ".").split(".")
        self.nodes: set[int] = set()
        self.masks: set[int | None] = set()  # the bits of what was found; None: all
        self.is_known = False

    def result(self) -> Reads:
        if not self.routine:
            self._globals()
            if self.fields:
                self._types()
        self._locals()
        if self.fields:
            self._attributes()
        bits = self.masks.pop() if len(self.masks) == 1 else None
        return Reads(frozenset(self.nodes), self.is_known, bits)

    def _attributes(self) -> None:
        """Attributes of objects that a variable refers to, or that a class of that name makes."""
        cells = find_attribute_cells(self.flow, self.first, self.fields, self.routine, self._is_in_file)
        self.is_known = self.is_known or bool(cells)
        self._add(None, map(self.flow.cell, cells))

    def _is_in_file(self, file: str) -> bool:
        return not self.file or same_file(file, self.file)

    def _globals(self) -> None:
        program = self.program
        for number, each in enumerate(program.globals):
            if each.variable is None or each.variable.name != self.first:
                continue
            source = program.units[program.unit_of_global[number]].source
            if not (self._is_in_file(each.place.file) or self._is_in_file(source)):
                continue
            for offset, member in self._offsets(each.variable.type):
                self.is_known = True
                self._cell(number, each, offset, member)

    def _offsets(self, type: str) -> Iterator[tuple[int | None, Member | None]]:
        """Where the field lies in a variable; None: all of the variable is meant."""
        if not self.fields:
            yield None, None
            return
        member: Member | None = None
        offset = 0
        for name in self.fields:
            member = self._member(type, name)
            if member is None:
                return
            offset += member.offset
            type = member.type
        yield offset, member

    def _member(self, type: str, name: str) -> Member | None:
        for unit in self.program.units:
            for each in unit.types.get(type, ()):
                if each.name == name:
                    return each
        return None

    def _cell(self, number: int, each: Global, offset: int | None, member: Member | None) -> None:
        memory = self.flow.memory
        cells = memory.cells_of(memory.object_of_global(number))
        wanted = [cell for cell in cells if offset is None or memory.cells[cell].offset == offset]
        self._add(member, map(self.flow.cell, wanted))
        self._add_loads(member, self._loads_of({GlobalRef(number)}, offset))

    def _loads_of(self, things: set[GlobalRef], offset: int | None) -> list[tuple[int, int]]:
        """Loads straight from a global."""
        found = []
        program = self.program
        for number, routine in enumerate(program.routines):
            named = program.global_addresses[number]
            fields: dict[int, int] = {}
            for thing in named.keys() & things:
                fields.update(named[thing])
            if not fields:
                continue
            for position, each in enumerate(routine.instructions):
                if each.kind is Kind.FIELD and each.operands[0] in fields:
                    fields[routine.parameters + position] = fields[each.operands[0]] + each.offset
                elif (
                    each.kind is Kind.LOAD
                    and each.operands[0] in fields
                    and (offset is None or fields[each.operands[0]] == offset)
                ):
                    found.append((number, routine.parameters + position))
        return found

    def _types(self) -> None:
        """Fields of structures of a type, whatever they belong to."""
        types = [type for unit in self.program.units for type in unit.types if self._is_type(type)]
        for type in dict.fromkeys(types):
            for offset, member in self._offsets(type):
                if offset is None or member is None:
                    continue
                self.is_known = True
                self._add_loads(member, self._field_loads(type, offset))

    def _is_type(self, type: str) -> bool:
        return type == self.first or type.rpartition("::")[2] == self.first

    def _field_loads(self, type: str, offset: int) -> list[tuple[int, int]]:
        found = []
        program = self.program
        globals_of_type = {
            GlobalRef(n)
            for n, each in enumerate(program.globals)
            if each.variable and each.variable.type == type
        }
        if globals_of_type:
            found += self._loads_of(globals_of_type, offset)
        for number, routine in enumerate(program.routines):
            if type not in program.types_used[number] or not self._is_in_file(routine.place.file):
                continue
            fields: dict[int, int] = {}
            for position, each in enumerate(routine.instructions):
                value = routine.parameters + position
                if each.kind is Kind.FIELD:
                    if each.type == type:
                        fields[value] = each.offset
                    elif each.operands[0] in fields:
                        fields[value] = fields[each.operands[0]] + each.offset
                elif each.kind is Kind.LOAD and (
                    fields.get(each.operands[0]) == offset
                    or (offset == 0 and self._holds(routine, each.operands[0], type))
                ):
                    found.append((number, value))
        return found

    @staticmethod
    def _holds(routine: Routine, value: int, type: str) -> bool:
        """Whether a value is the address of a local of that type: its first field has no FIELD."""
        position = value - routine.parameters
        if position < 0:
            return False
        each = routine.instructions[position]
        return each.kind is Kind.LOCAL and each.type == type

    def _add_loads(self, member: Member | None, loads: Iterable[tuple[int, int]]) -> None:
        self._add(member, (self.flow.value(*each) for each in loads))

    def _add(self, member: Member | None, nodes: Iterable[int]) -> None:
        found = set(nodes)
        if found:
            self.nodes |= found
            self.masks.add(_mask(member))

    def _locals(self) -> None:
        """Locals and parameters of main, or of the routine that is named; static ones of any routine."""
        program = self.program
        for number, routine in enumerate(program.routines):
            if self.routine:
                if self.routine not in (routine.name, routine.shown):
                    continue
            elif "main" not in (routine.name, routine.shown):
                continue
            if not self._is_in_file(routine.place.file):
                continue
            for value, variable in routine.variables.items():
                if variable.name == self.first:
                    for offset, member in self._offsets(variable.type):
                        self.is_known = True
                        self._local(number, routine, value, offset, member)
        if self.routine:
            prefix = f"{self.routine}.{self.first}"
            for number, thing in enumerate(program.globals):
                if thing.variable is not None and (
                    thing.name == prefix or thing.name.startswith(prefix + ".")
                ):
                    for offset, member in self._offsets(thing.variable.type):
                        self.is_known = True
                        self._cell(number, thing, offset, member)

    def _local(
        self, number: int, routine: Routine, value: int, offset: int | None, member: Member | None
    ) -> None:
        memory = self.flow.memory
        if value < routine.parameters:
            self._add(member, [self.flow.value(number, value)])
        fields = {value: 0}
        loads = []
        for position, each in enumerate(routine.instructions):
            here = routine.parameters + position
            if each.kind is Kind.FIELD and each.operands[0] in fields:
                fields[here] = fields[each.operands[0]] + each.offset
            elif (
                each.kind is Kind.LOAD
                and each.operands[0] in fields
                and (offset is None or fields[each.operands[0]] == offset)
            ):
                loads.append((number, here))
        cells = [
            each_cell
            for cell in memory.pointees(number, value)
            if routine.instructions[value - routine.parameters].kind is Kind.LOCAL
            for each_cell in memory.cells_of(memory.cells[cell].object)
            if offset is None or memory.cells[each_cell].offset == offset
        ]
        self._add_loads(member, loads)
        self._add(member, map(self.flow.cell, cells))


def _mask(member: Member | None) -> int | None:
    """The bits of a field that is a bit-field; None if it is none."""
    if member is None or member.bits is None:
        return None
    first, count = member.bits
    return (1 << count) - 1 << first
