"""Edges between numbered nodes, kept compactly: a large program has millions of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np


class FlowStep(IntEnum):
    """How something comes from one node to the next."""

    FLOW = 0  # within a routine, also the order of execution
    MEMORY = 1  # through a cell
    CALL = 2  # into a routine
    RETURN = 3  # out of it
    CONTROL = 4  # a condition decides whether a block is executed: one implicit hop


SITE_SHIFT = 3  # a label is the step, and above these bits the node of the CALL plus 1, or 0


def label_of(step: FlowStep, site: int = -1) -> int:
    """Step and call site as one number."""
    return step | (site + 1) << SITE_SHIFT


@dataclass(frozen=True)
class EdgeRows:
    """For each node where its edges go: `targets[starts[node]:starts[node + 1]]`, and their labels if any."""

    starts: array[int]
    targets: array[int]
    labels: array[int]

    def of(self, node: int) -> Sequence[int]:
        """Where the edges of a node go."""
        return self.targets[self.starts[node] : self.starts[node + 1]]

    def count(self, node: int) -> int:
        """How many edges a node has."""
        return self.starts[node + 1] - self.starts[node]

    def labelled(self, node: int) -> Iterator[tuple[int, int]]:
        """Where the edges of a node go, and their labels."""
        start, end = self.starts[node], self.starts[node + 1]
        return zip(self.targets[start:end], self.labels[start:end], strict=True)


class FlowEdges:
    """Edges while a graph is built, and then in both directions."""

    def __init__(self) -> None:
        self.sources = array("i")
        self.targets = array("i")
        self.labels = array("i")
        self._rows: EdgeRows | None = None
        self._back: EdgeRows | None = None

    def add(self, source: int, target: int) -> None:
        """An edge without a label."""
        self.sources.append(source)
        self.targets.append(target)

    def add_labelled(self, source: int, target: int, label: int) -> None:
        """An edge with a label; either all edges have one or none."""
        self.sources.append(source)
        self.targets.append(target)
        self.labels.append(label)

    def add_all(self, sources: Iterable[int], target: int) -> None:
        """Edges from several nodes to one."""
        before = len(self.sources)
        self.sources.extend(sources)
        self.targets.extend([target] * (len(self.sources) - before))

    def add_to_all(self, source: int, targets: Iterable[int]) -> None:
        """Edges from one node to several."""
        before = len(self.targets)
        self.targets.extend(targets)
        self.sources.extend([source] * (len(self.targets) - before))

    def rows(self, nodes: int) -> EdgeRows:
        """The edges by their source; made once, when all are known."""
        if self._rows is None:
            self._rows = _sorted_rows(self.sources, self.targets, self.labels, nodes)
        return self._rows

    def back(self, nodes: int) -> EdgeRows:
        """The edges by their target; made once, when all are known."""
        if self._back is None:
            self._back = _sorted_rows(self.targets, self.sources, self.labels, nodes)
        return self._back


def _sorted_rows(keys: array[int], others: array[int], labels: array[int], nodes: int) -> EdgeRows:
    by_key = np.frombuffer(keys, dtype=np.int32) if keys else np.empty(0, np.int32)
    other = np.frombuffer(others, dtype=np.int32) if others else np.empty(0, np.int32)
    order = np.argsort(by_key, kind="stable")
    starts = np.zeros(nodes + 1, dtype=np.int32)
    np.cumsum(np.bincount(by_key, minlength=nodes), out=starts[1:])
    label = np.frombuffer(labels, dtype=np.int32)[order] if labels else np.empty(0, np.int32)
    return EdgeRows(_as_array(starts), _as_array(other[order]), _as_array(label))


def _as_array(values: np.ndarray[tuple[int], np.dtype[np.int32]]) -> array[int]:
    made = array("i")
    made.frombytes(values.tobytes())
    return made
