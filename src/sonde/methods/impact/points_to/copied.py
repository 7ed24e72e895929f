"""Which cells a CALL copies to which, once it is known where its arguments point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sonde.methods.impact.points_to.constraints import NO_LENGTH, Constraints
from sonde.methods.impact.program.memory import Object, ObjectKind

FEW_PAIRS = 24  # more go through cells that stand between, so that many to many stay few

ANYWHERE = -1  # a distance: of pointers that have left their cells, it is not known

Pairs = list[tuple[int, int]]
Key = tuple[str | int, ...]  # of cells that stand between


class Solved(Protocol):
    """Who knows the sets of nodes by now."""

    def set_of(self, node: int) -> int:
        """The number of the set of a node."""
        ...

    def members(self, number: int) -> Sequence[int]:
        """The cells of a set."""
        ...

    def walks_away(self, number: int) -> bool:
        """Whether a pointer with this set has walked, and left its cell."""
        ...


def find_copies(made: Constraints, solved: Solved) -> dict[tuple[int, int], Pairs]:
    """The pairs of cells (from, to), by CALL.

    Where there are very many, what is read from all cells of a set and what is written to all of them goes
    through one cell each, which other calls share.
    """
    look = _Look(made, solved)
    found: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for block in made.blocks:
        source, target = solved.set_of(block.source), solved.set_of(block.target)
        length = block.length if made.has_fields else NO_LENGTH  # all of an object is one cell
        pairs = found.setdefault(block.site, set())
        is_apart = not look.walks_away(source) and not look.walks_away(target)
        for distance, froms in look.cells_from(source, length, is_apart).items():
            key: Key = ("from", source, length, distance, is_apart)
            pairs.update(look.pairs(key, froms, target, distance, block.site))
        for distance, froms in look.elements(source, length, target).items() if is_apart else ():
            key = ("elements", source, length, target, distance)
            pairs.update(look.pairs(key, froms, target, distance, block.site))
    return {site: sorted(pairs) for site, pairs in found.items() if pairs}


class _Look:
    """Remembers what was found for sets of cells that several calls share."""

    def __init__(self, made: Constraints, solved: Solved) -> None:
        self.made, self.members = made, solved.members
        self.solved = solved
        self.away: dict[int, bool] = {}
        self.froms: dict[tuple[int, int, bool], dict[int, set[int]]] = {}
        self.tos: dict[tuple[int, int], set[int]] = {}
        self.elements_of: dict[tuple[int, int, int], dict[int, set[int]]] = {}
        self.distances_of: dict[int, list[int]] = {}
        self.cells: dict[Key, int] = {}

    def pairs(self, key: Key, froms: set[int], target: int, distance: int, site: tuple[int, int]) -> Pairs:
        """The pairs that copy some cells, known by a key, to so far behind where a pointer points to."""
        tos = self.cells_to(target, distance)
        if len(froms) * len(tos) <= FEW_PAIRS:
            return [(a, b) for a in froms for b in tos if a != b]
        first, is_first_new = self.between(key, site)
        last, is_last_new = self.between(("to", target, distance), site)
        return [
            (first, last),
            *((each, first) for each in froms if is_first_new),
            *((last, each) for each in tos if is_last_new),
        ]

    def walks_away(self, number: int) -> bool:
        """Whether a pointer with this set has left its cell."""
        found = self.away.get(number)
        if found is None:
            found = self.away[number] = self.solved.walks_away(number)
        return found

    def cells_from(self, number: int, length: int, is_apart: bool) -> dict[int, set[int]]:
        """The cells that are copied from, by the distance from where the pointer points to, if known."""
        found = self.froms.get((number, length, is_apart))
        if found is not None:
            return found
        found = self.froms[number, length, is_apart] = {}
        made = self.made
        for source in self.members(number):
            object, offset = made.cells[source]
            if object in made.folded:
                found.setdefault(0 if is_apart else ANYWHERE, set()).add(made.numbers[object, 0])
                continue
            for cell in made.cells_of[object]:
                distance = made.cells[cell].offset - offset
                if 0 <= distance < length:
                    found.setdefault(distance if is_apart else ANYWHERE, set()).add(cell)
        return found

    def elements(self, source: int, length: int, target: int) -> dict[int, set[int]]:
        """What lies in arrays where the target has cells and these have none, by the distance.

        What has one cell only where it is copied from is an array, for all that is known.
        """
        found = self.elements_of.get((source, length, target))
        if found is not None:
            return found
        found = self.elements_of[source, length, target] = {}
        distances = self.distances(target)
        made = self.made
        for place in self.members(source):
            object, offset = made.cells[place]
            wanted = [
                each for each in distances if each < length and (object, offset + each) not in made.numbers
            ]
            if not wanted or object in made.folded:
                continue
            inside = [
                cell for cell in made.cells_of[object] if 0 <= made.cells[cell].offset - offset < length
            ]
            for distance in wanted:
                cells = inside if len(inside) == 1 else made.walks.covering(object, offset + distance)
                if cells:
                    found.setdefault(distance, set()).update(cells)
        return found

    def distances(self, number: int) -> list[int]:
        """How far behind where a pointer points to there are cells."""
        found = self.distances_of.get(number)
        if found is None:
            made, all_ = self.made, set[int]()
            for to in self.members(number):
                object, offset = made.cells[to]
                if object not in made.folded:
                    all_.update(made.cells[cell].offset - offset for cell in made.cells_of[object])
            found = self.distances_of[number] = sorted(each for each in all_ if each >= 0)
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
            if distance == ANYWHERE and to not in made.folded:
                found.update(cell for cell in made.cells_of[to] if made.cells[cell].offset >= offset)
                continue
            other = made.numbers.get((to, 0 if to in made.folded else offset + distance))
            if other is not None:
                found.add(other)
        return found

    def between(self, key: Key, site: tuple[int, int]) -> tuple[int, bool]:
        """The cell that stands for a set of cells, and whether it is new."""
        found = self.cells.get(key)
        if found is not None:
            return found, False
        thing = Object(ObjectKind.EXTERNAL, *site, "*copied")
        object = self.made.new_object(thing, is_folded=True)
        found = self.cells[key] = self.made.numbers[object, 0]
        return found, True
