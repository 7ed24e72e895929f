"""Inclusion-based points-to (Andersen 1994) with fields, solved in waves (Pereira and Berlin 2009).

Sets of cells are the bits of integers. A wave goes through the copies in topological order and passes on
only what is new; then loads, stores and fields of what is new add copies. Cycles of copies become one node.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import Any

from sonde.methods.impact.bits import positions_of_bits
from sonde.methods.impact.memory import ObjectKind
from sonde.methods.impact.points_to.block_copies import BlockCopies
from sonde.methods.impact.points_to.calls import Calls
from sonde.methods.impact.points_to.constraints import Constraints, Site
from sonde.methods.impact.points_to.cycles import components_in_order

_STEPS_A_LOOK = 20_000  # steps between two looks at the clock
_MANY_NEW = 2000  # copies, at least, before cycles are looked for again


class _Late(Exception):
    """The time is over."""


class Inclusion:
    """Solves the rules; the result is `members`, by the number that `set_of` gives for a node."""

    def __init__(self, constraints: Constraints, calls: Calls, is_late: Callable[[], bool]) -> None:
        self.constraints, self.calls, self.is_late = constraints, calls, is_late
        self.leader = constraints.leader
        self.sets: list[int] = []  # what is in each node
        self.passed: list[int] = []  # what of it was passed on along copies
        self.used: list[int] = []  # what of it loads, stores, ... have seen
        self.successors: list[set[int] | None] = []
        self.loads: dict[int, list[int]] = {}
        self.stores: dict[int, list[int]] = {}
        self.fields: dict[int, list[tuple[int, int]]] = {}
        self.blocks: dict[int, list[int]] = {}  # by node: ends of copies
        self.calls_through: dict[int, list[Site]] = {}
        self.block_copies = BlockCopies(constraints, self._copy)
        self.order: list[int] = []
        self.changed: set[int] = set()  # nodes with something to pass on
        self.waiting: set[int] = set()  # nodes with something that loads, stores, ... have not seen
        self.new_copies = 0
        self.all_copies = 0
        self.steps = 0  # since the last look at the clock
        self.at = [0] * 7  # how far each list of rules was read

    def solve(self) -> bool:
        """Find the least sets that fulfil all rules; False if it took too long."""
        try:
            self._solve()
        except _Late:
            self.sets, self.passed, self.used, self.successors = [], [], [], []  # they are large
            return False
        return True

    def _solve(self) -> None:
        self._read()
        self._collapse_cycles()
        while self.changed or self.waiting:
            self._pass_on()
            self._count(_STEPS_A_LOOK)
            waiting, self.waiting = self.waiting, set()
            for node in sorted(waiting):
                self._use(self.leader(node))
            self._read()
            if self.new_copies > max(_MANY_NEW, self.all_copies // 8):
                self._collapse_cycles()

    def _count(self, steps: int) -> None:
        """Look at the clock after so many steps."""
        self.steps += steps
        if self.steps >= _STEPS_A_LOOK:
            self.steps = 0
            if self.is_late():
                raise _Late

    def set_of(self, node: int) -> int:
        """The number of the set of a node."""
        return self.leader(node)

    def members(self, number: int) -> Sequence[int]:
        """The cells of a set, with the first one in place of all cells of an object that was folded."""
        if number >= len(self.sets):
            return ()
        made = self.constraints
        cells = positions_of_bits(self.sets[number])
        if not made.folded:
            return cells
        return sorted({made.standing_for(cell) for cell in cells})

    # -- reading rules

    def _grow(self) -> None:
        missing = len(self.constraints.parents) - len(self.sets)
        if missing > 0:
            self.sets += [0] * missing
            self.passed += [0] * missing
            self.used += [0] * missing
            self.successors += [None] * missing
            self.order += [0] * missing

    def _read(self) -> None:
        """Take up the rules that were added since the last time."""
        made, at, leader = self.constraints, self.at, self.leader
        while True:
            self._grow()
            before = list(at)
            for node, cell in made.points[at[0] :]:
                self._add(leader(node), 1 << cell)
            at[0] = len(made.points)
            copies = made.copies[at[1] :]
            at[1] = len(made.copies)
            for source, target in copies:
                self._copy(source, target)
            for index, (rules, kept) in enumerate(((made.loads, self.loads), (made.stores, self.stores)), 2):
                for pointer, other in rules[at[index] :]:
                    kept.setdefault(leader(pointer), []).append(other)
                    self._again(pointer)
                at[index] = len(rules)
            for base, offset, node in made.fields[at[4] :]:
                self.fields.setdefault(leader(base), []).append((offset, node))
                self._again(base)
            at[4] = len(made.fields)
            for number in range(at[5], len(made.blocks)):
                block = made.blocks[number]
                if block.length <= 0:
                    continue
                pointers = leader(block.source), leader(block.target)
                for pointer, end in zip(pointers, self.block_copies.add(block, *pointers), strict=True):
                    ends = self.blocks.setdefault(pointer, [])
                    if end not in ends:
                        ends.append(end)
                        self._again(pointer)
            at[5] = len(made.blocks)
            for pointer, site in made.calls[at[6] :]:
                self.calls_through.setdefault(leader(pointer), []).append(site)
                self._again(pointer)
            at[6] = len(made.calls)
            self._fold()
            self.block_copies.follow_new_cells()
            if before == at and not made.to_fold:
                return

    def _again(self, node: int) -> None:
        """Let a node's rules see all that it has once more: one was added."""
        node = self.leader(node)
        self.used[node] = 0
        if self.sets[node]:
            self.waiting.add(node)

    def _add(self, node: int, cells: int) -> None:
        before = self.sets[node]
        after = before | cells if before else cells
        if after != before:
            self.sets[node] = after
            self.changed.add(node)

    def _copy(self, source: int, target: int) -> None:
        self._grow()
        self._count(1)
        source, target = self.leader(source), self.leader(target)
        if source == target:
            return
        successors = self.successors[source]
        if successors is None:
            successors = self.successors[source] = set()
        if target not in successors:
            successors.add(target)
            self.new_copies += 1
            self.all_copies += 1
            if self.passed[source]:
                self._add(target, self.passed[source])

    def _copy_all(self, nodes: list[int], target: int) -> None:
        """Copies from each of these nodes to one."""
        self._count(len(nodes))
        leader, all_successors, passed = self.leader, self.successors, self.passed
        parents = self.constraints.parents
        target = leader(target)
        for node in nodes:
            source = node if parents[node] == node else leader(node)
            if source == target:
                continue
            successors = all_successors[source]
            if successors is None:
                successors = all_successors[source] = set()
            if target not in successors:
                successors.add(target)
                self.new_copies += 1
                self.all_copies += 1
                if passed[source]:
                    self._add(target, passed[source])

    def _copy_to_all(self, source: int, nodes: list[int]) -> None:
        """Copies from one node to each of these."""
        self._count(len(nodes))
        leader, parents = self.leader, self.constraints.parents
        source = leader(source)
        successors = self.successors[source]
        if successors is None:
            successors = self.successors[source] = set()
        passed = self.passed[source]
        for node in nodes:
            target = node if parents[node] == node else leader(node)
            if target != source and target not in successors:
                successors.add(target)
                self.new_copies += 1
                self.all_copies += 1
                if passed:
                    self._add(target, passed)

    # -- passing on along copies

    def _pass_on(self) -> None:
        """Pass on what is new along all copies."""
        sets, passed, order, leader = self.sets, self.passed, self.order, self.leader
        parents = self.constraints.parents
        queue = [(order[node], node) for node in self.changed]
        heapq.heapify(queue)
        queued = self.changed
        while queue:
            _, node = heapq.heappop(queue)
            queued.discard(node)
            if parents[node] != node:
                continue
            new = sets[node] ^ passed[node] if passed[node] else sets[node]  # these are among those
            if not new:
                continue
            passed[node] = sets[node]
            self.waiting.add(node)
            successors = self.successors[node] or ()
            self._count(1 + len(successors))
            for other in successors:
                target = other if parents[other] == other else leader(other)
                if target == node:
                    continue
                before = sets[target]
                after = before | new if before else new
                if after != before:
                    sets[target] = after
                    if target not in queued:
                        queued.add(target)
                        heapq.heappush(queue, (order[target], target))
        self.changed = set()

    # -- rules of what pointers point to

    def _use(self, node: int) -> None:
        """Apply the loads, stores, ... of a node to what it has and they have not seen."""
        loads, stores = self.loads.get(node), self.stores.get(node)
        fields, blocks, calls = self.fields.get(node), self.blocks.get(node), self.calls_through.get(node)
        if not (loads or stores or fields or blocks or calls):
            return
        new = self.sets[node] ^ self.used[node]  # all that was used is there
        if not new:
            return
        self.used[node] = self.sets[node]
        cells = positions_of_bits(new)
        self._count(len(cells))
        contents = self.constraints.contents
        if loads or stores:
            self._grow()
            nodes = [contents[cell] for cell in cells]
            for target in loads or ():
                self._copy_all(nodes, target)
            for source in stores or ():
                self._copy_to_all(source, nodes)
        for offset, target in fields or ():
            self._move(cells, offset, target)
        for end in blocks or ():
            self.block_copies.point(end, cells)
        for site in calls or ():
            self._call(cells, site)

    def _move(self, cells: list[int], offset: int, target: int) -> None:
        moved = self.constraints.moved
        found = 0
        for cell in cells:
            other = moved(cell, offset)
            if other >= 0:
                found |= 1 << other
        self._grow()
        self._add(self.leader(target), found)

    def _call(self, cells: list[int], site: Site) -> None:
        made = self.constraints
        for cell in cells:
            object = made.objects[made.cells[cell].object]
            if object.kind is ObjectKind.ROUTINE:
                self.calls.enter(site, object.position)
            elif object.kind is ObjectKind.EXTERNAL:
                self.calls.use_object(site, object.name)

    def _fold(self) -> None:
        """Join the contents of all cells of objects that were folded."""
        made = self.constraints
        while made.to_fold:
            object = made.to_fold.pop()
            cells = made.cells_of[object]
            first = cells[0]
            for cell in cells[1:]:
                self._join(made.contents[first], made.contents[cell])
            self.block_copies.fold(object)

    # -- joining nodes

    def _join(self, one: int, other: int) -> None:
        self._grow()
        one, other = self.leader(one), self.leader(other)
        if one == other:
            return
        self.constraints.parents[other] = one
        self.sets[one] |= self.sets[other]
        self.passed[one] &= self.passed[other]
        self.used[one] &= self.used[other]
        self.sets[other] = self.passed[other] = self.used[other] = 0
        theirs = self.successors[other]
        self.successors[other] = None
        if theirs:
            mine = self.successors[one]
            if mine is None:
                self.successors[one] = theirs
            else:
                mine |= theirs
        for rules in (self.loads, self.stores, self.fields, self.blocks, self.calls_through):
            _move_rules(rules, one, other)
        if self.sets[one] & ~self.passed[one]:
            self.changed.add(one)
        if self.sets[one] & ~self.used[one]:
            self.waiting.add(one)

    def _collapse_cycles(self) -> None:
        """Join the nodes of each cycle of copies, and order the rest."""
        leader, successors, parents = self.leader, self.successors, self.constraints.parents
        for node, others in enumerate(successors):
            if others:
                fresh = {each if parents[each] == each else leader(each) for each in others}
                fresh.discard(node)
                successors[node] = fresh
        components = components_in_order(len(successors), successors)
        for component in components:
            for other in component[1:]:
                self._join(component[0], other)
        for place, component in enumerate(components):
            self.order[leader(component[0])] = place
        self.changed = {leader(node) for node in self.changed}
        self.waiting = {leader(node) for node in self.waiting}
        self.all_copies = sum(len(each) for each in successors if each)
        self.new_copies = 0


def _move_rules(rules: dict[int, list[Any]], one: int, other: int) -> None:
    moved = rules.pop(other, None)
    if moved:
        rules.setdefault(one, []).extend(moved)
