"""What a change can come to, and what can come to hot code: reachability in the flow graph.

Calls and returns are matched: what enters a routine at one call does not leave it at another. A way first
leaves routines and then enters them (the two phases of Horwitz, Reps and Binkley, 1990); in both it passes
calls by shortcuts (see `summaries`). What lies in memory has no call it came by: there the first phase
starts again. Ways are counted in implicit hops, then in steps.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sonde.methods.impact.flow.edges import SITE_SHIFT, EdgeRows, FlowStep
from sonde.methods.impact.flow.graph import STEPS, Flow
from sonde.methods.impact.reach.marks import CLOSED, SearchSteps, mark, steps_of
from sonde.methods.impact.reach.moments import Moments
from sonde.methods.impact.reach.summaries import Shortcut, summaries_of

START = -1
MANY_NODES = 500_000  # from so many on, only paths are looked for state by state
# Tables for `translate`: what is closed becomes not found; what is allowed becomes that, the rest closed.
OPENED = bytes(range(CLOSED)) + b"\0"
OPENED_OR_CLOSED = bytes([CLOSED, 0]) + bytes(254)
CONTROL, CALL = int(FlowStep.CONTROL), int(FlowStep.CALL)
Waiting = tuple[int, int, Shortcut | None]  # state, the one before, how it is come to


class Trace(NamedTuple):
    """How a search came to each state."""

    found: bytearray  # for each state its hops plus 1, or 0
    parents: array[int]  # for each state the one it was come from, or START
    shortcuts: dict[int, Shortcut]  # of states that were come to by one


@dataclass
class Reach:
    """Which nodes are reached, with how many implicit hops.

    A state is a node in a phase: `2 * node` may still leave its routine, `2 * node + 1` came into it by a
    call (backward: by a return) and may not.
    """

    flow: Flow
    depth: int
    is_forward: bool
    found: bytearray = field(repr=False)  # for each state its hops plus 1, or 0
    search: Callable[[], Trace] = field(repr=False)  # asked for where a path is wanted
    _steps: dict[tuple[int, int], FlowStep] = field(
        default_factory=dict, repr=False
    )  # of edges on paths so far

    def hops(self, node: int) -> int | None:
        """The fewest implicit hops of a way, or None if there is none."""
        if node not in self.flow.copies:
            ahead, inside = self.found[2 * node], self.found[2 * node + 1]
            if ahead and inside:
                return min(ahead, inside) - 1
            return (ahead or inside) - 1 if ahead or inside else None
        state = self._best(node, self.found)
        return None if state is None else self.found[state] - 1

    def is_reached(self, node: int) -> bool:
        """Whether there is a way."""
        found = self.found
        if found[2 * node] or found[2 * node + 1]:
            return True
        return any(found[2 * each] or found[2 * each + 1] for each in self.flow.copies.get(node, ()))

    def _best(self, node: int, found: bytearray) -> int | None:
        """The state of a node that is come to with the fewest hops."""
        best = None
        for each in (node, *self.flow.copies.get(node, ())):
            for state in (2 * each, 2 * each + 1):
                if found[state] and (best is None or found[state] < found[best]):
                    best = state
        return best

    @cached_property
    def _trace(self) -> Trace:
        return self.search()

    def hops_in_phase(self, node: int, phase: int) -> int | None:
        """The fewest hops of a way that may still leave the node's routine (0), or may not (1)."""
        found = self.found[2 * node + phase]
        return found - 1 if found else None

    def marks(self) -> bytes:
        """For each node whether it is reached, without a look at other nodes that stand for the same."""
        states = np.frombuffer(self.found, dtype=np.uint8).reshape(-1, 2)
        return states.any(axis=1).tobytes()

    def nodes(self) -> Iterator[int]:
        """All nodes that are reached, in order."""
        states = np.frombuffer(self.found, dtype=np.uint8).reshape(-1, 2)
        return iter(np.flatnonzero(states.any(axis=1)).tolist())

    def path(self, node: int) -> tuple[tuple[int, FlowStep], ...]:
        """One way with the fewest hops, and of these one with the fewest steps.

        In the order in which things flow: from a source to the node, or (backward) from the node to a
        target. With each node stands the step that leads to it; the first one has FLOW. Sets of cells are
        left out.
        """
        if not self.is_reached(node):
            return ()
        found, parents, shortcuts = self._trace
        state = self._best(node, found)
        assert state is not None
        way = [node if state >> 1 in self.flow.copies.get(node, ()) else state >> 1]
        while parents[state] != START:
            before = parents[state]
            if state in shortcuts:
                inside = list(summaries_of(self.flow, self.depth).through(shortcuts[state].entrance))
                way.extend(reversed(inside) if self.is_forward else inside)
            way.append(before >> 1)
            state = before
        if self.is_forward:
            way.reverse()
        return tuple(self._with_steps(way))

    def _with_steps(self, way: list[int]) -> Iterator[tuple[int, FlowStep]]:
        flow, known, first_set = self.flow, self._steps, self.flow.numbering.first_set
        last = -1
        step = FlowStep.FLOW
        for node in way:
            if last >= 0:
                edge = last, node
                if edge not in known:
                    known[edge] = _step_between(flow, last, node)
                step = known[edge]
            last = node
            if node < first_set or flow.where(node).kind != "cells":
                yield node, step


