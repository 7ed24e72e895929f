"""What each of several groups of nodes comes to by values alone, looked for at once.

Groups that begin near each other come to much the same: here, a node is looked at once for many of them. For
what ways are, see `reach`; these are ways without an implicit hop, and nobody asks for their steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sonde.methods.impact.flow.edges import FlowStep
from sonde.methods.impact.flow.graph import Flow
from sonde.methods.impact.reach.moments import Moments
from sonde.methods.impact.reach.summaries import summaries_of

CALL, RETURN = int(FlowStep.CALL), int(FlowStep.RETURN)


@dataclass(frozen=True)
class GroupReach:
    """The groups that come to each node, as masks."""

    flow: Flow = field(repr=False)
    found: dict[int, int] = field(repr=False)  # by state, see `reach.Reach`; nothing for those not come to

    def at(self, node: int) -> int:
        """The groups that come to a node, or to a further one that stands for the same."""
        groups = 0
        for each in (node, *self.flow.copies.get(node, ())):
            groups |= self.found.get(2 * each, 0) | self.found.get(2 * each + 1, 0)
        return groups

    def ahead(self, node: int) -> int:
        """Those that come there by a way that may still leave the node's routine."""
        return self.found.get(2 * node, 0)

    def nodes(self) -> set[int]:
        """All nodes that a group comes to."""
        return {state >> 1 for state in self.found}


def reach_together(flow: Flow, groups: Sequence[Iterable[int]], stays: Moments) -> GroupReach:
    """What each group of nodes comes to without hops, over the nodes in `stays` only."""
    search = _Search(flow, stays)
    for number, nodes in enumerate(groups):
        search.begin(nodes, 1 << number)
    search.run()
    return GroupReach(flow, search.found)


class _Search:
    """`fresh` holds what of `found` was not yet passed on."""

    def __init__(self, flow: Flow, stays: Moments) -> None:
        self.flow, self.allowed = flow, stays.allowed
        self.special = flow.special.rows(flow.nodes)
        summaries = summaries_of(flow, 0)
        self.shortcuts, self.turns = summaries.onward, summaries.turns_onward
        self.found: dict[int, int] = {}
        self.fresh: dict[int, int] = {}

    def begin(self, nodes: Iterable[int], groups: int) -> None:
        """Begin at these nodes, which may lie outside of where the search stays."""
        for node in nodes:
            for each in (node, *self.flow.copies.get(node, ())):
                self._note(2 * each, groups & ~self.found.get(2 * each, 0))

    def _note(self, state: int, more: int) -> None:
        if more:
            self.found[state] = self.found.get(state, 0) | more
            self.fresh[state] = self.fresh.get(state, 0) | more

    def run(self) -> None:
        plain, first_cell = self.flow.plain.rows(self.flow.nodes), self.flow.numbering.first_cell
        starts, targets, allowed, turns = plain.starts, plain.targets, self.allowed, self.turns
        found = self.found
        while self.fresh:
            current, self.fresh = self.fresh, {}
            fresh = self.fresh
            for state, new in current.items():
                node, phase = state >> 1, state & 1
                groups = new & ~found.get(state - 1, 0) if phase else new
                if not groups:
                    continue
                for other in targets[starts[node] : starts[node + 1]]:
                    if not allowed[other]:
                        continue
                    after = 2 * other
                    known = found.get(after, 0)
                    more = groups & ~known
                    if more and phase and other < first_cell:
                        after += 1
                        known = found.get(after, 0)
                        more &= ~known
                    if more:
                        found[after] = known | more
                        fresh[after] = fresh.get(after, 0) | more
                if turns[node]:
                    self._turn(node, phase, groups)

    def _turn(self, node: int, phase: int, groups: int) -> None:
        """Goes on by calls, returns and shortcuts."""
        found, allowed = self.found, self.allowed
        for other, label in self.special.labelled(node):
            step = label & 7
            if not allowed[other] or (step != CALL and (step != RETURN or phase)):
                continue
            more = groups & ~found.get(2 * other, 0)
            if step == CALL:
                self._note(2 * other + 1, more & ~found.get(2 * other + 1, 0))
            else:
                self._note(2 * other, more)
        for shortcut in self.shortcuts.get(node, ()):
            other = shortcut.node
            if shortcut.hops == 0 and allowed[other]:
                more = groups & ~found.get(2 * other, 0)
                self._note(2 * other + phase, more & ~found.get(2 * other + phase, 0))
