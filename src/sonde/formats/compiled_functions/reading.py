"""The functions and data objects of an ELF file, blind to where things lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sonde.core.evidence import DataObject, Function, Key
from sonde.formats.compiled_functions.bounds import bounds_of_code, with_bounded_sections
from sonde.formats.compiled_functions.code_as_data import CodeSections, with_tables_in_code
from sonde.formats.compiled_functions.combining import combine_functions, combine_objects
from sonde.formats.compiled_functions.data_objects import read_objects
from sonde.formats.compiled_functions.exception_tables import Strange, raw_tables, read_exception_tables
from sonde.formats.compiled_functions.functions import Parts, read_functions
from sonde.formats.compiled_functions.gaps import with_gaps
from sonde.formats.compiled_functions.layouts import read_layouts
from sonde.formats.compiled_functions.startup import Startup, read_startup
from sonde.formats.compiled_functions.stubs import read_stubs, stub_functions
from sonde.formats.elf.extents import NOWHERE, Integers
from sonde.formats.elf.image import Image
from sonde.formats.elf.symbols import SymbolTable, read_symbols
from sonde.formats.machine_code.absolute import absolute_references, calls_of_nothing
from sonde.formats.machine_code.blocks import Blocks
from sonde.formats.machine_code.decoding import INDEXED, Code, References, decode, gather_code
from sonde.formats.machine_code.jump_tables import JumpTables
from sonde.formats.machine_code.local_statics import with_owners
from sonde.formats.machine_code.meanings import Meaning, Meanings
from sonde.formats.machine_code.references import resolve
from sonde.formats.machine_code.text_relocations import text_relocations
from sonde.formats.machine_code.unique_labels import label_functions, label_objects

_HEADER_SIZE = 4096


@dataclass(frozen=True)
class MachineCode:
    """What an executable or a shared library consists of."""

    functions: Mapping[Key, Function]
    objects: Mapping[Key, DataObject]
    startup: Startup
    aliases: Mapping[Key, Key]
    imports: Mapping[Key, frozenset[str]]  # names of other files that a function or object mentions
    layout: int  # of nameless data that only nameless data point to


def read_machine_code(output: str, image: Image) -> MachineCode:
    """Everything in an image that has a name, or is code."""
    table = read_symbols(output, image)
    table = replace(table, functions=with_gaps(output, image, table.functions))
    code = gather_code(image, table.functions.extents)
    every, lengths = _references(image, table, code)
    references = every.chosen(_is_known(every.targets, image, table))
    table = with_owners(table, references)
    masked = _without_displacements(code, references)
    labels = label_functions(table.functions, code, masked), label_objects(table.objects, image)
    meanings = Meanings(image, table, _stub_names(image, table), labels)
    resolved = resolve(references, code, table, meanings, JumpTables(image, table.functions, code))
    sections = CodeSections(image, table.functions.extents, code, masked)
    resolved = with_tables_in_code(resolved, sections, meanings)
    resolved = with_bounded_sections(resolved, table, image, meanings)
    exceptions, strange = _exceptions(image, meanings)
    layouts = read_layouts(image, resolved, len(table.functions.keys), table.objects.extents)
    parts = Parts(table, code, masked, resolved, lengths, exceptions, labels[0], layouts.functions)
    functions = list(read_functions(parts))
    blocks, around = _blocks(output, image, table, every)
    functions = [
        (key, replace(each, refers_to=each.refers_to | around[number]) if number in around else each, names)
        for number, (key, each, names) in enumerate(functions)
    ]
    objects = list(read_objects(table.objects, image, meanings, layouts.objects))
    imports: dict[Key, frozenset[str]] = {}
    for key, _, names in (*functions, *objects):
        if names:
            imports[key] = imports.get(key, frozenset()) | names
    return MachineCode(
        {**combine_functions((key, each) for key, each, _ in functions), **stub_functions(output, image)},
        {**combine_objects((key, each) for key, each, _ in objects), **blocks},
        read_startup(image, meanings, strange),
        {**table.functions.aliases, **table.objects.aliases},
        imports,
        layouts.rest,
    )


def _references(
    image: Image, table: SymbolTable, code: Code
) -> tuple[References, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """All references in order, and the number of instructions of each function."""
    extents = table.functions.extents
    references, lengths = decode(code, extents)
    if image.is_fixed:
        references = references.merged(absolute_references(code, extents, image, table.marks))
    if image.elf.named(".interp") is None:
        references = references.merged(calls_of_nothing(code, extents))
    return references.merged(text_relocations(code, extents, image)), lengths


def _is_known(targets: Integers, image: Image, table: SymbolTable) -> NDArray[np.bool_]:
    """Whether something is there."""
    is_known = image.extents.find(targets) != NOWHERE
    is_known |= np.isin(targets, np.array([*table.marks, 0], np.int64))  # 0: functions that nobody defines
    is_known |= np.isin(targets, bounds_of_code(image))
    if table.header != NOWHERE:
        is_known |= (targets >= table.header) & (targets < table.header + _HEADER_SIZE)
    return np.asarray(is_known)


def _blocks(
    output: str, image: Image, table: SymbolTable, references: References
) -> tuple[Mapping[Key, DataObject], Mapping[int, frozenset[Key]]]:
    """Blocks of data, and by the number of a function those that it may mean."""
    indexed = references.chosen(references.kinds == INDEXED)
    if not len(indexed):
        return {}, {}
    blocks = Blocks(output, image, table.objects)
    around = blocks.around(indexed.owners, indexed.targets)
    return blocks.objects(key for keys in around.values() for key in keys), around


def _without_displacements(code: Code, references: References) -> NDArray[np.uint8]:
    content = code.content.copy()
    for byte in range(8):
        content[references.positions[references.widths > byte] + byte] = 0
    return content


def _exceptions(image: Image, meanings: Meanings) -> tuple[Mapping[int, tuple[Meaning, ...]], bytes]:
    """The tables of exceptions by function; or, if they are strange, all of them as they are."""
    try:
        return read_exception_tables(image, lambda address: meanings.of(address, 0)), b""
    except Strange:
        return {}, raw_tables(image)


def _stub_names(image: Image, table: SymbolTable) -> dict[int, str]:
    """The address of each stub -> the function that it leads to."""
    names = {}
    for address, number in read_stubs(image).items():
        meaning, target = image.slots.meanings[number], int(image.slots.targets[number])
        kind, _, rest = meaning.partition(":")
        if kind == "import":
            names[address] = rest
            continue
        target = int(rest) if kind == "resolver" else target
        place = table.functions.extents.find_one(target)
        names[address] = table.functions.labels[place] if place != NOWHERE else meaning
    return names
