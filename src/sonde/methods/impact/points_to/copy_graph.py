"""Nodes, what is in them, and copies from node to node, along which what is new is passed on in waves."""

from __future__ import annotations

import heapq
from collections.abc import Callable

from sonde.methods.impact.points_to.constraints import Constraints
from sonde.methods.impact.points_to.cycles import components_in_order
from sonde.methods.impact.points_to.patience import Patience

_MANY_NEW = 2000  # copies, at least, before cycles are looked for again
_LAST = 1 << 60  # in the order of passing on: of nodes without copies


class CopyGraph:
    """Sets of cells are the bits of integers; nodes that were joined have one set, that of their leader."""

    def __init__(self, constraints: Constraints, patience: Patience) -> None:
        self.constraints, self.patience = constraints, patience
        self.leader = constraints.leader
        self.sets: list[int] = []  # what is in each node
        self.passed: list[int] = []  # what of it was passed on along copies
        self.successors: list[set[int] | None] = []
        self.order: list[int] = []
        self.changed: set[int] = set()  # nodes with something to pass on
        self.new_copies = 0
        self.all_copies = 0

    @property
    def has_many_new(self) -> bool:
        """Whether there may be new cycles that are worth a look."""
        return self.new_copies > max(_MANY_NEW, self.all_copies // 4)

    def grow(self) -> None:
        """Make room for the nodes that were made since the last time."""
        missing = len(self.constraints.parents) - len(self.sets)
        if missing > 0:
            self.sets += [0] * missing
            self.passed += [0] * missing
            self.successors += [None] * missing
            self.order += [_LAST] * missing

    def add(self, node: int, cells: int) -> None:
        """Put cells into a leader."""
        before = self.sets[node]
        after = before | cells if before else cells
        if after != before:
            self.sets[node] = after
            self.changed.add(node)

    def copy(self, source: int, target: int) -> None:
        """All of one node is in another one, from now on."""
        parents = self.constraints.parents
        if len(self.sets) < len(parents):
            self.grow()
        self.patience.spend(1)
        if parents[source] != source:
            source = self.leader(source)
        if parents[target] != target:
            target = self.leader(target)
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
                self.add(target, self.passed[source])

    def copy_all(self, nodes: list[int], target: int) -> None:
        """Copies from each of these nodes to one."""
        self.patience.spend(len(nodes))
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
                    self.add(target, passed[source])

    def copy_to_all(self, source: int, nodes: list[int]) -> None:
        """Copies from one node to each of these."""
        self.patience.spend(len(nodes))
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
                    self.add(target, passed)

    def pass_on(self) -> set[int]:
        """Pass on what is new along all copies; the nodes that had something new."""
        sets, passed, order, leader = self.sets, self.passed, self.order, self.leader
        parents = self.constraints.parents
        queue = [(order[node], node) for node in self.changed]
        heapq.heapify(queue)
        queued = self.changed
        found: set[int] = set()
        while queue:
            _, node = heapq.heappop(queue)
            queued.discard(node)
            if parents[node] != node:
                continue
            new = sets[node] ^ passed[node] if passed[node] else sets[node]  # these are among those
            if not new:
                continue
            passed[node] = sets[node]
            found.add(node)
            successors = self.successors[node] or ()
            self.patience.spend(1 + len(successors))
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
        return found

    def join(self, one: int, other: int) -> None:
        """Make one node of two leaders; the first one leads."""
        self.constraints.parents[other] = one
        self.sets[one] |= self.sets[other]
        self.passed[one] &= self.passed[other]
        self.sets[other] = self.passed[other] = 0
        theirs = self.successors[other]
        self.successors[other] = None
        if theirs:
            mine = self.successors[one]
            if mine is None:
                self.successors[one] = theirs
            else:
                mine |= theirs
        if self.sets[one] != self.passed[one]:
            self.changed.add(one)

    def collapse_cycles(self, join: Callable[[int, int], None]) -> None:
        """Join the nodes of each cycle of copies, and order the rest."""
        leader, successors, parents = self.leader, self.successors, self.constraints.parents
        for node, others in enumerate(successors):
            if others:
                joined = [each for each in others if parents[each] != each]
                if joined:
                    others.difference_update(joined)
                    others.update(map(leader, joined))
                    others.discard(node)
        order = self.order = [_LAST] * len(successors)
        for place, component in enumerate(components_in_order(len(successors), successors)):
            if len(component) > 1:
                for other in component[1:]:
                    join(component[0], other)
            order[component[0]] = place  # the others are joined with it
        self.changed = {leader(node) for node in self.changed}
        self.all_copies = sum(len(each) for each in successors if each)
        self.new_copies = 0
