"""What must hold of what pointers point to: a few kinds of rules over numbered sets of cells.

A *node* is a set of cells to be found: what a value of a routine points to, or what the pointers that lie
in a cell point to. Nodes that are known to be equal are joined (`leader`).
"""

from __future__ import annotations

from typing import NamedTuple

from sonde.methods.impact.points_to.pieces import POINTER_BYTES
from sonde.methods.impact.points_to.walks import Walks
from sonde.methods.impact.program.element_walks import Steps
from sonde.methods.impact.program.linking import External, GlobalRef, Named, Program, RoutineRef
from sonde.methods.impact.program.memory import Cell, Object, ObjectKind, key_of

MOST_CELLS = 1024  # of an object of known size; one with more is folded into one cell
MOST_CELLS_OF_UNKNOWN = 128  # the same for one of unknown size: a pointer that steps on never ends otherwise
NO_LENGTH = 1 << 62


class Site(NamedTuple):
    """A CALL with the nodes of its arguments and of its result."""

    routine: int
    position: int
    arguments: tuple[int, ...]  # -1: no pointer
    result: int
    is_callback: bool = False  # not the CALL itself, but the library function that it calls calls on


class Block(NamedTuple):
    """Memory that is copied field by field, from where a node points to where another one does."""

    target: int
    source: int
    length: int  # in bytes
    site: tuple[int, int]  # routine and position of the CALL


