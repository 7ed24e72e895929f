"""Which cells a CALL copies to which, once it is known where its arguments point."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sonde.methods.impact.memory import Object, ObjectKind
from sonde.methods.impact.points_to.constraints import NO_LENGTH, Constraints

FEW_PAIRS = 24  # more go through cells that stand between, so that many to many stay few

Pairs = list[tuple[int, int]]


def find_copies(
    made: Constraints, set_of: Callable[[int], int], members: Callable[[int], Sequence[int]]
) -> dict[tuple[int, int], Pairs]:
    """The pairs of cells (from, to), by CALL.

    Where there are very many, what is read from all cells of a set and what is written to all of them goes
    through one cell each, which other calls share.
    """
    look = _Look(made, members)
    found: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for block in made.blocks:
        source, target = set_of(block.source), set_of(block.target)
        length = block.length if made.has_fields else NO_LENGTH  # all of an object is one cell
        pairs = found.setdefault(block.site, set())
        for distance, froms in look.cells_from(source, length).items():
            tos = look.cells_to(target, distance)
            if len(froms) * len(tos) <= FEW_PAIRS:
                pairs.update((a, b) for a in froms for b in tos if a != b)
            else:
                first = look.between(("from", source, length, distance), block.site)
                last = look.between(("to", target, distance, 0), block.site)
                pairs.add((first[0], last[0]))
                if first[1]:
                    pairs.update((each, first[0]) for each in froms)
                if last[1]:
                    pairs.update((last[0], each) for each in tos)
    return {site: sorted(pairs) for site, pairs in found.items() if pairs}


class _Look:
    """Remembers what was found for sets of cells that several calls share."""

    def __init__(self, made: Constraints, members: Callable[[int], Sequence[int]]) -> None:
        self.made, self.members = made, members
        self.froms: dict[tuple[int, int], dict[int, set[int]]] = {}
        self.tos: dict[tuple[int, int], set[int]] = {}
        self.cells: dict[tuple[str, int, int, int], int] = {}

    def cells_from(self, number: int, length: int) -> dict[int, set[int]]:
        """The cells that are copied from, by the distance from where the pointer points to."""
        found = self.froms.get((number, length))
        if found is not None:
            return found
        found = self.froms[number, length] = {}
        made = self.made
        for source in self.members(number):
            object, offset = made.cells[source]
            if object in made.folded:
                found.setdefault(0, set()).add(made.numbers[object, 0])
                continue
            for cell in made.cells_of[object]:
                distance = made.cells[cell].offset - offset
                if 0 <= distance < length:
                    found.setdefault(distance, set()).add(cell)
        return found

    def cells_to(self, number: int, distance: int) -> set[int]:
        """The cells that lie so far behind where a pointer points to."""
        found = self.tos.get((number, distance))
        if found is not None:
            return found
        found = self.tos[number, distance] = set()
        made = self.made
        for target in self.members(number):
            to, offset = made.cells[target]
            other = made.numbers.get((to, 0 if to in made.folded else offset + distance))
            if other is not None:
                found.add(other)
        return found

    def between(self, key: tuple[str, int, int, int], site: tuple[int, int]) -> tuple[int, bool]:
        """The cell that stands for a set of cells, and whether it is new."""
        found = self.cells.get(key)
        if found is not None:
            return found, False
        thing = Object(ObjectKind.EXTERNAL, *site, "*copied")
        object = self.made.new_object(thing, is_folded=True)
        found = self.cells[key] = self.made.numbers[object, 0]
        return found, True
