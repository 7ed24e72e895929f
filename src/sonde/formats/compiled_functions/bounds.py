"""Code that asks where the data of its program begins or ends may go through all of it."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sonde.formats.elf.extents import Integers
from sonde.formats.elf.file import Section
from sonde.formats.elf.image import Image
from sonde.formats.elf.symbols import SymbolTable
from sonde.formats.machine_code.decoding import BRANCH
from sonde.formats.machine_code.meanings import Meanings, short_digest
from sonde.formats.machine_code.references import Resolved, mix_in, sizes_of

_UNDERSCORES = ("", "_", "__")
_OF_DATA = frozenset(
    before + name for before in _UNDERSCORES for name in ("edata", "end", "bss_start", "data_start")
)
_OF_CODE = frozenset({*(f"{before}etext" for before in _UNDERSCORES), "__executable_start"})
# Start-up code of the compiler, and of a static C library; they do not look at what lies there.
_HARMLESS = re.compile(
    r"_start|(de)?register_tm_clones|__do_global_dtors_aux|frame_dummy|_init|_fini|__minimal_malloc|_dl_.*"
)
_LINKERS = (
    ".got",
    ".dynamic",
    ".init_array",
    ".fini_array",
    ".preinit_array",
    ".tm_clone_table",
    ".data.rel.ro",
)
_HIGHEST = 1 << 62  # of an address, so that it fits into 64 bits


def with_bounded_sections(
    resolved: Resolved, table: SymbolTable, image: Image, meanings: Meanings
) -> Resolved:
    """The same, but to refer to where data or code begins or ends is to refer to all of it."""
    sections = [each for each in image.sections if not each.is_of_threads]
    data = [each for each in sections if each.is_writable and not each.name.startswith(_LINKERS)]
    in_data = _asking(resolved, table, image, _addresses(image, _OF_DATA))
    in_code = _asking(resolved, table, image, bounds_of_code(image))
    if not (in_data | in_code).any():
        return resolved
    rows = resolved.rows.copy()
    if in_data.any():
        _mix(rows, in_data, short_digest(*(_content(each, meanings) for each in data)))
    if in_code.any():
        code = [image.elf.bytes_of(each) for each in sections if each.is_code]
        _mix(rows, in_code, short_digest(*code))
    owners = np.unique(resolved.references.owners[in_data])
    objects = _objects(table, data)
    around = np.repeat(owners, len(objects)), np.tile(objects, len(owners))
    both = [np.concatenate(pair) for pair in zip(resolved.around, around, strict=True)]
    return replace(resolved, rows=rows, around=(both[0], both[1]))


def bounds_of_code(image: Image) -> Integers:
    """Addresses that the linker names for the begin and the end of the code, which may lie behind it."""
    return _addresses(image, _OF_CODE)


def _addresses(image: Image, wanted: frozenset[str]) -> Integers:
    symbols = image.elf.symbols
    numbers = [number for number, name in enumerate(symbols.names) if name in wanted]
    values = symbols.rows["value"][numbers]
    return values[values < _HIGHEST].astype(np.int64)


def _asking(resolved: Resolved, table: SymbolTable, image: Image, addresses: Integers) -> NDArray[np.bool_]:
    """Whether each reference takes one of these addresses, neither to start up nor for something else."""
    references = resolved.references
    asking = np.isin(references.targets, addresses) & (references.kinds != BRANCH)
    if asking.any():
        asking &= sizes_of(references) == 0
        labels, sets = table.functions.labels, _sets(image)
        for number in np.flatnonzero(asking).tolist():
            owner = int(references.owners[number])
            begins = sets.get(int(references.targets[number]), [])
            goes_through_set = np.isin(references.targets[references.owners == owner], begins).any()
            is_harmless = _HARMLESS.fullmatch(labels[owner].rpartition(":")[2]) is not None
            asking[number] = not (is_harmless or goes_through_set)
    return np.asarray(asking)


def _sets(image: Image) -> dict[int, list[int]]:
    """Where a section ends that code goes through -> where such sections begin."""
    symbols = image.elf.symbols
    values = {
        name: int(symbols.rows["value"][number])
        for number, name in enumerate(symbols.names)
        if name.startswith(("__start_", "__stop_")) and symbols.rows["value"][number] < _HIGHEST
    }
    found: dict[int, list[int]] = {}
    for name, value in values.items():
        begin = values.get(name.replace("__stop_", "__start_", 1))
        if name.startswith("__stop_") and begin is not None:
            found.setdefault(value, []).append(begin)
    return found


def _content(section: Section, meanings: Meanings) -> bytes:
    held = b"" if section.is_zero else meanings.content(section.address, section.size).identity
    return short_digest(section.name.encode(), str(section.size).encode(), held)


def _objects(table: SymbolTable, sections: list[Section]) -> Integers:
    starts = table.objects.extents.starts
    inside = np.zeros(len(starts), np.bool_)
    for section in sections:
        inside |= (starts >= section.address) & (starts < section.end)
    return np.flatnonzero(inside)


def _mix(rows: NDArray[np.void], asking: NDArray[np.bool_], identity: bytes) -> None:
    for number in np.flatnonzero(asking).tolist():
        mix_in(rows, number, identity)
