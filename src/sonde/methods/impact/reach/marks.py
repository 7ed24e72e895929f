"""What a search comes to with how many hops, for large graphs: whole arrays of states a step.

The states and the ways are those of `reach`. How a state is come to is not kept, so that a step takes as long
as a few operations on arrays, however many states it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sonde.methods.impact.flow.edges import SITE_SHIFT, EdgeRows, FlowStep

CLOSED = 255
Numbers = np.ndarray[tuple[int], np.dtype[np.int64]]
Nodes = np.ndarray[tuple[int], np.dtype[np.int32]]  # half as large: a graph has millions of edges
Marks = np.ndarray[tuple[int], np.dtype[np.uint8]]


class _Table(NamedTuple):
    """For each node where something leads from it: `targets[starts[node]:starts[node + 1]]`."""

    starts: Numbers
    targets: Nodes

    def from_nodes(self, nodes: Numbers, phases: Numbers) -> tuple[Numbers, Numbers]:
        """Where these nodes lead to, and with which phases."""
        first = self.starts[nodes]
        counts = self.starts[nodes + 1] - first
        total = int(counts.sum())
        if not total:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        before = np.cumsum(counts) - counts
        places = np.arange(total) - np.repeat(before - first, counts)
        return self.targets[places].astype(np.int64), np.repeat(phases, counts)


@dataclass(frozen=True)
class SearchSteps:
    """How a search goes on in one direction, sorted by what that means for hops and phases."""

    first_cell: int
    plain: _Table
    entering: _Table  # by calls, or backward by returns
    leaving: _Table
    deciding: _Table  # inside of a routine
    choosing: _Table  # pointers that are called decide about what they enter
    passing: tuple[_Table, ...]  # shortcuts, by their hops
    is_forward: bool


def steps_of(
    nodes: int,
    first_cell: int,
    is_forward: bool,
    rows: tuple[EdgeRows, EdgeRows],
    shortcuts: Iterable[tuple[int, int, int]],
) -> SearchSteps:
    """The steps of a graph with so many nodes.

    `rows` of plain and of special edges; shortcuts from a node to another one, with their hops.
    """
    plain, special = rows
    labels = np.frombuffer(special.labels, dtype=np.int32) if special.labels else np.empty(0, np.int32)
    steps, sites = labels & 7, labels >> SITE_SHIFT
    enters = steps == (FlowStep.CALL if is_forward else FlowStep.RETURN)
    decides = steps == FlowStep.CONTROL
    return SearchSteps(
        first_cell,
        _part(plain, None),
        _part(special, enters),
        _part(special, ~enters & ~decides),
        _part(special, decides & (sites == 0)),
        _part(special, decides & (sites != 0)),
        _by_hops(nodes, shortcuts),
        is_forward,
    )


def _part(rows: EdgeRows, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]] | None) -> _Table:
    """Some of the edges; None: all."""
    starts = np.frombuffer(rows.starts, dtype=np.int32).astype(np.int64)
    targets = np.frombuffer(rows.targets, dtype=np.int32) if rows.targets else np.empty(0, np.int32)
    if chosen is None:
        return _Table(starts, targets)
    before = np.concatenate([[0], np.cumsum(chosen)])
    return _Table(before[starts], targets[chosen])


def _by_hops(nodes: int, shortcuts: Iterable[tuple[int, int, int]]) -> tuple[_Table, ...]:
    sources, targets, hops = np.array(list(shortcuts), dtype=np.int64).reshape(-1, 3).T
    tables = []
    for count in range(int(hops.max(initial=0)) + 1):
        chosen = np.flatnonzero(hops == count)
        order = chosen[np.argsort(sources[chosen], kind="stable")]
        counts = np.bincount(sources[order], minlength=nodes)
        tables.append(_Table(np.concatenate([[0], np.cumsum(counts)]), targets[order].astype(np.int32)))
    return tuple(tables)


def mark(found: Marks, steps: SearchSteps, starts: Sequence[int], depth: int) -> None:
    """Enter for each state that is come to from these its hops plus 1; what is not 0 is not gone to."""
    waiting: list[list[Numbers]] = [[] for _ in range(depth + 1)]
    current = np.unique(np.array(starts, dtype=np.int64))
    for hops in range(depth + 1):
        if hops:
            current = _unknown(found, waiting[hops])
        while len(current):
            found[current] = hops + 1
            nodes, phases = current >> 1, current & 1
            for further in range(1, depth - hops + 1):
                waiting[hops + further].append(_costly(steps, nodes, phases, further))
            current = _unknown(found, _free(steps, nodes, phases))


def _unknown(found: Marks, states: list[Numbers]) -> Numbers:
    """Those of these states that are new, once; a state that may leave its routine counts for both."""
    every = np.concatenate([*states, np.empty(0, np.int64)])
    return np.unique(every[(found[every] == 0) & (found[every & ~1] == 0)])


def _free(steps: SearchSteps, nodes: Numbers, phases: Numbers) -> list[Numbers]:
    """Where states lead to without a hop."""
    others, kept = steps.plain.from_nodes(nodes, phases)
    entered, _ = steps.entering.from_nodes(nodes, phases)
    left, _ = steps.leaving.from_nodes(nodes[phases == 0], phases[phases == 0])
    passed, phase = steps.passing[0].from_nodes(nodes, phases)
    return [
        2 * others + np.where(others < steps.first_cell, kept, 0),
        2 * entered + 1,
        2 * left,
        2 * passed + phase,
    ]


def _costly(steps: SearchSteps, nodes: Numbers, phases: Numbers, hops: int) -> Numbers:
    """Where states lead to with so many hops at once."""
    found = []
    if hops < len(steps.passing):
        passed, phase = steps.passing[hops].from_nodes(nodes, phases)
        found.append(2 * passed + phase)
    if hops == 1:
        decided, kept = steps.deciding.from_nodes(nodes, phases)
        found.append(2 * decided + kept)
        if steps.is_forward:
            found.append(2 * steps.choosing.from_nodes(nodes, phases)[0] + 1)
        else:  # the pointer lies in the caller: the way leaves the callee
            found.append(2 * steps.choosing.from_nodes(nodes[phases == 0], phases[phases == 0])[0])
    return np.concatenate([*found, np.empty(0, np.int64)])