def _step_between(flow: Flow, node: int, other: int) -> FlowStep:
    """The step of the edge from one node to the next; if there are several, one without a decision."""
    plain, back = flow.plain.rows(flow.nodes), flow.plain.back(flow.nodes)
    if node in back.of(other) if back.count(other) < plain.count(node) else other in plain.of(node):
        return flow.plain_step(node, other)
    special = flow.special.rows(flow.nodes)
    labels = [label & 7 for each, label in special.labelled(node) if each == other]
    return STEPS[min(labels)] if labels else flow.plain_step(node, other)


def reach_forward(
    flow: Flow, sources: Iterable[int], depth: int, stays: Container[int] | None = None
) -> Reach:
    """What the sources come to with at most so many hops; only over the nodes in `stays`, if given."""
    return _reach(flow, sources, depth, stays, is_forward=True)


def reach_backward(
    flow: Flow, targets: Iterable[int], depth: int, stays: Container[int] | None = None
) -> Reach:
    """What comes to the targets with at most so many hops; only over the nodes in `stays`, if given."""
    return _reach(flow, targets, depth, stays, is_forward=False)


def _reach(
    flow: Flow, starts: Iterable[int], depth: int, stays: Container[int] | None, *, is_forward: bool
) -> Reach:
    nodes = list(dict.fromkeys(starts))
    states = [2 * each for node in nodes for each in (node, *flow.copies.get(node, ()))]
    closed = _closed(flow, stays)

    def search() -> Trace:
        return _Search(flow, depth, is_forward, bytearray(closed)).run(states)

    if flow.nodes < MANY_NODES:
        trace = search()
        return Reach(flow, depth, is_forward, trace.found, lambda: trace)
    return Reach(flow, depth, is_forward, marked(flow, states, depth, closed, is_forward=is_forward), search)


def marked(
    flow: Flow, states: Sequence[int], depth: int, closed: bytearray, *, is_forward: bool
) -> bytearray:
    """For each state its hops plus 1, or 0; where two states of a node tell the same, one may be left out."""
    found = bytearray(closed)
    mark(np.frombuffer(found, dtype=np.uint8), _all_steps(flow, depth, is_forward), states, depth)
    return found.translate(OPENED)


def _rows(flow: Flow, is_forward: bool) -> tuple[EdgeRows, EdgeRows]:
    plain, special = flow.plain, flow.special
    if is_forward:
        return plain.rows(flow.nodes), special.rows(flow.nodes)
    return plain.back(flow.nodes), special.back(flow.nodes)


def _all_steps(flow: Flow, depth: int, is_forward: bool) -> SearchSteps:
    """The steps of a whole graph, made once for each direction."""
    summaries = summaries_of(flow, depth)
    if is_forward not in summaries.steps_made:
        known = summaries.onward if is_forward else summaries.backward
        shortcuts = ((node, each.node, each.hops) for node, those in known.items() for each in those)
        rows, first_cell = _rows(flow, is_forward), flow.numbering.first_cell
        summaries.steps_made[is_forward] = steps_of(flow.nodes, first_cell, is_forward, rows, shortcuts)
    return summaries.steps_made[is_forward]


