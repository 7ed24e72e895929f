"""Static variables inside of functions: as compilers only count them, their function tells them apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sonde.formats.elf.extents import NOWHERE
from sonde.formats.elf.symbols import Named, SymbolTable
from sonde.formats.machine_code.decoding import References


def with_owners(table: SymbolTable, references: References) -> SymbolTable:
    """The table, in which such a variable has the name of its function beside that of its source file.

    Where a function was inlined into several, the first of them by name counts. Variables that no function
    refers to stay as they are.
    """
    objects = table.objects
    owners = _owners(table, references)
    if not owners:
        return table
    keys = list(objects.keys)
    for number, owner in owners.items():
        keys[number] = keys[number]._replace(source=f"{keys[number].source}:{owner}")
    labels = list(objects.labels)
    for number in owners:
        labels[number] = f"{keys[number].source}:{keys[number].name}"
    renamed = {objects.keys[number]: keys[number] for number in owners}
    aliases = {alias: renamed.get(key, key) for alias, key in objects.aliases.items()}
    named = Named(objects.extents, tuple(keys), tuple(labels), aliases, objects.counted)
    return replace(table, objects=named)


def _owners(table: SymbolTable, references: References) -> dict[int, str]:
    """The function of each object that has one, without what a compiler appends to the names of clones."""
    if not table.objects.counted:
        return {}
    found = table.objects.extents.find(references.targets)
    chosen = np.flatnonzero((found != NOWHERE) & np.isin(found, np.array(table.objects.counted, np.int64)))
    functions = table.functions.keys
    owners: dict[int, str] = {}
    for number, function in zip(found[chosen].tolist(), references.owners[chosen].tolist(), strict=True):
        name = functions[function].name.partition(".")[0] or functions[function].name
        owners[number] = min(name, owners.get(number, name))
    return owners
