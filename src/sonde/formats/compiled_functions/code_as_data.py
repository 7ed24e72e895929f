"""Code sections hold more than instructions: hand-written code reads tables that lie between its functions.

Such a table is never executed, so no profile names it. It belongs to the functions that read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sonde.formats.elf.extents import NOWHERE, Extents, Integers
from sonde.formats.elf.image import Image
from sonde.formats.machine_code.decoding import BRANCH, INDEXED, Code
from sonde.formats.machine_code.meanings import Meanings, short_digest
from sonde.formats.machine_code.references import Resolved, mix_in, sizes_of

_OBJECTS, _FUNCTIONS = (1,), (2, 10)  # STT_OBJECT; STT_FUNC, STT_GNU_IFUNC


@dataclass(frozen=True)
class CodeSections:
    """What lies in the code sections of an image."""

    image: Image
    functions: Extents
    code: Code
    masked: NDArray[np.uint8]  # the bytes of `code` without what depends on the layout

    def addresses(self, kinds: Sequence[int]) -> Integers:
        """Of all symbols of these kinds."""
        rows = self.image.elf.symbols.rows
        values = rows["value"][np.isin(rows["info"] & 15, kinds)]
        return values[values < 1 << 62].astype(np.int64)


def with_tables_in_code(resolved: Resolved, sections: CodeSections, meanings: Meanings) -> Resolved:
    """The same, but what is read, or may be read, of code sections counts as part of what refers to it.

    An address that is taken at the beginning of a function is a pointer to it, to be called.
    """
    references, tables = resolved.references, resolved.functions
    may_read = (tables != NOWHERE) & (references.kinds != BRANCH)
    if not may_read.any():
        return resolved
    sizes, targets = sizes_of(references), references.targets
    is_exact = may_read & (sizes > 0)
    is_pointer = np.isin(targets, sections.addresses(_FUNCTIONS)) & (references.kinds != INDEXED)
    is_whole = may_read & (sizes == 0) & ~is_pointer
    rows = resolved.rows.copy()
    for number in np.flatnonzero(is_exact).tolist():
        read = meanings.content(int(targets[number]), int(sizes[number]))
        mix_in(rows, number, read.identity)
    identities: dict[int, bytes] = {}
    pairs: list[tuple[int, int]] = []
    data = frozenset(sections.addresses(_OBJECTS).tolist())
    for number in np.flatnonzero(is_whole).tolist():
        table = int(tables[number])
        span = slice(*np.searchsorted(references.owners, [table, table + 1]).tolist())
        if table not in identities:
            identities[table] = _identity(resolved, sections, meanings, table, span, data)
        mix_in(rows, number, identities[table])
        pairs += [(int(references.owners[number]), item) for item in _objects(resolved, span)]
    around = np.array(pairs, np.int64).reshape(-1, 2)
    owners, objects = resolved.around
    both = np.concatenate([owners, around[:, 0]]), np.concatenate([objects, around[:, 1]])
    return replace(resolved, rows=rows, around=both)


def _identity(
    resolved: Resolved,
    sections: CodeSections,
    meanings: Meanings,
    table: int,
    span: slice,
    data: frozenset[int],
) -> bytes:
    """What a table holds; one that may be code, blind to where things lie."""
    start, end = int(sections.functions.starts[table]), int(sections.functions.ends[table])
    if start in data:
        return meanings.content(start, end - start).identity
    own = sections.masked[sections.code.begins[table] : sections.code.ends[table]].tobytes()
    return short_digest(own, resolved.rows[span].tobytes())


def _objects(resolved: Resolved, span: slice) -> set[int]:
    """The numbers of the objects that a table points to."""
    plain = set(resolved.objects[span].tolist()) - {NOWHERE}
    found = {number for number in resolved.meanings[span].tolist() if number != NOWHERE}
    return plain.union(*(resolved.found[number].objects for number in found))
