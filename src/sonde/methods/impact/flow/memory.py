"""Loads, stores and copies as edges to and from the cells of memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from sonde.methods.impact.flow.edges import FlowEdges
from sonde.methods.impact.flow.graph import NodeNumbers, NodeOrigin
from sonde.methods.impact.program.memory import Memory

MANY = 4  # so many cells, or more, get a node that stands for all of them
ALL = 1 << 62  # bytes: up to the end of an object
SET = NodeOrigin("cells", -1, -1)


class CellEdges:
    """Adds the edges of memory to a graph; same sets of cells share their edges."""

    def __init__(self, memory: Memory, numbering: NodeNumbers, plain: FlowEdges) -> None:
        self.memory, self.numbering, self.plain = memory, numbering, plain
        self.sets: list[NodeOrigin] = []
        self.copies: dict[int, list[int]] = {}
        self._read: dict[int, int] = {}  # the node of cells, by the identity of their tuple
        self._written: dict[int, int] = {}
        self._touched: dict[tuple[int, int], tuple[int, ...]] = {}
        self._behind: dict[int, tuple[int, ...]] = {}  # by identity
        self._tuples: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._room = room_of(memory)

    def load(self, node: int, routine: int, address: int, size: int) -> None:
        """What lies at an address flows to a node."""
        self.read(self._cells(routine, address, size), node)

    def store(self, node: int, routine: int, address: int, size: int) -> None:
        """A node flows to what lies at an address."""
        self.write(node, self._cells(routine, address, size))

    def read(self, cells: tuple[int, ...], node: int) -> None:
        """The contents of cells flow to a node."""
        first = self.numbering.first_cell
        if len(cells) < MANY:
            for cell in cells:
                self.plain.add(first + cell, node)
            return
        if id(cells) not in self._read:
            self._read[id(cells)] = self.new(SET)
            self.plain.add_all([first + cell for cell in cells], self._read[id(cells)])
        self.plain.add(self._read[id(cells)], node)

    def write(self, node: int, cells: tuple[int, ...]) -> None:
        """A node flows to the contents of cells."""
        first = self.numbering.first_cell
        if len(cells) < MANY:
            for cell in cells:
                self.plain.add(node, first + cell)
            return
        if id(cells) not in self._written:
            self._written[id(cells)] = self.new(SET)
            self.plain.add_to_all(self._written[id(cells)], [first + cell for cell in cells])
        self.plain.add(node, self._written[id(cells)])

    def copy(self, pairs: Sequence[tuple[int, int]], call: int, what: NodeOrigin) -> None:
        """A call copies the contents of some cells to others; one node a cell it copies from."""
        first = self.numbering.first_cell
        sources, targets = {source for source, _ in pairs}, {target for _, target in pairs}
        if len(pairs) == len(sources) * len(targets) > MANY:  # each to each: fields are folded
            joint = self.new(what)
            self.read(self._shared(sorted(sources)), joint)
            self.write(joint, self._shared(sorted(targets)))
            self.copies.setdefault(call, []).append(joint)
            return
        nodes: dict[int, int] = {}
        for source, target in pairs:
            node = nodes.get(source)
            if node is None:
                node = nodes[source] = self.new(what)
                self.plain.add(first + source, node)
            self.plain.add(node, first + target)
        if nodes:
            self.copies.setdefault(call, []).extend(nodes.values())

    def from_here_on(self, routine: int, operand: int) -> tuple[int, ...]:
        """The cells that a function may use which gets this address: those behind it, too."""
        return self._cells(routine, operand, ALL)

    def all_of(self, object: int) -> tuple[int, ...]:
        """All cells of an object."""
        return self._shared(self.memory.cells_of(object))

    def behind(self, cells: tuple[int, ...]) -> tuple[int, ...]:
        """The cells that pointers which lie in these cells point to, and those behind them."""
        found = self._behind.get(id(cells))
        if found is None:
            sets = self.memory.set_of_cell
            distinct = {sets[cell]: cell for cell in cells}  # many cells hold the same pointers
            pointees: set[int] = set()
            for cell in distinct.values():
                pointees.update(self.memory.pointees_in(cell))
            found = self._behind[id(cells)] = self._spread(sorted(pointees), ALL)
        return found

    def _cells(self, routine: int, operand: int, size: int) -> tuple[int, ...]:
        """The cells that an access of so many bytes touches."""
        memory = self.memory
        pointees = memory.pointees(routine, operand)
        if not pointees:
            return ()
        if operand < 0:
            return self._spread(pointees, size)
        number = memory.set_of_value[memory.first_value[routine] + operand]
        key = (number, size)
        found = self._touched.get(key)
        if found is None:
            found = self._touched[key] = self._spread(pointees, size)
        return found

    def _spread(self, pointees: Sequence[int], size: int) -> tuple[int, ...]:
        """The cells that begin in so many bytes from where pointers point to."""
        room = self._room
        longer = [cell for cell in pointees if size > room[cell]]
        if not longer:
            return self._shared(pointees)
        found = set(pointees)
        for cell in self._lowest(longer) if size == ALL else longer:
            found.update(self.memory.cells_within(cell, size))
        return self._shared(sorted(found))

    def _lowest(self, cells: Sequence[int]) -> Iterable[int]:
        """The first one of these cells in each object: what is behind it is behind all."""
        places = self.memory.cells
        found: dict[int, int] = {}
        for cell in cells:
            object, offset = places[cell]
            known = found.get(object)
            if known is None or offset < places[known].offset:
                found[object] = cell
        return found.values()

    def _shared(self, cells: Iterable[int]) -> tuple[int, ...]:
        """The one tuple of these cells, which is then known by its identity: long ones are slow to hash."""
        found = tuple(cells)
        return self._tuples.setdefault(found, found)

    def new(self, what: NodeOrigin) -> int:
        """A further node, behind those of memory."""
        self.sets.append(what)
        return self.numbering.first_set + len(self.sets) - 1


def room_of(memory: Memory) -> list[int]:
    """For each cell the bytes from it to the next one of its object; very many behind the last one."""
    room = [1 << 62] * len(memory.cells)
    for number in range(len(memory.objects)):
        cells = memory.cells_of(number)
        for cell, following in pairwise(cells):
            room[cell] = memory.cells[following].offset - memory.cells[cell].offset
    return room
