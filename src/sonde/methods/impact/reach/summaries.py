"""What comes through a routine: from its parameters, and from whether it is called, to what it returns.

Horwitz, Reps and Binkley, "Interprocedural slicing using dependence graphs" (1990): a call is then one edge
in the routine that calls, from an argument to the CALL, and calls and returns need not be followed to keep
them matched. Each node has one way to the end of its own routine, the one with the fewest implicit hops and
then the fewest steps. They are found all at once, the shortest first: Knuth, "A generalization of
Dijkstra's algorithm" (1977), as a way through a call is as long as the ways of which it is made.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sonde.methods.impact.flow.edges import SITE_SHIFT, EdgeRows, FlowEdges, FlowStep
from sonde.methods.impact.flow.graph import Flow
from sonde.methods.impact.reach.marks import SearchSteps

UNKNOWN = 255
USUAL_HOPS = 1  # of ways that are asked for


class Shortcut(NamedTuple):
    """An edge past a call: an argument (or a block) comes through the callee to the CALL."""

    node: int  # at the other end: the CALL, seen from the argument; the argument, seen from the CALL
    hops: int
    steps: int
    entrance: int  # the node of the callee at which it goes in


@dataclass
class Summaries:
    """For each node the best way to what its own routine returns, and the shortcuts that follow."""

    hops: bytearray  # UNKNOWN: no way
    steps: array[int]
    following: array[int]  # the next node on the way
    entrances: dict[int, int]  # of nodes whose next step is a shortcut: where it goes in
    onward: dict[int, list[Shortcut]]  # by argument
    backward: dict[int, list[Shortcut]]  # by CALL
    turns_onward: bytes  # for each node 1 if edges with labels, or shortcuts, begin there
    turns_backward: bytes
    steps_made: dict[bool, SearchSteps] = field(default_factory=dict, repr=False)  # by direction

    def through(self, entrance: int) -> Iterator[int]:
        """The nodes from an entrance of a routine to what it returns, calls inside of it passed through."""
        node = entrance
        yield node
        while (after := self.following[node]) >= 0:
            if node in self.entrances:
                yield from self.through(self.entrances[node])
            node = after
            yield node


def summaries_of(flow: Flow, most_hops: int) -> Summaries:
    """The summaries of all routines, for ways of at least so many hops; kept with the graph."""
    for known, kept in flow.kept.items():
        if known >= most_hops and isinstance(kept, Summaries):
            return kept
    enough = max(most_hops, USUAL_HOPS)  # else they would soon be made again
    made = flow.kept[enough] = summarise(flow, enough)
    return made


def summarise(flow: Flow, most_hops: int) -> Summaries:
    """The summaries of all routines, for ways of at most so many hops."""
    return _Summarising(flow, most_hops).run()


class _Summarising:
    def __init__(self, flow: Flow, most_hops: int) -> None:
        self.flow, self.most_hops = flow, most_hops
        self.hops = bytearray([UNKNOWN]) * flow.nodes
        self.steps = array("i", [0]) * flow.nodes
        self.following = array("i", [-1]) * flow.nodes
        self.entrances: dict[int, int] = {}
        self.plain = flow.plain.back(flow.nodes)
        self.special = flow.special.back(flow.nodes)
        self.is_decided = _decided(flow.special, flow.nodes)
        self.at_site: dict[int, list[tuple[int, int, int]]] = {}  # CALL: argument, entrance, hops
        self.at_entrance: dict[int, list[tuple[int, int, int]]] = {}  # entrance: argument, CALL, hops
        for source, target, site, extra in _edges_into_calls(flow.special):
            self.at_site.setdefault(site, []).append((source, target, extra))
            self.at_entrance.setdefault(target, []).append((source, site, extra))
        # waiting[hops][steps]: node, next node, entrance or -1
        self.waiting: list[list[list[tuple[int, int, int]]]] = [[] for _ in range(most_hops + 1)]

    def run(self) -> Summaries:
        for number in range(len(self.flow.program.routines)):
            self._wait(self.flow.returned(number), 0, 0, -1, -1)
        for hops, buckets in enumerate(self.waiting):
            steps = 0
            while steps < len(buckets):
                bucket = buckets[steps]
                for node, after, entrance in bucket:  # grows if something takes no step
                    if self.hops[node] == UNKNOWN:
                        self._settle(node, hops, steps, after, entrance)
                buckets[steps] = []
                steps += 1
        onward, backward = self._shortcuts()
        return Summaries(
            self.hops,
            self.steps,
            self.following,
            self.entrances,
            onward,
            backward,
            _turns(self.flow.special.rows(self.flow.nodes), onward),
            _turns(self.special, backward),
        )

    def _wait(self, node: int, hops: int, steps: int, after: int, entrance: int) -> None:
        if hops <= self.most_hops and self.hops[node] == UNKNOWN:
            buckets = self.waiting[hops]
            while len(buckets) <= steps:
                buckets.append([])
            buckets[steps].append((node, after, entrance))

    def _settle(self, node: int, hops: int, steps: int, after: int, entrance: int) -> None:
        self.hops[node], self.steps[node], self.following[node] = hops, steps, after
        if entrance >= 0:
            self.entrances[node] = entrance
        first_cell = self.flow.numbering.first_cell
        known = self.hops
        buckets = self.waiting[hops]
        if len(buckets) <= steps + 1:
            buckets.append([])
        near = buckets[steps + 1]
        for other in self.plain.of(node):
            if other < first_cell and known[other] == UNKNOWN:
                near.append((other, node, -1))
        if self.is_decided[node]:
            for other, label in self.special.labelled(node):
                if label == FlowStep.CONTROL:  # without a call site
                    self._wait(other, hops + 1, steps + 1, node, -1)
        for argument, inside, extra in self.at_site.get(node, ()):
            if known[inside] != UNKNOWN:
                total = hops + known[inside] + extra
                self._wait(argument, total, steps + self.steps[inside] + 2, node, inside)
        for argument, site, extra in self.at_entrance.get(node, ()):
            if known[site] != UNKNOWN:
                total = known[site] + hops + extra
                self._wait(argument, total, self.steps[site] + steps + 2, site, node)

    def _shortcuts(self) -> tuple[dict[int, list[Shortcut]], dict[int, list[Shortcut]]]:
        onward: dict[int, list[Shortcut]] = {}
        backward: dict[int, list[Shortcut]] = {}
        for site, found in self.at_site.items():
            for argument, inside, extra in found:
                hops = self.hops[inside] + extra
                if hops <= self.most_hops:
                    steps = self.steps[inside] + 2
                    onward.setdefault(argument, []).append(Shortcut(site, hops, steps, inside))
                    backward.setdefault(site, []).append(Shortcut(argument, hops, steps, inside))
        return onward, backward


def _edges_into_calls(special: FlowEdges) -> Iterable[tuple[int, int, int, int]]:
    """The edges into what calls enter: argument, entrance, CALL and hops."""
    labels = _numbers(special.labels)
    steps, sites = labels & 7, (labels >> SITE_SHIFT) - 1
    chosen = np.flatnonzero((sites >= 0) & (steps != FlowStep.RETURN))
    return zip(
        _numbers(special.sources)[chosen].tolist(),
        _numbers(special.targets)[chosen].tolist(),
        sites[chosen].tolist(),
        (steps[chosen] == FlowStep.CONTROL).astype(np.int32).tolist(),
        strict=True,
    )


def _decided(special: FlowEdges, nodes: int) -> bytes:
    """For each node 1 if a condition in its own routine decides about it."""
    found = np.zeros(nodes, dtype=np.uint8)
    found[_numbers(special.targets)[_numbers(special.labels) == FlowStep.CONTROL]] = 1
    return bytes(found.data)


def _numbers(values: array[int]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.frombuffer(values, dtype=np.int32) if values else np.empty(0, np.int32)


def _turns(special: EdgeRows, shortcuts: dict[int, list[Shortcut]]) -> bytes:
    """For each node 1 if such edges, or shortcuts, begin there."""
    starts = np.frombuffer(special.starts, dtype=np.int32)
    found = (starts[1:] != starts[:-1]).astype(np.uint8)
    found[np.fromiter(shortcuts, np.int64, len(shortcuts))] = 1
    return bytes(found.data)