class Constraints:
    """The rules, in lists that only grow: who solves them reads on where it stopped."""

    def __init__(self, program: Program, *, has_fields: bool = True) -> None:
        self.program = program
        self.has_fields = has_fields  # else each object is one cell
        self.parents: list[int] = []  # of nodes: leads to the leader
        self.points: list[tuple[int, int]] = []  # node has cell
        self.copies: list[tuple[int, int]] = []  # all of the first node is in the second
        self.loads: list[tuple[int, int]] = []  # what lies where the first points is in the second
        self.stores: list[tuple[int, int]] = []  # where the first points, the second lies
        self.fields: list[tuple[int, int, int, Steps]] = []  # (base, offset, node, steps)
        self.walking: list[tuple[int, int]] = []  # the node is moved along elements of so many bytes
        self.blocks: list[Block] = []
        self.calls: list[tuple[int, Site]] = []  # through a pointer, a node
        self.objects: list[Object] = []
        self.sizes: list[int] = []  # of objects; 0: unknown
        self.is_taken: list[bool] = []  # whether anything but the routine itself may use an object
        self.cells: list[Cell] = []
        self.contents: list[int] = []  # the node of each cell: what lies there
        self.numbers: dict[tuple[int, int], int] = {}  # of cells
        self.cells_of: list[list[int]] = []
        self.folded: set[int] = set()  # objects with one cell
        self.to_fold: list[int] = []
        self.walks = Walks(self)
        self.named: dict[tuple[str, int | str], int] = {}  # see key_of
        self.heap: dict[tuple[int, int], int] = {}  # objects by the call that makes them
        self.owned: dict[str, int] = {}  # what library functions return, by their name
        self.variadic: dict[int, int] = {}  # cells
        self.known: dict[int, int] = {}  # values that are the address of just one cell; they are no nodes
        self.address_nodes: dict[int, int] = {}
        self.called_back: dict[tuple[int, int], set[int]] = {}
        self.called: dict[tuple[int, int], tuple[set[int], set[str]]] = {}
        self.first_value: list[int] = []
        self._number_values()
        self.thrown = self.new_node()

    def _number_values(self) -> None:
        count = 0
        for routine in self.program.routines:
            self.first_value.append(count)
            count += routine.parameters + len(routine.instructions) + 1
        self.parents = list(range(count))

    def returned(self, routine: int) -> int:
        """The node of what a routine returns: behind those of its values."""
        body = self.program.routines[routine]
        return self.first_value[routine] + body.parameters + len(body.instructions)

    def new_node(self) -> int:
        """A node of its own."""
        self.parents.append(len(self.parents))
        return len(self.parents) - 1

    def leader(self, node: int) -> int:
        """The node that stands for all that were joined with this one."""
        parents = self.parents
        while parents[node] != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    def new_object(self, object: Object, size: int = 0, *, is_folded: bool = False) -> int:
        """Another object, with its first cell."""
        number = len(self.objects)
        self.objects.append(object)
        self.sizes.append(size)
        self.is_taken.append(object.kind is not ObjectKind.LOCAL)
        self.cells_of.append([])
        if is_folded or not self.has_fields:
            self.folded.add(number)
        self.cell(number, 0)
        return number

    def cell(self, object: int, offset: int) -> int:
        """The cell of an object at an offset; -1 if it lies outside of the object.

        Just behind the end counts as inside, for loops that come from there.
        """
        if object in self.folded:
            offset = 0
        found = self.numbers.get((object, offset))
        if found is not None:
            return found
        size = self.sizes[object]
        if offset < 0 or (size and offset > size):
            return -1
        if len(self.cells_of[object]) >= (MOST_CELLS if size else MOST_CELLS_OF_UNKNOWN):
            self.fold(object)
            return self.numbers[object, 0]
        number = len(self.cells)
        self.numbers[object, offset] = number
        self.cells.append(Cell(object, offset))
        self.cells_of[object].append(number)
        is_joint = object in self.walks.left
        self.contents.append(self.contents[self.numbers[object, 0]] if is_joint else self.new_node())
        self.walks.look_at(object, offset)
        return number

    def fold(self, object: int) -> None:
        """Make one cell of all cells of an object; who solves must join their contents (`to_fold`)."""
        if object not in self.folded:
            self.folded.add(object)
            self.to_fold.append(object)

    def object_named(self, meaning: Named) -> int:
        """The object of a routine, a global or a thing of a library."""
        key = key_of(meaning)
        found = self.named.get(key)
        if found is None:
            found = self.named[key] = self._new_named(meaning)
        return found

    def _new_named(self, meaning: Named) -> int:
        match meaning:
            case RoutineRef(id):
                return self.new_object(
                    Object(ObjectKind.ROUTINE, -1, id, self.program.routines[id].name), POINTER_BYTES
                )
            case GlobalRef(id):
                each = self.program.globals[id]
                return self.new_object(Object(ObjectKind.GLOBAL, -1, id, each.name), each.size)
            case External(name):
                return self.new_object(Object(ObjectKind.EXTERNAL, -1, -1, name))

    def made_at(self, routine: int, position: int, name: str, size: int = 0) -> int:
        """The first cell of the memory that a CALL makes."""
        site = (routine, position)
        found = self.heap.get(site)
        if found is None:
            object = Object(ObjectKind.HEAP, routine, position, name)
            found = self.heap[site] = self.new_object(object, size)
        return self.numbers[found, 0]

    def owned_by(self, name: str) -> int:
        """The first cell of the memory of a library that its function returns."""
        name = name.removesuffix("()")  # what is called there gives the same again
        found = self.owned.get(name)
        if found is None:
            found = self.owned[name] = self.new_object(Object(ObjectKind.EXTERNAL, -1, -1, f"{name}()"))
        return self.numbers[found, 0]

    def variadic_cell(self, routine: int) -> int:
        """The cell of the further arguments of a variadic routine."""
        found = self.variadic.get(routine)
        if found is None:
            name = f"{self.program.routines[routine].name}(...)"
            object = self.new_object(Object(ObjectKind.LOCAL, routine, -1, name), is_folded=True)
            self.is_taken[object] = True
            found = self.variadic[routine] = self.numbers[object, 0]
        return found

    def address_node(self, cell: int) -> int:
        """A node that has this cell only."""
        found = self.address_nodes.get(cell)
        if found is None:
            found = self.address_nodes[cell] = self.new_node()
            self.points.append((found, cell))
            self.is_taken[self.cells[cell].object] = True
        return found

    def enters(self, site: Site) -> bool:
        """Whether a CALL enters some routine, as far as is known."""
        return bool(self.called.get((site.routine, site.position), ((), ()))[0])

    def note_call(self, site: Site, routine: int = -1, name: str = "") -> None:
        """A CALL may enter a routine, or call a library function."""
        key = (site.routine, site.position)
        if site.is_callback:
            if routine >= 0:
                self.called_back.setdefault(key, set()).add(routine)
            return
        routines, names = self.called.setdefault(key, (set(), set()))
        if routine >= 0:
            routines.add(routine)
        else:
            names.add(name)
