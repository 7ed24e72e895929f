"""What references mean that lead to no function and no object: texts, numbers, tables of jumps, stubs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sonde.formats.elf.extents import Integers
from sonde.formats.machine_code.decoding import References
from sonde.formats.machine_code.jump_tables import JumpTables
from sonde.formats.machine_code.meanings import Meaning, Meanings

TABLE = b"table of jumps "
_END_OF_DATA = Meaning(b"the end of the data")


class NamelessMeanings:
    """Finds meanings, and gives each a number."""

    def __init__(self, meanings: Meanings, tables: JumpTables) -> None:
        self.found: list[Meaning] = []
        self._meanings, self._tables = meanings, tables
        self._known: dict[tuple[int, int], int] = {}

    def read(
        self,
        references: References,
        sizes: Integers,
        taken: NDArray[np.bool_],
        are_ends: NDArray[np.bool_],
    ) -> Integers:
        """The number of the meaning of each reference; `are_ends` are those to the end of the data."""
        targets = references.targets
        self._meanings.begin_at(targets[taken], targets[~taken])
        numbers = np.zeros(len(references), np.int64)
        numbers[are_ends] = self._number(_END_OF_DATA) if are_ends.any() else 0
        numbers[taken] = self._texts(targets[taken])
        self._read_tables(references, numbers, np.flatnonzero(taken & (numbers < 0)))
        rest = np.flatnonzero((numbers < 0) | ~(taken | are_ends))
        chosen = zip(rest.tolist(), targets[rest].tolist(), sizes[rest].tolist(), strict=True)
        for number, target, size in chosen:
            place = self._known.get((target, size))
            if place is None:
                meaning = self._meanings.of_operand(target, size) if size else self._meanings.of(target)
                place = self._known[target, size] = self._number(meaning)
            numbers[number] = place
        return numbers

    def _number(self, meaning: Meaning) -> int:
        self.found.append(meaning)
        return len(self.found) - 1

    def _texts(self, targets: Integers) -> Integers:
        """The numbers of those that are texts, -1 for the others."""
        different, which = np.unique(targets, return_inverse=True)
        numbers = [-1 if text is None else self._number(text) for text in self._meanings.texts_at(different)]
        return np.array(numbers, np.int64)[which]

    def _read_tables(self, references: References, numbers: Integers, chosen: Integers) -> None:
        """Fill in the numbers of those that are tables of jumps."""
        known: dict[tuple[int, int], int] = {}
        owners, targets = references.owners[chosen].tolist(), references.targets[chosen].tolist()
        for number, owner, target in zip(chosen.tolist(), owners, targets, strict=True):
            if (owner, target) not in known:
                table = self._tables.read(target, self._meanings.end_of(target), owner)
                known[owner, target] = -1 if table is None else self._number(Meaning(TABLE + table))
            numbers[number] = known[owner, target]
        self._meanings.stop_at(target for (_, target), number in known.items() if number >= 0)
