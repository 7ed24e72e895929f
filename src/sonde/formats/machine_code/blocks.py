"""Data around an address, in a program at a fixed address.

There a compiler folds the constant part of an index into the address: `days[year - 1900]` reads at
`days - 7600` plus four times the year. That may lie anywhere, also outside of all sections, so code that adds
something to such an address may mean any object around it. To name each of them in each function would be
much, so they are gathered in blocks: data objects that hold nothing, and refer to what lies in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from sonde.core.evidence import DataObject, Key
from sonde.formats.elf.extents import NOWHERE, Extents, Integers
from sonde.formats.elf.image import Image
from sonde.formats.elf.symbols import Named
from sonde.formats.machine_code.meanings import short_digest

REACH_BYTES = 1 << 16
_NOTHING = short_digest().hex()


class Blocks:
    """The blocks of an image, each of a part of a section."""

    def __init__(self, output: str, image: Image, objects: Named) -> None:
        spans: dict[tuple[int, int], Key] = {}
        homes = np.unique(image.extents.find(objects.extents.starts))
        for section in (image.sections[number] for number in homes[homes != NOWHERE].tolist()):
            for number, start in enumerate(range(section.address, section.end, REACH_BYTES)):
                name = f"{section.name} (from {number * REACH_BYTES >> 10} KB)"
                spans[start, min(start + REACH_BYTES, section.end)] = Key(output, "", name)
        self._keys, self._objects = tuple(spans.values()), objects
        self._extents = Extents.of(list(spans))

    def around(self, owners: Integers, targets: Integers) -> Mapping[int, frozenset[Key]]:
        """For each owner, the blocks that its targets may mean."""
        firsts = np.searchsorted(self._extents.ends, targets - REACH_BYTES, side="right").tolist()
        lasts = np.searchsorted(self._extents.starts, targets + REACH_BYTES).tolist()
        found: dict[int, set[Key]] = {}
        for owner, first, last in {*zip(owners.tolist(), firsts, lasts, strict=True)}:
            found.setdefault(owner, set()).update(self._keys[first:last])
        return {owner: frozenset(keys) for owner, keys in found.items()}

    def objects(self, keys: Iterable[Key]) -> Mapping[Key, DataObject]:
        """Some of the blocks."""
        wanted = frozenset(keys)
        starts, ends = self._objects.extents.starts, self._objects.extents.ends
        found = {}
        spans = zip(self._keys, self._extents.starts.tolist(), self._extents.ends.tolist(), strict=True)
        for key, start, end in spans:
            if key in wanted:
                inside = np.flatnonzero((starts < end) & (ends > start)).tolist()
                refers_to = frozenset([self._objects.keys[number] for number in inside])
                found[key] = DataObject(_NOTHING, end - start, is_constant=True, refers_to=refers_to)
        return found
