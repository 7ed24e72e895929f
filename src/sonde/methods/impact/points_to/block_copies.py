"""Memory that is copied field by field: from all that one pointer may point to, to all that another may.

What lies so many bytes behind a pointer is gathered in one node, and given from there to what lies as many
bytes behind the other pointer, so that many to many stay few. Copies of the same pointers share these nodes.
Objects that are copied to one another are folded together. What is moved inside of an object of unknown size,
to behind where it was, fills all of it: such an object is folded at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sonde.methods.impact.points_to.constraints import NO_LENGTH, Block, Constraints
from sonde.methods.impact.program.memory import Cell


@dataclass
class _End:
    """What a pointer points to, as one end of copies."""

    length: int  # in bytes, of a source; 0: a target
    nodes: dict[int, int] = field(default_factory=dict)  # by distance: what lies there
    places: dict[Cell, None] = field(default_factory=dict)
    objects: dict[int, int] = field(default_factory=dict)  # the first offset of each, of a target the last
    others: list[int] = field(default_factory=list)  # the other ends of its copies
    whole: int = -1  # the node of all that comes to folded objects, if a target has some
    is_folded: bool = False  # some object is
    is_all_folded: bool = False


class BlockCopies:
    """Adds the copies of all blocks, as pointers get cells and objects get fields."""

    def __init__(self, constraints: Constraints, copy: Callable[[int, int], None]) -> None:
        self.constraints, self.copy = constraints, copy
        self.ends: list[_End] = []
        self.numbers: dict[tuple[int, int], int] = {}  # of ends, by node and length
        self.joined: set[tuple[int, int]] = set()
        self.read: dict[int, list[tuple[int, int]]] = {}  # by object: offset and end of copies out of it
        self.seen_cells: dict[int, int] = {}  # by object: how many of its cells these copies have seen
        self.ends_of: dict[int, set[int]] = {}  # by object
        self.elements: dict[tuple[int, int], int] = {}  # by source and distance: what lies in arrays there
        self.seen_elements: set[tuple[int, int]] = set()  # copies of these

    def add(self, block: Block, source: int, target: int) -> tuple[int, int]:
        """A block between two nodes; the numbers of its ends, which want to know what the nodes have."""
        first, last = self._end(source, block.length), self._end(target, 0)
        if (first, last) not in self.joined:
            self.joined.add((first, last))
            self.ends[first].others.append(last)
            self.ends[last].others.append(first)
            for distance in list(self.ends[first].nodes):
                self._connect(first, last, distance)
            self._fold_both(first, last)
            for object in self.ends[first].objects.keys() & self.ends[last].objects.keys():
                self._fold_moved(first, object)
        return first, last

    def _end(self, node: int, length: int) -> int:
        found = self.numbers.get((node, length))
        if found is None:
            found = self.numbers[node, length] = len(self.ends)
            self.ends.append(_End(length))
        return found

    def point(self, number: int, cells: list[int]) -> None:
        """The pointer of an end points to these cells."""
        made, end = self.constraints, self.ends[number]
        for cell in cells:
            place = made.cells[cell]
            if place in end.places:
                continue
            end.places[place] = None
            object, offset = place
            known = end.objects.get(object)
            if known is None:
                end.objects[object] = offset
                self.ends_of.setdefault(object, set()).add(number)
                self._take_in(number, object)
            elif (offset < known) == bool(end.length):
                end.objects[object] = offset
            self._fold_moved(number, object)
            if end.length:
                self.read.setdefault(object, []).append((offset, number))
                self._gather(object, offset, number, made.cells_of[object])
            elif object in made.folded:
                self._give_whole(end, object)
            else:
                for distance, node in list(end.nodes.items()):
                    self._give(node, place, distance)

    def follow_new_cells(self) -> None:
        """Take along the cells that objects got since the last time."""
        made = self.constraints
        is_new = True
        while is_new:
            is_new = False
            for object, ends in self.read.items():
                seen, count = self.seen_cells.get(object, 0), len(made.cells_of[object])
                if seen < count:
                    is_new = True
                    self.seen_cells[object] = count
                    fresh = made.cells_of[object][seen:count]
                    for offset, number in ends:
                        self._gather(object, offset, number, fresh)

    def _gather(self, object: int, offset: int, number: int, cells: list[int]) -> None:
        """Copies what lies behind a pointer to the nodes of its end."""
        made, end = self.constraints, self.ends[number]
        for cell in list(cells):
            distance = made.cells[cell].offset - offset
            if 0 <= distance < end.length:
                self._take(number, distance, cell)

    def copy_elements(self) -> None:
        """Copy elements to where the other end has a cell, and their array has none of its own.

        So it is with bytes that are copied to a structure. To be called again until nothing is new.
        """
        made = self.constraints
        for number, end in enumerate(self.ends):
            arrays = [place for place in end.places if end.length and place.object in made.walks.of]
            if not arrays:
                continue
            targets = self._cells_by_distance(end)
            for place in arrays:
                if place.object in made.folded:
                    continue
                for distance in targets:
                    for cell in made.walks.covering(place.object, place.offset + distance):
                        self._take_element(number, distance, cell, targets[distance])

    def _cells_by_distance(self, end: _End) -> dict[int, list[int]]:
        """The cells that there are where a source is copied to."""
        made = self.constraints
        found: dict[int, list[int]] = {}
        for place in {place: None for other in end.others for place in self.ends[other].places}:
            for cell in made.cells_of[place.object] if place.object not in made.folded else ():
                distance = made.cells[cell].offset - place.offset
                if 0 <= distance < end.length:
                    found.setdefault(distance, []).append(cell)
        return found

    def _take_element(self, number: int, distance: int, cell: int, targets: list[int]) -> None:
        made = self.constraints
        node = self.elements.get((number, distance))
        if node is None:
            node = self.elements[number, distance] = made.new_node()
        pairs = [(made.contents[cell], node), *((node, made.contents[each]) for each in targets)]
        for pair in pairs:
            if pair not in self.seen_elements:
                self.seen_elements.add(pair)
                self.copy(*pair)

    def _take(self, number: int, distance: int, cell: int) -> None:
        made, end = self.constraints, self.ends[number]
        if distance not in end.nodes:
            end.nodes[distance] = made.new_node()
            for other in end.others:
                self._connect(number, other, distance)
        self.copy(made.contents[cell], end.nodes[distance])

    def _connect(self, first: int, last: int, distance: int) -> None:
        """What is gathered at one end is given to the other."""
        end = self.ends[last]
        node = end.nodes.get(distance)
        if node is None:
            made = self.constraints
            node = end.nodes[distance] = made.new_node()
            if end.whole >= 0:
                self.copy(node, end.whole)
            for place in [each for each in end.places if each.object not in made.folded]:
                self._give(node, place, distance)
        self.copy(self.ends[first].nodes[distance], node)

    def _give_whole(self, end: _End, object: int) -> None:
        """All that comes to an end lies in the one cell of an object that was folded."""
        made = self.constraints
        if end.whole < 0:
            end.whole = made.new_node()
            for node in end.nodes.values():
                self.copy(node, end.whole)
        self.copy(end.whole, made.contents[made.numbers[object, 0]])

    def _give(self, node: int, place: Cell, distance: int) -> None:
        made = self.constraints
        cell = made.cell(place.object, place.offset + distance)
        if cell < 0 and place.object in made.walks.left:
            cell = made.numbers[place.object, 0]  # the pointer may point before this place as well
        if cell >= 0:
            self.copy(node, made.contents[cell])

    # -- folding

    def fold(self, object: int) -> None:
        """Fold what an object that was folded is copied to or from."""
        for number in self.ends_of.get(object, ()):
            if not self.ends[number].length:
                self._give_whole(self.ends[number], object)
            self._fold_end(number)

    def _take_in(self, number: int, object: int) -> None:
        """An end has a further object."""
        end = self.ends[number]
        if end.is_all_folded:
            self.constraints.fold(object)
        elif object in self.constraints.folded:
            self._fold_end(number)
        elif end.is_folded or any(self.ends[other].is_folded for other in end.others):
            for other in end.others:
                self._fold_both(number, other)

    def _fold_moved(self, number: int, object: int) -> None:
        """Fold an object of unknown size if an end moves what lies in it to behind where it was."""
        made, end = self.constraints, self.ends[number]
        if made.sizes[object] or object in made.folded:
            return
        for each in end.others:
            other = self.ends[each]
            source, target = (end, other) if end.length else (other, end)
            if source.length < NO_LENGTH or object not in source.objects or object not in target.objects:
                continue
            if source.objects[object] < target.objects[object]:
                made.fold(object)

    def _fold_end(self, number: int) -> None:
        self.ends[number].is_folded = True
        if self.ends[number].is_all_folded:
            return
        for other in self.ends[number].others:
            self._fold_both(number, other)

    def _fold_both(self, one: int, other: int) -> None:
        """If anything at either end is folded, all is, as soon as something is copied."""
        ends = self.ends[one], self.ends[other]
        if not (ends[0].is_folded or ends[1].is_folded) or not (ends[0].objects and ends[1].objects):
            return
        for end in ends:
            if not end.is_all_folded:
                end.is_all_folded = True
                for object in end.objects:
                    self.constraints.fold(object)
