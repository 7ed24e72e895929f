"""What the operands of functions mean, as rows that can be hashed, and the names that occur in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from iced_x86 import MemorySize, MemorySizeExt
from numpy.typing import NDArray

from sonde.formats.elf.extents import NOWHERE, Extents, Integers
from sonde.formats.elf.symbols import SymbolTable
from sonde.formats.machine_code.decoding import ABSOLUTE, BRANCH, INDEXED, Code, References
from sonde.formats.machine_code.jump_tables import JumpTables
from sonde.formats.machine_code.meanings import Meaning, Meanings, short_digest
from sonde.formats.machine_code.nameless import TABLE, NamelessMeanings
from sonde.formats.machine_code.neighbours import neighbours

_CLONES = ("register_tm_clones", "deregister_tm_clones")
_ROW = np.dtype([("at", "<u4"), ("offset", "<i8"), ("token", "V16")])


@dataclass(frozen=True)
class Resolved:
    """What all references mean; `rows` go with them."""

    references: References
    rows: NDArray[np.void]
    functions: Integers  # number of the function that is meant plainly, or NOWHERE
    objects: Integers  # the same for data objects
    meanings: Integers  # number of a meaning in `found`, where it is neither
    found: tuple[Meaning, ...]
    around: tuple[Integers, Integers]  # functions, and objects next to addresses that they take


def is_taken(references: References) -> NDArray[np.bool_]:
    """Whether only an address is computed, so that anything around it may be read later."""
    return np.asarray((sizes_of(references) == 0) & (references.kinds != BRANCH))


def sizes_of(references: References) -> Integers:
    """How many bytes each reads or writes; 0 where that cannot be told."""
    return np.asarray(_sizes()[references.kinds])


@cache
def _sizes() -> Integers:
    """By kind."""
    sizes = np.zeros(max(BRANCH, ABSOLUTE, INDEXED) + 1, np.int64)
    kinds = [kind for name, kind in vars(MemorySize).items() if name.isupper()]
    sizes[kinds] = [MemorySizeExt.size(kind) for kind in kinds]
    return sizes


def resolve(
    references: References,
    code: Code,
    table: SymbolTable,
    meanings: Meanings,
    tables: JumpTables,
) -> Resolved:
    """Functions and objects by number at once; the rest, each different one once, by its meaning."""
    targets, taken = references.targets, is_taken(references)
    functions = table.functions.extents.find(targets)
    objects = table.objects.extents.find(targets)
    special = taken & _begins_set(table, targets)
    are_ends = _is_clones_end(references, table)
    objects = np.where(special | are_ends, NOWHERE, objects)
    functions = np.where(are_ends, NOWHERE, functions)
    others = np.flatnonzero((functions == NOWHERE) & (objects == NOWHERE))
    nameless = NamelessMeanings(meanings, tables)
    which = np.full(len(references), NOWHERE, np.int64)
    chosen = references.chosen(others)
    which[others] = nameless.read(chosen, sizes_of(chosen), (taken & ~are_ends)[others], are_ends[others])
    rows = np.zeros(len(references), _ROW)
    rows["at"] = references.positions - code.begins[references.owners]
    _fill(rows, functions, targets, table.functions.extents, meanings.function_labels, b"function")
    _fill(rows, objects, targets, table.objects.extents, meanings.object_labels, b"object")
    identities = {meaning.identity for meaning in nameless.found}
    known = {identity: short_digest(identity) for identity in identities}
    tokens = [known[meaning.identity] for meaning in nameless.found]
    if tokens:
        rows["token"][others] = np.frombuffer(b"".join(tokens), "V16")[which[others]]
    are_texts = _are(which, [meaning.text is not None for meaning in nameless.found])
    are_tables = _are(which, [meaning.identity.startswith(TABLE) for meaning in nameless.found])
    asked = taken & (functions == NOWHERE) & ~(are_ends | are_tables)
    around = neighbours(references.owners[asked], targets[asked], are_texts[asked], table.objects.extents)
    return Resolved(references, rows, functions, objects, which, tuple(nameless.found), around)


def mix_in(rows: NDArray[np.void], number: int, identity: bytes) -> None:
    """Let a row also stand for something else that its reference means; changes `rows`."""
    rows["token"][number] = np.void(short_digest(rows["token"][number].tobytes(), identity))


def _are(numbers: Integers, flags: list[bool]) -> NDArray[np.bool_]:
    """The flag of each number; False for NOWHERE."""
    return np.array([*flags, False], np.bool_)[numbers]  # NOWHERE is the last


def _fill(
    rows: NDArray[np.void],
    which: Integers,
    targets: Integers,
    extents: Extents,
    labels: list[str],
    kind: bytes,
) -> None:
    chosen = np.flatnonzero(which != NOWHERE)
    if not len(chosen):
        return
    tokens = np.frombuffer(b"".join([short_digest(kind, label.encode()) for label in labels]), "V16")
    rows["token"][chosen] = tokens[which[chosen]]
    rows["offset"][chosen] = targets[chosen] - extents.starts[which[chosen]]


def _begins_set(table: SymbolTable, targets: Integers) -> NDArray[np.bool_]:
    """Whether this is the beginning of a section that is walked through."""
    sets = [address for address, name in table.marks.items() if name.startswith("__start_")]
    return np.isin(targets, np.array(sets, np.int64))


def _is_clones_end(references: References, table: SymbolTable) -> NDArray[np.bool_]:
    """Whether this is where the compiler's own start-up code asks for the end of the data."""
    owners = [number for number, key in enumerate(table.functions.keys) if key.name in _CLONES]
    asked = np.isin(references.owners, np.array(owners, np.int64))
    return np.asarray(asked & (references.targets == table.clones_end))
