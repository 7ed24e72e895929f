"""The text of a module as a unit."""

from __future__ import annotations

import re

from sonde.core.code import Address, Global, Instruction, Kind, Outside, Routine, Unit, Variable
from sonde.formats.llvm_ir.constants import Constants
from sonde.formats.llvm_ir.definitions import Definition, ModuleDefinitions, read_definitions
from sonde.formats.llvm_ir.facts import ModuleFacts
from sonde.formats.llvm_ir.headers import groups_that_never_return, read_header
from sonde.formats.llvm_ir.initial_values import parts_of
from sonde.formats.llvm_ir.naming import literal_text, stable_names
from sonde.formats.llvm_ir.routines import read_routine
from sonde.formats.llvm_ir.types.anonymous import match_anonymous
from sonde.formats.llvm_ir.types.layouts import TypeLayouts
from sonde.formats.llvm_ir.types.metadata import Metadata, quoted
from sonde.formats.llvm_ir.types.pieces import NAME, closing, plain, split_at_commas
from sonde.formats.llvm_ir.types.places import SourceLineNotes
from sonde.formats.llvm_ir.types.structures import Structures

_TYPE = re.compile(rf"^(%{NAME}) = type (.*)$", re.MULTILINE)
_LAYOUT = re.compile(r'^target datalayout = "([^"]*)"', re.MULTILINE)
_SOURCE = re.compile(r'^source_filename = "([^"]*)"', re.MULTILINE)
_FUNCTION = re.compile(r"^(?:define|declare) .*$", re.MULTILINE)
_STARTUP = re.compile(rf"i32 (\d+), ptr @({NAME})")
_TABLES = ("_ZTV", "_ZTC", "_ZTT")  # of virtual functions: each entry has its own meaning


def read_module(text: str, root: str | None) -> Unit:
    """The unit that LLVM's text describes; names of files are relative to `root` if they lie below it."""
    notes_start = text.find("\n!")
    metadata = Metadata(text[notes_start + 1 :] if notes_start >= 0 else "")
    text = text[: notes_start + 1] if notes_start >= 0 else text
    first = _FUNCTION.search(text)
    head = text[: first.start() if first else None]
    layout = _LAYOUT.search(head)
    named = dict(_TYPE.findall(head))
    layouts = TypeLayouts(layout[1] if layout else "", named)
    definitions = read_definitions(head)
    names = stable_names(definitions.globals, layouts)
    types = {names.get(each.token) or plain(each.token): each.type for each in definitions.globals}
    structures = Structures(metadata)
    variables = {
        plain(each.token): (each.type, metadata.referred(_variable_note(metadata, each.note), "type"))
        for each in definitions.globals
        if each.note
    }
    anonymous, records = match_anonymous(layouts, structures, named, variables)
    places = SourceLineNotes(metadata, root)
    facts = ModuleFacts(
        layouts,
        Constants(layouts, {k: v for k, v in types.items() if not k.startswith(_TABLES)}, names),
        metadata,
        places,
        structures,
        anonymous,
        records,
        types,
        places.of_locations(),
    )
    routines, never_return = _routines(facts, text)
    routines.extend(_resolved(facts, definitions))
    return Unit(
        source=_source(facts, head),
        routines=tuple(routines),
        globals=tuple(_globals(facts, definitions)),
        types=structures.all(),
        aliases=_aliases(facts, definitions),
        never_return=never_return,
        startup=_in_order(facts, definitions, "@llvm.global_ctors"),
        shutdown=_in_order(facts, definitions, "@llvm.global_dtors"),
        has_places=bool(metadata.locations),
    )


