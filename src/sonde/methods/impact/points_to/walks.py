"""Pointers that go along elements, by an index that varies or step by step, and what else they come to.

All elements of an array are one: a *walk* goes from one element to any other, and stays at the same cell.
That is true as long as all cells where it goes lie in one element. If others do, as where bytes are taken one
by one out of a structure, a union or a buffer that is cast to a structure, the walk *leaves* its cell: it may
come to any cell where it goes. From then on pointers that have walked there point to all of these cells, and
all cells of the object hold the same pointers. Who uses a field by its name still uses that one alone.

Where a walk goes is the array or the member that its pointer was led into, by the types of the code, or the
whole object. The *view* of a pointer tells that, and whether it has walked. A cell that is seen through a
view has a number of its own, and shares its contents with the cell itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol

from sonde.core.code import OPEN
from sonde.methods.impact.program.element_walks import EVERYTHING, ElementWalk, Steps, View, follow
from sonde.methods.impact.program.memory import Cell, Object, ObjectKind

MOST_WALKED = 4  # ranges of one pointer; of one with more, it is not told where it has walked
SOMEWHERE = frozenset({(-1, -1)})  # where a pointer has walked of which that is not told


class WalkState(Protocol):
    """What walks know of objects and cells (`Constraints`)."""

    objects: list[Object]
    sizes: list[int]
    cells: list[Cell]
    contents: list[int]
    numbers: dict[tuple[int, int], int]
    cells_of: list[list[int]]
    folded: set[int]

    def cell(self, object: int, offset: int) -> int:
        """The cell of an object at an offset; -1 if it lies outside of the object."""
        ...


class Walks:
    """The walks in all objects, and the cells that are seen through views."""

    def __init__(self, made: WalkState) -> None:
        self.made = made
        self.views: dict[int, View] = {}  # by the number of a cell that is seen through one
        self.numbers: dict[tuple[int, int, View], int] = {}
        self.of: dict[int, dict[ElementWalk, None]] = {}  # by object
        self.left: dict[int, list[ElementWalk]] = {}  # by object: the walks that leave their cells
        self.to_join: list[int] = []  # objects of `left`: who solves must join the contents of their cells
        self._known_elements: dict[
            int, tuple[tuple[int, int], list[tuple[ElementWalk, list[tuple[int, int]]]]]
        ] = {}
        self.outside: dict[int, dict[tuple[int, int, int], None]] = {}  # by object: cell, offset and node
        self.to_lead: list[int] = []  # objects with such, where somebody walks by now
        self.walkers: dict[
            int, dict[tuple[int, int], None]
        ] = {}  # by object: the nodes that walk from a cell

    def lead(self, cell: int, offset: int, steps: Steps) -> int:
        """The cell so many bytes behind another one, along these steps; -1 if the object ends before it."""
        made = self.made
        object, at = made.cells[cell]
        if object in made.folded:
            return made.numbers[object, 0]
        view, walks = follow(at, self._view(cell), offset, steps)
        for walk in walks:
            self._add(object, walk)
        there = at + offset
        if made.cell(object, there) < 0:
            if not view.walked and not self._is_element(object, at, offset):
                return -1
            there, view = at, View(0, OPEN, SOMEWHERE, has_moved=True)  # it may have begun at another element
        return self._seen(object, there, view)

    def _view(self, cell: int) -> View:
        """The view of a pointer to a cell, as of one that walks if any does that was led into the same."""
        view = self.views.get(cell)
        if view is None:
            return EVERYTHING
        walks = self.of.get(self.made.cells[cell].object, ())
        is_walked = any(walk.start == view.start and walk.end == view.end for walk in walks)
        return view.walking() if is_walked and view.end < OPEN else view

    def leaves(self, cell: int, offset: int) -> bool:
        """Whether an offset leads from a cell out of what its pointer was led into."""
        view = self.views.get(cell, EVERYTHING)
        return not view.start <= self.made.cells[cell].offset + offset <= view.end

    def await_walk(self, cell: int, offset: int, node: int) -> None:
        """A node gets what lies at an offset outside as soon as somebody walks in the object (`to_lead`)."""
        self.outside.setdefault(self.made.cells[cell].object, {})[cell, offset, node] = None

    def is_near(self, cell: int, offset: int) -> bool:
        """Whether an offset may lead from a cell to another element of its object."""
        return self._is_near(self.made.cells[cell].object, offset)

    def _is_element(self, object: int, at: int, offset: int) -> bool:
        """Whether a place lies in an array, where an offset may lead from an element to another."""
        walks = self.of.get(object, ()) if self._is_near(object, offset) else ()
        return any(walk.start <= at < walk.end for walk in walks)

    def _is_near(self, object: int, offset: int) -> bool:
        size = self.made.sizes[object]
        return not size or abs(offset) <= size

    def walk(self, cell: int, stride: int, node: int) -> int:
        """A node walks from a cell: the cell as it is seen then, or -1 if the walk does not leave it."""
        made = self.made
        object, at = made.cells[cell]
        if object in made.folded:
            return -1
        view = self.views.get(cell, EVERYTHING)
        self._add(object, ElementWalk(at, view.start, view.end, stride))
        if (view.start, view.end) in view.walked:
            return -1
        self.walkers.setdefault(object, {})[cell, node] = None
        return self.walked(cell) if object in self.left else -1

    def walked(self, cell: int) -> int:
        """A cell as it is seen by a pointer that has walked."""
        object, at = self.made.cells[cell]
        return self._seen(object, at, self.views.get(cell, EVERYTHING).walking())

    def look_at(self, object: int, offset: int) -> None:
        """An object got a cell at an offset: some of its walks may leave their cells now."""
        for walk in self.of.get(object, ()):
            if walk.leaves_at(offset):
                self._leave(object, walk)

    def pointees(self, cell: int) -> Sequence[int]:
        """The cells that a pointer to this one may point to, once all is known."""
        made = self.made
        object, at = made.cells[cell]
        if object in made.folded:
            return (made.numbers[object, 0],)
        view = self.views.get(cell)
        if view is None:
            return (cell,)
        left = self._ranges_left(object, view)
        if not left:
            return (made.numbers[object, at],)
        if view.has_moved:
            return made.cells_of[object]
        return [
            each
            for each in made.cells_of[object]
            if any(start <= made.cells[each].offset < end for start, end in left)
            or made.cells[each].offset == at
        ]

    def covering(self, object: int, offset: int) -> list[int]:
        """The cells of the elements at an offset where the object has no cell of its own."""
        made = self.made
        if object in self.left:
            return made.cells_of[object][:1]  # all hold the same
        if (object, offset) in made.numbers:
            return []
        found: dict[int, None] = {}
        for walk, places in self._elements(object):
            if walk.start <= offset < walk.end:
                number = bisect_right(places, ((offset - walk.offset) % walk.stride, OPEN))
                if number:
                    found[places[number - 1][1]] = None
        return list(found)

    def _elements(self, object: int) -> list[tuple[ElementWalk, list[tuple[int, int]]]]:
        """The walks in an object that is not left: places in an element, with their cells."""
        made = self.made
        walks, cells = self.of.get(object, {}), made.cells_of[object]
        known = self._known_elements.get(object)
        if known is None or known[0] != (len(walks), len(cells)):
            offsets = sorted((made.cells[cell].offset, cell) for cell in cells)
            found = [
                (walk, [(at - walk.offset, cell) for at, cell in offsets if walk.start <= at < walk.end])
                for walk in walks
            ]
            known = self._known_elements[object] = ((len(walks), len(cells)), found)
        return known[1]

    def is_left(self, cell: int) -> bool:
        """Whether a pointer to this cell has walked where a walk leaves its cell."""
        view = self.views.get(cell)
        return view is not None and bool(self._ranges_left(self.made.cells[cell].object, view))

    def _ranges_left(self, object: int, view: View) -> list[tuple[int, int]]:
        """Where a pointer has walked, as far as walks leave their cells there."""
        if not view.walked or object not in self.left:
            return []
        if view.walked >= SOMEWHERE:
            return [(0, OPEN)]
        return sorted(view.walked & {(walk.start, walk.end) for walk in self.left[object]})

    def _seen(self, object: int, offset: int, view: View) -> int:
        made = self.made
        cell = made.cell(object, offset)
        if object in made.folded:
            return made.numbers[object, 0]
        size = made.sizes[object]
        if view.start <= 0 and view.end >= (size or OPEN):
            view = view._replace(start=0, end=OPEN)
        if len(view.walked) > MOST_WALKED:
            view = View(view.start, view.end, SOMEWHERE, has_moved=True)
        if view == EVERYTHING:
            return cell
        found = self.numbers.get((object, offset, view))
        if found is None:
            found = self.numbers[object, offset, view] = len(made.cells)
            made.cells.append(made.cells[cell])
            made.contents.append(made.contents[cell])
            self.views[found] = view
        return found

    def _add(self, object: int, walk: ElementWalk) -> None:
        made = self.made
        walks = self.of.setdefault(object, {})
        if walk in walks or made.objects[object].kind is ObjectKind.ROUTINE:
            return
        walks[walk] = None
        if object in self.outside:
            self.to_lead.append(object)
        if any(walk.leaves_at(made.cells[cell].offset) for cell in made.cells_of[object]):
            self._leave(object, walk)

    def _leave(self, object: int, walk: ElementWalk) -> None:
        walks = self.left.get(object)
        if walks is None:
            self.left[object] = [walk]
            self.to_join.append(object)
        elif walk not in walks:
            walks.append(walk)
