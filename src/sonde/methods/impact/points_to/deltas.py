"""What is new in nodes: many nodes get the same cells in one wave, which are looked at and moved once."""

from __future__ import annotations

from typing import NamedTuple

from sonde.methods.impact.bits import bits_of, positions_of_bits
from sonde.methods.impact.points_to.constraints import Constraints
from sonde.methods.impact.program.element_walks import Steps


class Move(NamedTuple):
    """Where a field leads from some cells."""

    cells: int  # as bits
    late: int  # a node for what lies outside and is known once somebody walks there; -1: there is none


class Deltas:
    """The cells of sets of bits, what lies in them, and where fields lead from them, during one wave."""

    def __init__(self, constraints: Constraints) -> None:
        self.constraints = constraints
        self._cells: dict[int, list[int]] = {}
        self._contents: dict[int, list[int]] = {}
        self._moves: dict[tuple[int, int, Steps], Move] = {}
        self._cells_behind: dict[int, dict[int, int]] = {}  # by offset: cells to those where it leads
        self._folded = 0  # objects, when these were found

    def forget(self) -> None:
        """Begin a wave: nodes are joined, objects are folded and walks are added between two of them."""
        self._cells.clear()
        self._contents.clear()
        self._moves.clear()
        if len(self.constraints.folded) > self._folded:
            self._folded = len(self.constraints.folded)
            self._cells_behind.clear()

    def cells(self, delta: int) -> list[int]:
        """The cells of a set, in order."""
        found = self._cells.get(delta)
        if found is None:
            found = self._cells[delta] = positions_of_bits(delta)
        return found

    def contents(self, delta: int) -> list[int]:
        """The leaders of what lies in the cells, each once: those of one object often hold the same."""
        found = self._contents.get(delta)
        if found is None:
            contents, leader = self.constraints.contents, self.constraints.leader
            nodes = dict.fromkeys([contents[cell] for cell in self.cells(delta)])
            found = self._contents[delta] = list(dict.fromkeys(map(leader, nodes)))
        return found

    def move(self, delta: int, offset: int, steps: Steps) -> Move:
        """Where a field leads from these cells."""
        key = delta, offset, steps
        found = self._moves.get(key)
        if found is None:
            found = self._moves[key] = self._moved(self.cells(delta), offset, steps)
        return found

    def _moved(self, cells: list[int], offset: int, steps: Steps) -> Move:
        made, walks = self.constraints, self.constraints.walks
        views, late = walks.views, -1
        behind = self._cells_behind.setdefault(offset, {})
        found: list[int] = []
        for cell in cells:
            if steps or cell in views:
                other = walks.lead(cell, offset, steps)
            else:
                other = behind.get(cell, -1)
                if other < 0:
                    object, at = made.cells[cell]
                    other = behind[cell] = made.cell(object, at + offset)
            if other < 0 or (cell in views and not steps and walks.leaves(cell, offset)):
                other = walks.lead(cell, offset, ())
                if walks.is_near(cell, offset):
                    late = made.new_node() if late < 0 else late
                    walks.await_walk(cell, offset, late)
            if other >= 0:
                found.append(other)
        return Move(bits_of(found), late)
