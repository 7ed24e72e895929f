"""The code that an option decides about: its regions (the paper's feature regions)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sonde.core.code import Kind
from sonde.methods.impact.bits import positions_of_bits
from sonde.methods.impact.constants import ConstantNumber
from sonde.methods.impact.endings.failing import failing_ends
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.options.evaluation import Condition
from sonde.methods.impact.options.reads import OptionReads
from sonde.methods.impact.options.settings import Setting, find_settings
from sonde.methods.impact.program.control_dependence import control_dependence
from sonde.methods.impact.reach.bit_flow import BitFlow
from sonde.methods.impact.reach.by_values_and_decisions import (
    BothReaches,
    both_forward,
    both_forward_within,
    input_and_output,
    library_cells,
)
from sonde.methods.impact.reach.moments import ExecutionOrder, Moments
from sonde.methods.impact.reach.reachable import Reachability
from sonde.methods.impact.reach.searching import Reach
from sonde.methods.impact.reach.together import GroupReach, reach_together
from sonde.methods.impact.reach.watched_nodes import WatchedNodes

NOTHING = -1  # decides about a block
MOST_CONDITIONS = 60  # of one option; with more of them, the cheaper and coarser way is taken


@dataclass(frozen=True)
class OptionReach:
    """Where the value of an option comes to."""

    reads: frozenset[int]  # nodes
    exact: frozenset[int]  # those of them that hold the value of the option, and nothing of other ones
    reach: BothReaches
    conditions: tuple[Condition, ...]  # that its value comes to; see also `Regions.farther`
    depth: int
    moments: Moments


class _Decided(NamedTuple):
    """A decision that something comes to."""

    node: int
    routine: int
    position: int
    block: int
    is_ahead: bool  # by a way that may still leave the routine

    def is_inside_of(self, condition: Condition) -> bool:
        """Whether it is only come to in routines that are called where the condition leads."""
        return not self.is_ahead and self.routine != condition.routine


class Regions:
    """What conditions decide about, in one program."""

    def __init__(self, flow: Flow, order: ExecutionOrder, reachability: Reachability) -> None:
        self.flow, self.order, self.reachability = flow, order, reachability
        self._nested: dict[tuple[int, int], frozenset[int]] = {}
        self._direct: dict[int, list[list[int]]] = {}
        self._failures: dict[int, frozenset[int]] = {}
        self._settings: dict[tuple[int, int], dict[int, ConstantNumber]] = {}
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
        watched = self._deciding_nodes
        for number in watched.reached(reach):
            yield watched.nodes[number], self.deciding[number]

    @cached_property
    def _deciding_nodes(self) -> WatchedNodes:
        nodes = [self._node(routine, position) for routine, position, _ in self.deciding]
        return WatchedNodes(self.flow, nodes)

    @cached_property
    def _cut(self) -> list[int]:
        return input_and_output(self.flow)

    @cached_property
    def _library(self) -> list[int]:
        return library_cells(self.flow)

    def influence(self, reads: OptionReads, depth: int, others: Iterable[int] = ()) -> OptionReach:
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
        return OptionReach(nodes, reads.exact, reach, tuple(found), depth, after)

    @cached_property
    def _bit_flow(self) -> BitFlow:
        return BitFlow(self.flow)

    def moments_after(self, reads: Iterable[int]) -> Moments:
        """Where what a variable decides about may go, other options' variables included."""
        return self.order.after(set(self._places(reads))).without([*self._library, *self._cut])

    def farther(self, influence: OptionReach) -> list[Condition]:
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
            for others in self._set_by_each([(each, None) for each in latest], moments):
                for other in others:
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
        return next(self._set_by_each([(condition, blocks)], moments))

    def _set_by_each(
        self, asked: Sequence[tuple[Condition, Set[int] | None]], moments: Moments
    ) -> Iterator[list[tuple[int, int, int]]]:
        """The same for several conditions, each with its blocks; None: all that it decides about directly."""
        reach = reach_together(self.flow, [self._starts(*each) for each in asked], moments)
        decided = self._decided_by_each(reach, len(asked))
        own = [
            self._own_settings(*each) if any(other.is_inside_of(each[0]) for other in those) else ()
            for each, those in zip(asked, decided, strict=True)
        ]
        handed = reach_together(self.flow, own, moments)
        for number, ((condition, _), those) in enumerate(zip(asked, decided, strict=True)):
            left = (
                each
                for each in those
                if not each.is_inside_of(condition) or handed.at(each.node) >> number & 1
            )
            yield list(self._outside_of_region(condition, left))

    def _starts(self, condition: Condition, blocks: Set[int] | None) -> list[int]:
        routine = condition.routine
        if blocks is None:
            blocks = set(self.dependents(routine)[condition.block])
        nodes = ((self.flow.block(routine, block), self.flow.executed(routine, block)) for block in blocks)
        return [node for pair in nodes for node in pair]

    def _own_settings(self, condition: Condition, blocks: Set[int] | None) -> Iterable[int]:
        return self.settings([condition]) if blocks is None else self.settings_in(condition, blocks)

    def _decided_by_each(self, reach: GroupReach, groups: int) -> list[list[_Decided]]:
        """Those of `deciding` that each group comes to, in order."""
        found: list[list[_Decided]] = [[] for _ in range(groups)]
        for number in self._deciding_nodes.reached_together(reach):
            node, ahead = self._deciding_nodes.nodes[number], reach.ahead(self._deciding_nodes.nodes[number])
            for group in positions_of_bits(reach.at(node)):
                found[group].append(_Decided(node, *self.deciding[number], bool(ahead >> group & 1)))
        return found

    def _outside_of_region(
        self, condition: Condition, decided: Iterable[_Decided]
    ) -> Iterator[tuple[int, int, int]]:
        """Those of these decisions that are not inside of what a condition decides about anyway."""
        key = condition.routine, condition.block
        elsewhere: Mapping[int, Set[int]] | None = None
        for _, routine, position, block, _ in decided:
            if routine == condition.routine:
                if block not in self.region(*key):
                    yield routine, position, block
                continue
            if elsewhere is None:
                code = self.flow.program.routines[condition.routine]
                targets = code.instructions[condition.position].targets
                elsewhere = self.reachability.without([(*key, n) for n in range(len(targets))])
            if block in elsewhere.get(routine, ()):
                yield routine, position, block

    def settings(self, conditions: Iterable[Condition]) -> dict[int, ConstantNumber]:
        """What is set where these conditions lead: nodes, with the numbers that are known."""
        found: dict[int, ConstantNumber] = {}
        for each in conditions:
            key = each.routine, each.block
            if key not in self._settings:
                self._settings[key] = find_settings(self.flow, *key, self.region(*key), self._settings_of)
            found.update(self._settings[key])
        return found

    def settings_in(self, condition: Condition, blocks: Set[int]) -> dict[int, ConstantNumber]:
        """The same for one condition, in some blocks only."""
        return find_settings(self.flow, condition.routine, condition.block, blocks, self._settings_of)

    def settings_of(self, blocks: Mapping[int, Set[int]]) -> dict[int, ConstantNumber]:
        """The same for what is set in some blocks of routines."""
        found: dict[int, ConstantNumber] = {}
        for routine, those in blocks.items():
            found.update(find_settings(self.flow, routine, NOTHING, those, self._settings_of))
        return found

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
                deciders = control_dependence(code.routes, self.flow.ends.stops[routine] | failures)
            found = [[] for _ in code.blocks]
            for block, those in enumerate(deciders):
                for each in those:
                    found[each].append(block)
            self._direct[routine] = found
        return found

    def failures(self, routine: int) -> frozenset[int]:
        """Blocks of main in which it gives up; see `endings.failing`."""
        found = self._failures.get(routine)
        if found is None:
            code = self.flow.program.routines[routine]
            found = failing_ends(code, self._calling_blocks(routine)) if code.name == "main" else frozenset()
            self._failures[routine] = found
        return found

    def _calling_blocks(self, routine: int) -> set[int]:
        return {call.block for call in self.flow.calls[routine] if call.callees or call.called_back}
