"""The code that an option decides about: its regions (the paper's feature regions)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sonde.core.code import Kind
from sonde.methods.impact.bit_flow import BitFlow
from sonde.methods.impact.both_reaches import (
    BothReaches,
    both_forward,
    both_forward_within,
    input_and_output,
    library_cells,
)
from sonde.methods.impact.calls import routes
from sonde.methods.impact.control_dependence import control_dependence
from sonde.methods.impact.failing_ends import failing_ends
from sonde.methods.impact.flow import Flow
from sonde.methods.impact.moments import Moments, Timeline
from sonde.methods.impact.option_evaluation import Condition
from sonde.methods.impact.option_reads import OptionReads
from sonde.methods.impact.option_settings import Setting, find_settings
from sonde.methods.impact.reach import Reach, reach_forward
from sonde.methods.impact.reachable import Reachability

MOST_CONDITIONS = 60  # of one option; with more of them, the cheaper and coarser way is taken

Numbers = np.ndarray[tuple[int], np.dtype[np.int64]]
Truths = np.ndarray[tuple[int], np.dtype[np.bool_]]


@dataclass(frozen=True)
class Influence:
    """Where the value of an option comes to."""

    reads: frozenset[int]  # nodes
    exact: frozenset[int]  # those of them that hold the value of the option, and nothing of other ones
    reach: BothReaches
    conditions: tuple[Condition, ...]  # that its value comes to; see also `Regions.farther`
    depth: int
    moments: Moments


class Regions:
    """What conditions decide about, in one program."""

    def __init__(self, flow: Flow, order: Timeline, reachability: Reachability) -> None:
        self.flow, self.order, self.reachability = flow, order, reachability
        self._nested: dict[tuple[int, int], frozenset[int]] = {}
        self._direct: dict[int, list[list[int]]] = {}
        self._failures: dict[int, frozenset[int]] = {}
        self._settings: dict[tuple[int, int], dict[int, int | None]] = {}
        self._settings_of: dict[int, tuple[Setting, ...]] = {}  # by routine

    @cached_property
    def deciding(self) -> list[tuple[int, int, int]]:
        """Every BRANCH, SWITCH and CALL with exceptions that matters: routine, position, block."""
        found = []
        for number, routine in enumerate(self.flow.program.routines):
            dead = self.flow.dead_ends[number]
            for block, (start, end) in enumerate(routine.blocks):
                if end > start and block not in dead:
                    last = routine.instructions[end - 1]
                    if last.kind in (Kind.BRANCH, Kind.SWITCH) or (last.kind is Kind.CALL and last.targets):
                        found.append((number, end - 1, block))
        return found

    def _reached(self, reach: Reach) -> Iterator[tuple[int, tuple[int, int, int]]]:
        """Those of `deciding` that are come to, with their nodes."""
        nodes, has_copies = self._deciding_nodes
        states = np.frombuffer(reach.found, dtype=np.uint8)
        may_be = (states[2 * nodes] != 0) | (states[2 * nodes + 1] != 0) | has_copies
        for number in np.flatnonzero(may_be).tolist():
            node = int(nodes[number])
            if reach.is_reached(node):
                yield node, self.deciding[number]

    @cached_property
    def _deciding_nodes(self) -> tuple[Numbers, Truths]:
        """Their nodes, and whether further nodes stand for the same instruction."""
        nodes = [self._node(routine, position) for routine, position, _ in self.deciding]
        has_copies = [each in self.flow.copies for each in nodes]
        return np.array(nodes, dtype=np.int64), np.array(has_copies, dtype=np.bool_)

    @cached_property
    def _cut(self) -> list[int]:
        return input_and_output(self.flow)

    @cached_property
    def _library(self) -> list[int]:
        return library_cells(self.flow)

    def influence(self, reads: OptionReads, depth: int, others: Iterable[int] = ()) -> Influence:
        """The conditions that a variable comes to, by values and by at most so many decisions.

        That an option decides about the variable of another one (its default, say) is the other's affair:
        `others` are the nodes that read those.
        """
        flow = self.flow
        nodes = reads.nodes
        places = set(self._places(nodes))
        moments = self.order.after(places)
        cut = [*self._cut, *(each for each in others if each not in nodes)]
        marked = self._bit_flow.reached(reads.bits, moments) if reads.bits else None
        if marked is None:
            reach = both_forward(flow, nodes, depth, moments, cut)
        else:
            reach = both_forward_within(flow, nodes, depth, moments, marked, cut)
        found = []
        for _, (routine, position, block) in self._reached(reach.plain):
            found.append(Condition(routine, position, block, 0))
        after = moments.without([*self._library, *cut])
        return Influence(nodes, reads.exact, reach, tuple(found), depth, after)

    @cached_property
    def _bit_flow(self) -> BitFlow:
        return BitFlow(self.flow)

    def moments_after(self, reads: Iterable[int]) -> Moments:
        """Where what a variable decides about may go, other options' variables included."""
        return self.order.after(set(self._places(reads))).without([*self._library, *self._cut])

    def farther(self, influence: Influence) -> list[Condition]:
        """The conditions that an option comes to by decisions only."""
        if influence.depth == 0:
            return []
        if len(influence.conditions) <= MOST_CONDITIONS:
            return self._implicit(influence.conditions, influence.depth, influence.moments)
        found = []
        for routine, position, block in self.deciding:
            hops = influence.reach.hops(self._node(routine, position))
            if hops:
                found.append(Condition(routine, position, block, hops))
        return found

    def _node(self, routine: int, position: int) -> int:
        return self.flow.value(routine, self.flow.program.routines[routine].parameters + position)

    def _implicit(self, plain: Sequence[Condition], depth: int, moments: Moments) -> list[Condition]:
        """Conditions on values that are set, or not, as the option decides.

        Not those inside of what it decides about anyway: whoever comes there finds the values set.
        """
        known = {(each.routine, each.position) for each in plain}
        found: list[Condition] = []
        latest = list(plain)
        for hops in range(1, depth + 1):
            following: list[Condition] = []
            for each in latest:
                for other in self.set_by(each, moments):
                    if other[:2] not in known:
                        known.add(other[:2])
                        following.append(Condition(*other, hops))
            found += following
            latest = following if len(following) <= MOST_CONDITIONS else []
        return found

    def set_by(
        self, condition: Condition, moments: Moments, blocks: Set[int] | None = None
    ) -> list[tuple[int, int, int]]:
        """What is decided by what a condition sets, in some blocks only: routines, positions and blocks."""
        flow = self.flow
        key = condition.routine, condition.block
        starts = [
            node
            for block in (self.dependents(condition.routine)[condition.block] if blocks is None else blocks)
            for node in (flow.block(condition.routine, block), flow.executed(condition.routine, block))
        ]
        if not starts:
            return []
        region = self.region(*key)
        reach = reach_forward(flow, starts, 0, moments)
        found = []
        elsewhere: Mapping[int, Set[int]] | None = None
        handed: Reach | None = None
        for node, (routine, position, block) in self._reached(reach):
            if routine == condition.routine:
                if block not in region:
                    found.append((routine, position, block))
                continue
            if reach.hops_in_phase(node, 0) is None:
                if handed is None:
                    own = (
                        self.settings([condition]) if blocks is None else self.settings_in(condition, blocks)
                    )
                    handed = reach_forward(flow, own, 0, moments)
                if not handed.is_reached(node):
                    continue
            if elsewhere is None:
                targets = flow.program.routines[condition.routine].instructions[condition.position].targets
                elsewhere = self.reachability.without([(*key, n) for n in range(len(targets))])
            if block in elsewhere.get(routine, ()):
                found.append((routine, position, block))
        return found

    def settings(self, conditions: Iterable[Condition]) -> dict[int, int | None]:
        """What is set where these conditions lead: nodes, with the numbers that are known."""
        found: dict[int, int | None] = {}
        for each in conditions:
            key = each.routine, each.block
            if key not in self._settings:
                self._settings[key] = find_settings(self.flow, *key, self.region(*key), self._settings_of)
            found.update(self._settings[key])
        return found

    def settings_in(self, condition: Condition, blocks: Set[int]) -> dict[int, int | None]:
        """The same for one condition, in some blocks only."""
        return find_settings(self.flow, condition.routine, condition.block, blocks, self._settings_of)

    def _places(self, nodes: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Where the variable is read: routines and blocks."""
        flow = self.flow
        waiting = list(nodes)
        seen = set(waiting)
        while waiting:
            node = waiting.pop()
            where = flow.where(node)
            if where.routine < 0:
                more = [other for other, _, _ in flow.successors(node) if other not in seen]
                seen.update(more)
                waiting += more
            elif where.kind == "value":
                code = flow.program.routines[where.routine]
                position = where.index - code.parameters
                yield where.routine, code.instructions[position].block if position >= 0 else 0

    def region(self, routine: int, block: int) -> frozenset[int]:
        """The blocks of the routine that are executed or not, or more often, as the end of a block decides.

        Directly, or as what is decided so decides further.
        """
        found = self._nested.get((routine, block))
        if found is None:
            direct = self.dependents(routine)
            seen = set(direct[block])
            waiting = list(seen)
            while waiting:
                for each in direct[waiting.pop()]:
                    if each not in seen:
                        seen.add(each)
                        waiting.append(each)
            found = self._nested[routine, block] = frozenset(seen - self.flow.dead_ends[routine])
        return found

    def dependents(self, routine: int) -> list[list[int]]:
        """For each block of a routine those that its end decides about directly."""
        found = self._direct.get(routine)
        if found is None:
            code = self.flow.program.routines[routine]
            deciders: Sequence[Sequence[int]] = self.flow.deciders[routine]
            failures = self.failures(routine)
            if failures:
                deciders = control_dependence(routes(code), self.flow.ends.stops[routine] | failures)
            found = [[] for _ in code.blocks]
            for block, those in enumerate(deciders):
                for each in those:
                    found[each].append(block)
            self._direct[routine] = found
        return found

    def failures(self, routine: int) -> frozenset[int]:
        """Blocks of main in which it gives up; see `failing_ends`."""
        found = self._failures.get(routine)
        if found is None:
            code = self.flow.program.routines[routine]
            found = failing_ends(code, self._calling_blocks(routine)) if code.name == "main" else frozenset()
            self._failures[routine] = found
        return found

    def _calling_blocks(self, routine: int) -> set[int]:
        return {call.block for call in self.flow.calls[routine] if call.callees or call.called_back}

    def condition_tree(self, condition: Condition) -> frozenset[int]:
        """Positions of what computes a condition, in its own block."""
        code = self.flow.program.routines[condition.routine]
        found = {condition.position}
        waiting = [condition.position]
        while waiting:
            for operand in code.instructions[waiting.pop()].operands:
                position = operand - code.parameters
                if (
                    position >= 0
                    and position not in found
                    and code.instructions[position].block == condition.block
                    and code.instructions[position].kind is not Kind.CALL
                ):
                    found.add(position)
                    waiting.append(position)
        return frozenset(found)
