"""Strong updates of memory: the loads that cannot see a store, because its cell is surely overwritten before.

A cell is surely overwritten if it exists once at a time (a global, or a local of a routine that is not
recursive), is no element of an array, and if the address of the store can mean nothing else. From a store,
control is followed through routines, into calls and back to callers, up to stores that overwrite its cell;
the loads on the way are those that see it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from sonde.core.code import FieldStep, Kind
from sonde.methods.impact.program.calls import Call
from sonde.methods.impact.program.linking import Program
from sonde.methods.impact.program.memory import Memory, ObjectKind
from sonde.methods.impact.program.order import Order

MOST_BLOCKS = 2_000  # that are followed from one store; beyond that, every load may see it


At = tuple[int, int, int, bool]  # routine, block, position to begin at, whether control may return to callers


class CellStore(NamedTuple):
    """A STORE to a cell, by its place."""

    routine: int
    position: int  # -1: before its first instruction
    size: int  # in bytes
    is_first: bool = False  # whether it is over before the instruction at its place


class Event(NamedTuple):
    """Something in a block that matters to a cell."""

    position: int
    load: int = -1  # the node of a load
    is_overwritten: bool = False
    call: Call | None = None
    is_first: bool = False

    @property
    def order(self) -> tuple[int, bool, bool, bool]:
        """What is overwritten counts last of all that an instruction does, unless it is first."""
        return self.position, not self.is_first, self.load < 0, self.call is None


class Overwriting:
    """Answers which loads of a cell may see a store; for programs in which control only calls and returns."""

    def __init__(
        self, program: Program, memory: Memory, calls: Sequence[Sequence[Call]], order: Order
    ) -> None:
        self.program, self.memory, self.calls, self.order = program, memory, calls, order

    def is_single(self, cell: int) -> bool:
        """Whether a cell exists once at a time, and is no element of an array."""
        number, offset = self.memory.cells[cell]
        object = self.memory.objects[number]
        if number in self.memory.blurred or object.position < 0:
            return False
        if object.kind is ObjectKind.GLOBAL:
            return not _is_in_array(self.program.globals[object.position].arrays, offset)
        if object.kind is not ObjectKind.LOCAL or self._may_live_twice(object.routine):
            return False
        local = self.program.routines[object.routine].instructions[object.position]
        return local.kind is Kind.LOCAL and not local.operands and not _is_in_array(local.steps, offset)

    def store(self, routine: int, position: int) -> CellStore | None:
        """The STORE at a place, or None if something else writes to memory there."""
        instruction = self.program.routines[routine].instructions[position] if position >= 0 else None
        if instruction is None or instruction.kind is not Kind.STORE or not instruction.size:
            return None
        return CellStore(routine, position, instruction.size)

    def means_only(self, store: CellStore, cell: int) -> bool:
        """Whether the address of a store can mean nothing but a cell."""
        address = self.program.routines[store.routine].instructions[store.position].operands[0]
        return tuple(self.memory.pointees(store.routine, address)) == (cell,)

    def _may_live_twice(self, routine: int) -> bool:
        """Whether a routine may be entered while it runs: it is recursive, or runs in a thread or handler."""
        below = self.order.below
        return bool(self.order.any_time >> routine & 1) or any(
            below[callee] >> routine & 1
            for call in self.calls[routine]
            for callee in (*call.callees, *call.called_back)
        )

    @cached_property
    def callers(self) -> Mapping[int, Sequence[tuple[int, Call, bool]]]:
        """The calls that lead into each routine: the caller, the call, and whether a library calls back."""
        found: dict[int, list[tuple[int, Call, bool]]] = {}
        for number, calls in enumerate(self.calls):
            for call in calls:
                for callee in call.callees:
                    found.setdefault(callee, []).append((number, call, False))
                for callee in call.called_back:
                    found.setdefault(callee, []).append((number, call, True))
        return found


def _is_in_array(arrays: Collection[FieldStep], offset: int) -> bool:
    return any(each.offset <= offset < each.offset + each.length for each in arrays)


@dataclass
class CellOverwriting:
    """Answers about one cell."""

    shared: Overwriting
    stores: Sequence[CellStore]  # that surely overwrite it
    loads: Mapping[int, Sequence[tuple[int, int]]]  # by routine: position, node
    _events: dict[tuple[int, int], dict[int, list[Event]]] = field(default_factory=dict)
    _passed: dict[int, frozenset[int]] = field(default_factory=dict)
    _open: dict[tuple[int, int], bool] = field(default_factory=dict)

    def hidden(self, store: CellStore, known: Collection[int]) -> frozenset[int]:
        """The nodes of the loads that surely do not see a store, beside those that are known."""
        order = self.shared.order
        if order.any_time >> store.routine & 1:
            return frozenset()
        if all(each == store or each.size < store.size for each in self.stores):
            return frozenset()
        asked = {
            node
            for routine, several in self.loads.items()
            if not order.any_time >> routine & 1
            for position, node in several
            if position >= 0 and node not in known
        }
        return frozenset(asked - self._seen(store, asked))

    def _seen(self, store: CellStore, asked: Set[int]) -> Set[int]:
        """Those loads of the ones asked about to which control comes before the cell is overwritten."""
        program = self.shared.program
        instructions = program.routines[store.routine].instructions
        block = instructions[store.position].block if store.position >= 0 else 0
        found: set[int] = set()
        missing = set(asked)
        seen: set[At] = set()
        # A routine that was entered on the way returns to where it was entered, and nowhere else.
        waiting = [(store.routine, block, store.position + 1, True)]
        while waiting and missing:
            at = waiting.pop()
            routine, block, begin, goes_up = at
            if at in seen or (routine, block, begin, True) in seen:
                continue
            seen.add(at)
            if len(seen) > MOST_BLOCKS:
                return asked
            ends = self._leave(at, store.size, found, waiting)
            missing -= found
            if goes_up and ends:
                back = list(self._back(routine))
                if not back and program.routines[routine].name != "main":
                    return asked
                waiting += back
        return found

    def _leave(self, at: At, size: int, found: set[int], waiting: list[At]) -> bool:
        """Follow control from a place on; whether the routine may return from there right away.

        In a routine where nothing overwrites the cell, only blocks with events are looked into.
        """
        routine, block, begin, goes_up = at
        code, order = self.shared.program.routines[routine], self.shared.order
        if not self._follow(routine, block, begin, size, found, waiting):
            return False
        if not self._is_open(routine, size):
            after = order.routes[routine][block]
            waiting.extend((routine, each, code.blocks[each][0], goes_up) for each in after)
            return not after and block in code.returning
        later = order.later(routine)[block]
        for each in self._events_of(routine, size):
            if later >> each & 1:
                self._follow(routine, each, 0, size, found, waiting)
        return any(each == block or later >> each & 1 for each in code.returning)

    def _is_open(self, routine: int, size: int) -> bool:
        """Whether nothing in a routine, or below, surely overwrites the cell."""
        key = routine, size
        if key not in self._open:
            blocks = self._events_of(routine, size)
            self._open[key] = all(self._follow(routine, each, 0, size, set(), []) for each in blocks)
        return self._open[key]

    def _follow(
        self,
        routine: int,
        block: int,
        begin: int,
        size: int,
        found: set[int],
        waiting: list[At],
    ) -> bool:
        """Gather the loads of a block from a position on; whether it ends without overwriting the cell."""
        for event in self._events_of(routine, size).get(block, ()):
            if event.position < begin:
                continue
            if event.load >= 0:
                found.add(event.load)
            if event.call is not None:
                callees = (*event.call.callees, *event.call.called_back)
                waiting.extend((callee, 0, 0, False) for callee in callees)
                passes = event.call.externals or any(each in self._passing(size) for each in callees)
                if not passes:
                    return False
            if event.is_overwritten:
                return False
        return True

    def _back(self, routine: int) -> Iterator[At]:
        """Where control goes on when a routine returns; a library may call it, and others, again."""
        for caller, call, is_called_back in self.shared.callers.get(routine, ()):
            yield caller, call.block, call.position + (not is_called_back), True

    def _events_of(self, routine: int, size: int) -> Mapping[int, Sequence[Event]]:
        """What matters in each block of a routine to a store of so many bytes, in order."""
        key = routine, size
        if key not in self._events:
            instructions = self.shared.program.routines[routine].instructions
            events = [Event(position, node) for position, node in self.loads.get(routine, ())]
            events += [
                Event(each.position, is_overwritten=True, is_first=each.is_first)
                for each in self.stores
                if each.routine == routine and each.size >= size
            ]
            below = self.shared.order.below
            events += [
                Event(call.position, call=call)
                for call in self.shared.calls[routine]
                if any(below[each] & self._relevant for each in (*call.callees, *call.called_back))
            ]
            found = self._events[key] = {}
            for each in sorted(events, key=lambda each: each.order):
                if each.position >= 0:
                    found.setdefault(instructions[each.position].block, []).append(each)
        return self._events[key]

    @cached_property
    def _relevant(self) -> int:
        """The routines that load or overwrite the cell, as bits."""
        return sum(1 << each for each in {*self.loads, *(store.routine for store in self.stores)})

    def _passing(self, size: int) -> frozenset[int]:
        """The routines that may return without having overwritten the cell."""
        if size not in self._passed:
            below, relevant = self.shared.order.below, self._relevant
            concerned = [n for n in range(len(self.shared.program.routines)) if below[n] & relevant]
            self._passed[size] = frozenset(range(len(self.shared.program.routines))) - set(concerned)
            while fresh := [
                each for each in concerned if each not in self._passed[size] and self._may_pass(each, size)
            ]:
                self._passed[size] |= set(fresh)
        return self._passed[size]

    def _may_pass(self, routine: int, size: int) -> bool:
        """Whether a routine may return without overwriting, as far as is known of what it calls."""
        code, routes = self.shared.program.routines[routine], self.shared.order.routes[routine]
        seen, waiting = {0}, [0]
        while waiting:
            block = waiting.pop()
            if not self._follow(routine, block, 0, size, set(), []):
                continue
            if not routes[block] and block in code.returning:
                return True
            fresh = [each for each in routes[block] if each not in seen]
            seen.update(fresh)
            waiting += fresh
        return False
