"""Inclusion-based points-to (Andersen 1994) with fields, solved in waves (Pereira and Berlin 2009).

A wave goes through the copies in topological order and passes on only what is new; then loads, stores and
fields of what is new add copies. Cycles of copies become one node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sonde.methods.impact.bits import bits_of, positions_of_bits
from sonde.methods.impact.points_to.block_copies import BlockCopies
from sonde.methods.impact.points_to.calls import CallRules, function_name
from sonde.methods.impact.points_to.constraints import Constraints, Site
from sonde.methods.impact.points_to.copy_graph import CopyGraph
from sonde.methods.impact.points_to.deltas import Deltas
from sonde.methods.impact.points_to.fitting import fits
from sonde.methods.impact.points_to.patience import Late, Patience
from sonde.methods.impact.points_to.stepping import find_steps
from sonde.methods.impact.program.element_walks import Steps
from sonde.methods.impact.program.memory import ObjectKind

_FIRST_LOOK = 5  # waves before pointers that step on and on are looked for; then twice as many, and so on


class Inclusion:
    """Solves the rules; the result is `members`, by the number that `set_of` gives for a node."""

    def __init__(self, constraints: Constraints, calls: CallRules, is_late: Callable[[], bool]) -> None:
        self.constraints, self.calls = constraints, calls
        self.patience = Patience(is_late)
        self.leader = constraints.leader
        self.graph = CopyGraph(constraints, self.patience)
        self.deltas = Deltas(constraints)
        self.used: list[int] = []  # what of each node loads, stores, ... have seen
        self.has_rules = bytearray()  # by node: whether there are loads, stores, ... of it
        self.loads: dict[int, list[int]] = {}
        self.stores: dict[int, list[int]] = {}
        self.fields: dict[int, list[tuple[int, int, Steps]]] = {}
        self.walking: dict[int, list[int]] = {}  # strides
        self.steps_on: set[tuple[int, int]] = set()  # those of the fields that lead on and on
        self.blocks: dict[int, list[int]] = {}  # by node: ends of copies
        self.calls_through: dict[int, list[Site]] = {}
        self.callable: dict[int, bool] = {}  # by object: whether calls through pointers to it enter anything
        self.unfit: dict[Site, list[int]] = {}  # routines that do not take what is handed over there
        self.block_copies = BlockCopies(constraints, self.graph.copy)
        self.waiting: set[int] = set()  # nodes with something that loads, stores, ... have not seen
        self.first_with: dict[int, int] = {}  # by its bits: the number of a set
        self.at = [0] * 8  # how far each list of rules was read

    def solve(self) -> bool:
        """Find the least sets that fulfil all rules; False if it took too long."""
        try:
            self._solve()
        except Late:
            return False
        return True

    def _solve(self) -> None:
        self._read()
        self._collapse_cycles()
        waves, look = 0, _FIRST_LOOK
        while self._has_more():
            waves += 1
            self._pass_on()
            self.deltas.forget()
            waiting, self.waiting = self.waiting, set()
            for node in sorted(waiting):
                self._use(self.leader(node))
            self._read()
            if self.graph.has_many_new or waves == look:
                self._collapse_cycles()
            if waves == look:
                look *= 2
                self._step_on()

    def _has_more(self) -> bool:
        if not self.graph.changed and not self.waiting:
            self.block_copies.copy_elements()
            self._enter_unfit()
            self._grow()
        return bool(self.graph.changed or self.waiting)

    def set_of(self, node: int) -> int:
        """The number of the set of a node, once all is solved: nodes with the same bits share it."""
        number = self.leader(node)
        bits = self.graph.sets[number] if number < len(self.graph.sets) else 0
        return self.first_with.setdefault(bits, number)

    def members(self, number: int) -> Sequence[int]:
        """The cells of a set, with the first one in place of all cells of an object that was folded."""
        if number >= len(self.graph.sets):
            return ()
        made = self.constraints
        cells = positions_of_bits(self.graph.sets[number])
        if not made.folded and not made.walks.views:
            return cells
        return sorted({each for cell in cells for each in made.walks.pointees(cell)})

    def walks_away(self, number: int) -> bool:
        """Whether a pointer with this set has walked, and left its cell."""
        return number < len(self.graph.sets) and any(
            map(self.constraints.walks.is_left, positions_of_bits(self.graph.sets[number]))
        )

    # -- reading rules

    def _grow(self) -> None:
        self.graph.grow()
        missing = len(self.graph.sets) - len(self.used)
        if missing > 0:
            self.used += [0] * missing
            self.has_rules += bytes(missing)

    def _read(self) -> None:
        """Take up the rules that were added since the last time."""
        made, at, leader = self.constraints, self.at, self.leader
        while True:
            self._grow()
            before = list(at)
            for node, cell in made.points[at[0] :]:
                self.graph.add(leader(node), 1 << cell)
            at[0] = len(made.points)
            copies = made.copies[at[1] :]
            at[1] = len(made.copies)
            for source, target in copies:
                self.graph.copy(source, target)
            for index, (rules, kept) in enumerate(((made.loads, self.loads), (made.stores, self.stores)), 2):
                for pointer, other in rules[at[index] :]:
                    kept.setdefault(leader(pointer), []).append(other)
                    self._again(pointer)
                at[index] = len(rules)
            for base, offset, node, steps in made.fields[at[4] :]:
                self.fields.setdefault(leader(base), []).append((offset, node, steps))
                self._again(base)
            at[4] = len(made.fields)
            for node, stride in made.walking[at[7] :]:
                strides = self.walking.setdefault(leader(node), [])
                if stride not in strides:
                    strides.append(stride)
                    self._again(node)
            at[7] = len(made.walking)
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
            if before == at and not made.to_fold and not made.walks.to_join and not made.walks.to_lead:
                return

    def _again(self, node: int) -> None:
        """Let a node's rules see all that it has once more: one was added."""
        self._grow()
        node = self.leader(node)
        self.has_rules[node] = 1
        self.used[node] = 0
        if self.graph.sets[node]:
            self.waiting.add(node)

    def _pass_on(self) -> None:
        """Pass on what is new along all copies; raises Late if the time is over."""
        found = self.graph.pass_on()
        self._grow()
        has_rules = self.has_rules
        self.waiting.update([node for node in found if has_rules[node]])
        self.patience.look()

    # -- rules of what pointers point to

    def _use(self, node: int) -> None:
        """Apply the loads, stores, ... of a node to what it has and they have not seen."""
        loads, stores = self.loads.get(node), self.stores.get(node)
        fields, blocks, calls = self.fields.get(node), self.blocks.get(node), self.calls_through.get(node)
        new = self.graph.sets[node] ^ self.used[node]  # all that was used is there
        if not new:
            return
        self.used[node] = self.graph.sets[node]
        cells = self.deltas.cells(new)
        self.patience.spend(len(cells))
        if loads or stores:
            self._grow()
            nodes = self.deltas.contents(new)
            for target in loads or ():
                self.graph.copy_all(nodes, target)
            for source in stores or ():
                self.graph.copy_to_all(source, nodes)
        for offset, target, steps in fields or ():
            self._move(new, offset, target, steps)
        for stride in self.walking.get(node, ()):
            self._walk(cells, stride, node)
        for end in blocks or ():
            self.block_copies.point(end, cells)
        for site in calls or ():
            self._call(cells, site)

    def _move(self, delta: int, offset: int, target: int, steps: Steps) -> None:
        if (offset, target) in self.steps_on:
            self._fold_unknown(self.deltas.cells(delta))
        found = self.deltas.move(delta, offset, steps)
        self._grow()
        self.graph.add(self.leader(target), found.cells)
        if found.late >= 0:
            self.graph.copy(found.late, target)

    def _walk(self, cells: list[int], stride: int, node: int) -> None:
        walk = self.constraints.walks.walk
        found = [other for cell in cells if (other := walk(cell, stride, node)) >= 0]
        if found:
            self._grow()
            self.graph.add(self.leader(node), bits_of(found))

    def _call(self, cells: list[int], site: Site) -> None:
        made, callable = self.constraints, self.callable
        for number in dict.fromkeys([made.cells[cell].object for cell in cells]):
            object = made.objects[number]
            is_routine = object.kind is ObjectKind.ROUTINE
            if number not in callable:
                callable[number] = is_routine or bool(function_name(object))
            if not callable[number]:
                continue
            if not is_routine:
                self.calls.use_object(site, object)
            elif self._fits(site, object.position):
                self.calls.enter(site, object.position)
            else:
                self.unfit.setdefault(site, []).append(object.position)

    def _fits(self, site: Site, routine: int) -> bool:
        routines = self.constraints.program.routines
        shape = routines[site.routine].instructions[site.position].shape
        return site.is_callback or fits(routines[routine], shape)

    def _enter_unfit(self) -> None:
        """Where no routine fits a call, those are meant that do not."""
        for site in [each for each in self.unfit if not self.constraints.enters(each)]:
            for routine in self.unfit.pop(site):
                self.calls.enter(site, routine)
        self._read()

    # -- folding

    def _step_on(self) -> None:
        """Fold what pointers step on and on in."""
        steps = find_steps(self.graph.successors, self.fields, self.leader) - self.steps_on
        self.steps_on |= steps
        for node, fields in self.fields.items():
            if not steps.isdisjoint((offset, target) for offset, target, _ in fields):
                self._fold_unknown(positions_of_bits(self.graph.sets[node]))
        self._read()

    def _fold_unknown(self, cells: list[int]) -> None:
        """Fold the objects of these cells whose size is unknown."""
        made = self.constraints
        for cell in cells:
            object = made.cells[cell].object
            if not made.sizes[object]:
                made.fold(object)

    def _fold(self) -> None:
        """Join the contents of all cells of objects that were folded, or where a walk leaves its cell."""
        made = self.constraints
        while made.to_fold:
            object = made.to_fold.pop()
            self._join_contents(object)
            self.block_copies.fold(object)
        while made.walks.to_join:
            object = made.walks.to_join.pop()
            self._join_contents(object)
            for cell, node in list(made.walks.walkers.get(object, ())):
                other = made.walks.walked(cell)
                self._grow()
                self.graph.add(self.leader(node), 1 << other)
        while made.walks.to_lead:
            for cell, offset, node in list(made.walks.outside.get(made.walks.to_lead.pop(), ())):
                other = made.walks.lead(cell, offset, ())
                if other >= 0:
                    self._grow()
                    self.graph.add(self.leader(node), 1 << other)

    def _join_contents(self, object: int) -> None:
        made = self.constraints
        first, *others = made.cells_of[object]
        for cell in others:
            self._join(made.contents[first], made.contents[cell])

    # -- joining nodes

    def _collapse_cycles(self) -> None:
        self.graph.collapse_cycles(self._join)
        self.waiting = {self.leader(node) for node in self.waiting}

    def _join(self, one: int, other: int) -> None:
        self._grow()
        one, other = self.leader(one), self.leader(other)
        if one == other:
            return
        self.graph.join(one, other)
        self.used[one] &= self.used[other]
        self.used[other] = 0
        for rules in (
            self.loads,
            self.stores,
            self.fields,
            self.walking,
            self.blocks,
            self.calls_through,
        ):
            _move_rules(rules, one, other)
        self.has_rules[one] |= self.has_rules[other]
        if self.has_rules[one] and self.graph.sets[one] != self.used[one]:
            self.waiting.add(one)


def _move_rules(rules: dict[int, list[Any]], one: int, other: int) -> None:
    moved = rules.pop(other, None)
    if moved:
        rules.setdefault(one, []).extend(moved)
