"""What lies on a whole way: from a change to hot code, with calls and returns matched all along.

That a node is come to from the change and comes to hot code is not enough: it may be come to by one call and
leave by another. Reps and Rosay, "Precise interprocedural chopping" (1995): of the two halves of a way, at
most one may go on beyond the routine by a call that the other half knows nothing of; and what lies inside
of a routine that is passed by a shortcut is found from the shortcut.
"""

from __future__ import annotations

import numpy as np

from sonde.methods.impact.flow.edges import FlowStep
from sonde.methods.impact.reach.searching import Reach
from sonde.methods.impact.reach.summaries import Summaries, summaries_of

FAR = 255
Counts = np.ndarray[tuple[int], np.dtype[np.int32]]
Hops = np.ndarray[tuple[int], np.dtype[np.uint8]]


def hops_between(forward: Reach, backward: Reach, depth: int) -> Hops:
    """For each node the fewest implicit hops of a whole way over it, or FAR if no way has at most `depth`."""
    up_there, down_there = _by_phase(forward)
    up_back, down_back = _by_phase(backward)
    there_any = np.minimum(up_there, down_there)
    back_any = np.minimum(up_back, down_back)
    best = np.minimum(up_there + back_any, there_any + up_back)
    found = np.where(best <= depth, best, FAR).astype(np.uint8)
    summaries = summaries_of(forward.flow, depth)
    seeds: list[tuple[int, int]] = []
    possible = np.flatnonzero(there_any <= depth).tolist()
    for argument in possible:
        for shortcut in summaries.onward.get(argument, ()):
            call = shortcut.node
            outside = min(
                int(up_there[argument]) + int(back_any[call]), int(there_any[argument]) + int(up_back[call])
            )
            if outside + shortcut.hops <= depth:
                extra = shortcut.hops - summaries.hops[shortcut.entrance]
                seeds.append((shortcut.entrance, outside + extra))
    _pass_through(forward, summaries, seeds, depth, found)
    return found


def nodes_between(forward: Reach, backward: Reach, depth: int) -> frozenset[int]:
    """The nodes on ways with at most so many implicit hops."""
    return frozenset(np.flatnonzero(hops_between(forward, backward, depth) <= depth).tolist())


def _by_phase(reach: Reach) -> tuple[Counts, Counts]:
    """Hops of ways that may still leave the routine, and of those that may not; many if there is none."""
    states = np.frombuffer(reach.found, dtype=np.uint8).reshape(-1, 2).astype(np.int32)
    hops = np.where(states == 0, 2 * FAR, states - 1)
    return hops[:, 0], hops[:, 1]


def _pass_through(
    reach: Reach, summaries: Summaries, seeds: list[tuple[int, int]], depth: int, found: Hops
) -> None:
    """Enters what lies inside of routines that are passed, in `found`.

    A cost is what a way costs outside of the routine, and inside of it up to the node.
    """
    flow = reach.flow
    plain, special = flow.plain.rows(flow.nodes), flow.special.rows(flow.nodes)
    first_cell, to_end = flow.numbering.first_cell, summaries.hops
    costs: dict[int, int] = {}
    waiting: list[list[int]] = [[] for _ in range(depth + 1)]

    def wait(node: int, cost: int) -> None:
        if cost + to_end[node] <= depth and cost < costs.get(node, FAR):
            costs[node] = cost
            waiting[cost].append(node)

    for node, cost in seeds:
        wait(node, cost)
    for cost, bucket in enumerate(waiting):
        for node in bucket:  # grows
            if costs[node] < cost:
                continue
            found[node] = min(int(found[node]), cost + to_end[node])
            for other in plain.of(node):
                if other < first_cell:
                    wait(other, cost)
            for other, label in special.labelled(node):
                if label == FlowStep.CONTROL:
                    wait(other, cost + 1)
            for shortcut in summaries.onward.get(node, ()):
                call = shortcut.node
                if cost + shortcut.hops + to_end[call] <= depth:
                    wait(call, cost + shortcut.hops)
                    extra = shortcut.hops - to_end[shortcut.entrance]
                    wait(shortcut.entrance, cost + extra + to_end[call])