class _Search:
    """A search by hops and then by steps; `waiting[hops][steps]` holds what is to be looked at then.

    States that are closed, as they lie outside of where the search stays, look as if they were found.
    """

    def __init__(
        self,
        flow: Flow,
        depth: int,
        is_forward: bool,
        closed: bytearray,
    ) -> None:
        summaries = summaries_of(flow, depth)
        self.all_shortcuts = summaries.onward if is_forward else summaries.backward
        self.turns = summaries.turns_onward if is_forward else summaries.turns_backward
        self.plain, self.special = _rows(flow, is_forward)
        self.depth, self.first_cell = depth, flow.numbering.first_cell
        self.enters = int(FlowStep.CALL if is_forward else FlowStep.RETURN)
        self.found = closed
        self.parents = array("i", [START]) * (2 * flow.nodes)
        self.shortcuts: dict[int, Shortcut] = {}
        self.waiting: list[dict[int, list[Waiting]]] = [{} for _ in range(depth + 1)]

    def run(self, starts: Iterable[int]) -> Trace:
        found = self.found
        current = []
        for state in starts:  # they may lie outside of where the search stays
            if found[state] in (0, CLOSED):
                found[state] = 1
                current.append(state)
        for hops, buckets in enumerate(self.waiting):
            steps = 0
            while current or buckets:
                if not current:
                    steps = min(buckets)
                for state, before, shortcut in buckets.pop(steps, ()):
                    if not found[state] and not found[state & ~1]:
                        found[state] = hops + 1
                        self.parents[state] = before
                        if shortcut is not None:
                            self.shortcuts[state] = shortcut
                        current.append(state)
                current = self._look_from(current, hops, steps)
                steps += 1
        return Trace(found.translate(OPENED), self.parents, self.shortcuts)

    def _wait(self, hops: int, steps: int, state: int, before: int, shortcut: Shortcut | None) -> None:
        if hops <= self.depth and not self.found[state]:
            self.waiting[hops].setdefault(steps, []).append((state, before, shortcut))

    def _look_from(self, current: list[int], hops: int, steps: int) -> list[int]:
        """What is one step away, in the order of the states; what costs more waits."""
        found, parents, first_cell = self.found, self.parents, self.first_cell
        starts, targets = self.plain.starts, self.plain.targets
        turns, special, shortcuts = self.turns, self.special.starts, self.all_shortcuts
        mark = hops + 1
        fresh: list[int] = []
        add = fresh.append
        for state in current:
            node, phase = state >> 1, state & 1
            for other in targets[starts[node] : starts[node + 1]]:
                after = 2 * other
                if found[after]:
                    continue
                if phase and other < first_cell:
                    after += 1
                    if found[after]:
                        continue
                found[after] = mark
                parents[after] = state
                add(after)
            if not turns[node]:
                continue
            if special[node] != special[node + 1]:
                self._cross(state, hops, steps, fresh)
            if node in shortcuts:
                for shortcut in shortcuts[node]:
                    after = 2 * shortcut.node
                    if not found[after]:
                        self._wait(
                            hops + shortcut.hops, steps + shortcut.steps, after + phase, state, shortcut
                        )
        return fresh

    def _cross(self, state: int, hops: int, steps: int, fresh: list[int]) -> None:
        """Goes on by calls, returns and decisions."""
        node, phase = state >> 1, state & 1
        found = self.found
        for other, label in self.special.labelled(node):
            step = label & 7
            if step == CONTROL:
                is_call = label >> SITE_SHIFT
                # Backward, the pointer that is called lies in the caller: the way leaves the callee.
                if not is_call:
                    after = 2 * other + phase
                elif self.enters == CALL:
                    after = 2 * other + 1
                elif phase:
                    continue
                else:
                    after = 2 * other
                if hops < self.depth:
                    self._wait(hops + 1, steps + 1, after, state, None)
                continue
            if step == self.enters:
                after = 2 * other + 1
            elif phase:
                continue
            else:
                after = 2 * other
            if not found[after] and not found[2 * other]:
                found[after] = hops + 1
                self.parents[after] = state
                fresh.append(after)


def _closed(flow: Flow, stays: Container[int] | None) -> bytearray:
    """For each state CLOSED if the search may not go there, else 0."""
    if stays is None:
        return bytearray(2 * flow.nodes)
    if isinstance(stays, Moments):
        allowed = bytes(stays.allowed)
    else:
        allowed = bytes(node in stays for node in range(flow.nodes))
    closed = bytearray(2 * flow.nodes)
    closed[::2] = closed[1::2] = allowed.translate(OPENED_OR_CLOSED)
    return closed