def _routines(facts: ModuleFacts, text: str) -> tuple[list[Routine], frozenset[str]]:
    groups = groups_that_never_return(text)
    routines: list[Routine] = []
    never_return: set[str] = set()
    at = 0
    while (found := _FUNCTION.search(text, at)) is not None:
        at = found.end()
        header = read_header(found[0])
        if header is None:
            continue
        if not groups.isdisjoint(header.groups):
            never_return.add(facts.constants.name(header.token))
        if found[0].startswith("define"):
            end = text.find("\n}", at)
            routines.append(read_routine(facts, header, text[at + 1 : end if end >= 0 else None]))
            at = max(at, end)
    return routines, frozenset(never_return)


def _globals(facts: ModuleFacts, definitions: ModuleDefinitions) -> list[Global]:
    found: dict[str, Global] = {}
    for each in definitions.globals:
        name = facts.constants.name(each.token)
        if name in found or name.startswith("llvm."):
            continue
        found[name] = _global(facts, name, each)
    return list(found.values())


def _global(facts: ModuleFacts, name: str, definition: Definition) -> Global:
    note = _variable_note(facts.metadata, definition.note)
    shown = quoted(note, "name")
    type_ = facts.metadata.referred(note, "type")
    text = literal_text(definition)
    parts = parts_of(
        facts.constants, facts.layouts, definition.type, definition.value, not name.startswith(_TABLES)
    )
    return Global(
        name=name,
        is_internal=definition.is_internal,
        is_constant=definition.is_constant,
        is_defined=definition.is_defined,
        parts=tuple(parts) if definition.value else (),
        size=facts.layouts.of(definition.type).size,
        text=text if not shown else "",
        variable=Variable(shown, facts.structures.behind(type_)) if shown else None,
        place=facts.places.of_note(note),
        arrays=facts.layouts.arrays(definition.type) if not text else (),
    )


def _variable_note(metadata: Metadata, number: str) -> dict[str, str]:
    return metadata.note(metadata.referred(metadata.note(number), "var"))


def _aliases(facts: ModuleFacts, definitions: ModuleDefinitions) -> dict[str, str]:
    found = {}
    for token, target in definitions.aliases.items():
        address = facts.constants.address(target)
        if address is not None:
            found[plain(token)] = address.name
    return found


def _in_order(facts: ModuleFacts, definitions: ModuleDefinitions, table: str) -> tuple[str, ...]:
    """The routines that a table names to run before or after main, in the order of their priorities."""
    for each in definitions.globals:
        if each.token == table:
            found = [
                (int(order), facts.constants.name(f"@{name}")) for order, name in _STARTUP.findall(each.value)
            ]
            return tuple(name for _, name in sorted(found, key=lambda pair: pair[0]))
    return ()


def _resolved(facts: ModuleFacts, definitions: ModuleDefinitions) -> list[Routine]:
    """An indirect function, as a routine that asks which function it is and calls that one."""
    found = []
    for token, (type_, resolver) in definitions.resolved.items():
        address = facts.constants.address(resolver)
        if address is None:
            continue
        opening = type_.find("(")
        parameters = split_at_commas(type_[opening + 1 : closing(type_, opening)]) if opening >= 0 else []
        is_variadic = bool(parameters) and parameters[-1] == "..."
        count = len(parameters) - is_variadic
        outside: tuple[Outside, ...] = (Address(address.name),)
        returns = () if type_.startswith("void") else (count + 1,)
        instructions = (
            Instruction(Kind.CALL, (-1,), "resolve", 0),
            Instruction(Kind.CALL, (count, *range(count)), f"call {type_}", 0),
            Instruction(Kind.RETURN, returns, "ret", 0),
        )
        found.append(
            Routine(plain(token), False, count, is_variadic, instructions, ((0, len(instructions)),), outside)
        )
    return found


def _source(facts: ModuleFacts, head: str) -> str:
    for number in facts.metadata.numbers_of("!DICompileUnit("):
        file = facts.metadata.referred(facts.metadata.note(number), "file")
        if name := facts.places.file(file):
            return name
    found = _SOURCE.search(head)
    return facts.places.relative(plain(f'"{found[1]}"'), "") if found else ""
