"""What the pointers of a program may point to.

Memory is a set of *objects* (globals, locals, heap memory named by the call that makes it, routines, things
of libraries). A *cell* is one field of an object: an offset in bytes, where all elements of an array count
as the first one. What a pointer points to is a set of cells.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from sonde.core.code import Address
from sonde.methods.impact.program.linking import External, GlobalRef, Named, Program


class ObjectKind(Enum):
    """Where an object comes from."""

    GLOBAL = "global"
    LOCAL = "local"  # of a routine; position -1: the further arguments of a variadic routine
    HEAP = "heap"  # made by a call: of malloc, or of a routine that hands on what malloc made
    ROUTINE = "routine"
    EXTERNAL = "external"  # of a library: a named thing (stdout, environ), or what a function of it returns


class Object(NamedTuple):
    """Something that has an address."""

    kind: ObjectKind
    routine: int  # that makes it, -1: none
    position: int  # of the instruction that makes it, or the number of the global or routine
    name: str


ARGUMENTS = "*argv"  # the words of the command line, as main gets them


def are_arguments(thing: Object) -> bool:
    """Whether an object is the list of the words of the command line."""
    return thing.kind is ObjectKind.EXTERNAL and thing.name == ARGUMENTS


def is_argument(thing: Object) -> bool:
    """Whether an object is a word of the command line."""
    return thing.kind is ObjectKind.EXTERNAL and thing.name == f"{ARGUMENTS}[]"


class Cell(NamedTuple):
    """One field of an object."""

    object: int
    offset: int  # in bytes


def key_of(meaning: Named) -> tuple[str, int | str]:
    """A key for what a name means; routines and globals with the same number are equal as tuples."""
    return (type(meaning).__name__, meaning[0])


@dataclass(frozen=True)
class SearchLimits:
    """How much a search for pointees may cost before a cheaper one takes its place."""

    seconds: float = 60.0
    instructions: int = 400_000  # of a program; one that is larger gets less time
    seconds_if_larger: float = 10.0


@dataclass
class Memory:
    """What each pointer of a program may point to, and what each call may enter.

    What is numbered (objects, cells) is used by its number. Fields behind `copies` are how it is kept.
    """

    program: Program
    objects: Sequence[Object]
    cells: Sequence[Cell]
    points_to: str  # which analysis: "inclusion-based, field-sensitive", "unification-based, ..."
    reason: str  # why not the best one; empty if it was
    indirect_calls: int
    resolved_calls: int  # of these, those for which something to call is known
    copies: Mapping[tuple[int, int], Sequence[tuple[int, int]]]  # see `copied`
    first_value: Sequence[int]  # the number of each routine's first value among all values
    set_of_value: Sequence[int]  # the number of the set of cells that it points to; ~cell if that is all
    set_of_cell: Sequence[int]  # the same for the pointers that lie in it
    members: Callable[[int], Sequence[int]]  # of a set
    called: Mapping[tuple[int, int], tuple[Sequence[int], Sequence[str]]]  # of each CALL
    called_back: Mapping[tuple[int, int], Sequence[int]]
    cell_numbers: Mapping[tuple[int, int], int]  # by object and offset
    named_objects: Mapping[tuple[str, int | str], int]  # see key_of
    variadic: Mapping[int, int]  # the cell with the further arguments, by routine
    blurred: frozenset[int]  # objects with cells that are used as one, or with a walk that leaves its cell
    seen_cells: Mapping[int, Sequence[int]]  # numbers that stand for other cells, see points_to/walks.py
    _lists: dict[int, Sequence[int]] = field(default_factory=dict, repr=False)
    _cells_of: list[list[int]] = field(default_factory=list, repr=False)

    def pointees(self, routine: int, operand: int) -> Sequence[int]:
        """The cells that a value of a routine, or an address in it, may point to.

        A routine's address is the cell of its object. Nothing for constants and for what is no pointer.
        """
        if operand < 0:
            return self._pointee_of_address(routine, operand)
        return self._list(self.set_of_value[self.first_value[routine] + operand])

    def pointees_in(self, cell: int) -> Sequence[int]:
        """The cells that the pointers which lie in a cell may point to."""
        return self._list(self.set_of_cell[cell])

    def _list(self, number: int) -> Sequence[int]:
        if number < 0:
            return self.seen_cells.get(~number) or (~number,)
        found = self._lists.get(number)
        if found is None:
            found = self._lists[number] = self.members(number)
        return found

    def _pointee_of_address(self, routine: int, operand: int) -> Sequence[int]:
        meaning = self.program.meaning(routine, operand)
        if meaning is None:
            return ()
        outside = self.program.routines[routine].outside[~operand]
        offset = outside.offset if isinstance(outside, Address) else 0
        object = self.named_objects.get(key_of(meaning))
        if object is None:
            return ()
        cell = self.cell_numbers.get((object, offset), self.cell_numbers.get((object, 0)))
        return () if cell is None else (cell,)

    def cells_of(self, object: int) -> Sequence[int]:
        """All cells of an object that something points to, by offset."""
        if not self._cells_of:
            self._cells_of = [[] for _ in self.objects]
            for (owner, _), number in sorted(self.cell_numbers.items()):
                if not self._cells_of[owner] or self._cells_of[owner][-1] != number:
                    self._cells_of[owner].append(number)
        return self._cells_of[object]

    def cells_within(self, cell: int, size: int) -> Sequence[int]:
        """The cells of its object that begin in so many bytes from a cell, by offset."""
        object, offset = self.cells[cell]
        cells = self.cells_of(object)
        first = bisect_left(cells, offset, key=self._offset)
        return cells[first : bisect_left(cells, offset + size, first, key=self._offset)]

    def _offset(self, cell: int) -> int:
        return self.cells[cell].offset

    def object_of_global(self, id: int) -> int:
        """The object of a global of the program."""
        return self.named_objects[key_of(GlobalRef(id))]

    def object_of_external(self, name: str) -> int | None:
        """The object of something in a library (`optarg`, `stdout`), if the program uses it."""
        return self.named_objects.get(key_of(External(name)))

    def callees(self, routine: int, position: int) -> Sequence[int]:
        """The routines that a CALL may enter, directly or through a pointer."""
        return self.called.get((routine, position), ((), ()))[0]

    def externals(self, routine: int, position: int) -> Sequence[str]:
        """The library functions that a CALL may call."""
        return self.called.get((routine, position), ((), ()))[1]

    def callbacks(self, routine: int, position: int) -> Sequence[int]:
        """The routines that library functions called by a CALL may call themselves (qsort: the comparison).

        They are no callees: the arguments that they get are those of `Effect.callbacks`.
        """
        return self.called_back.get((routine, position), ())

    def copied(self, routine: int, position: int) -> Sequence[tuple[int, int]]:
        """Pairs of cells (from, to) whose contents a CALL copies as they are, field by field.

        That is: what memcpy and the like copy (`Transfer.is_copy`); and, at a call of a routine that returns
        fresh memory with a copy (xmemdup), what it copies, as the memory is then named by this very call, and
        not by the one inside of the routine.
        """
        return self.copies.get((routine, position), ())

    def variadic_cell(self, routine: int) -> int | None:
        """The cell with all further arguments of a variadic routine, if it uses them."""
        return self.variadic.get(routine)
