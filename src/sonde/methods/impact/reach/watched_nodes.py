"""Nodes that many reaches are asked for, looked up all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.reach.searching import Reach
from sonde.methods.impact.reach.together import GroupReach


class WatchedNodes:
    """A sequence of nodes of a flow graph."""

    def __init__(self, flow: Flow, nodes: Sequence[int]) -> None:
        self.nodes = tuple(nodes)
        self._copies = flow.copies
        self._states = 2 * np.array(self.nodes, dtype=np.int64)
        self._stands_for_more = np.array([each in flow.copies for each in self.nodes], dtype=np.bool_)

    def reached(self, reach: Reach) -> list[int]:
        """The positions of those that are come to, in order."""
        found = np.frombuffer(reach.found, dtype=np.uint8)
        is_reached = (found[self._states] != 0) | (found[self._states + 1] != 0)
        for position in np.flatnonzero(self._stands_for_more & ~is_reached).tolist():
            is_reached[position] = reach.is_reached(self.nodes[position])
        return list(np.flatnonzero(is_reached).tolist())

    def reached_together(self, reach: GroupReach) -> list[int]:
        """The positions of those that a group comes to, in order."""
        known = self._positions
        return sorted({each for node in reach.nodes() if node in known for each in known[node]})

    @cached_property
    def _positions(self) -> Mapping[int, Sequence[int]]:
        """The positions of each node in the sequence, also by further nodes that stand for the same."""
        found: dict[int, list[int]] = {}
        for position, each in enumerate(self.nodes):
            for node in (each, *self._copies.get(each, ())):
                found.setdefault(node, []).append(position)
        return found
