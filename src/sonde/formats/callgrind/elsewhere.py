"""What functions of the build let other files do for them: `memcpy`, and `qsort` without its callbacks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import PurePosixPath

from sonde.core.evidence import ExecutedInstructions, ProfiledFunction
from sonde.formats.callgrind.nodes import CallGraph, CodePiece, Elsewhere, Node

ROUNDS = 20  # functions elsewhere that call each other in circles: it need not be exact


def sum_elsewhere(graph: CallGraph) -> Mapping[ProfiledFunction, int]:
    """For each function of the build the cost of its calls into other files, without what these call back.

    A function elsewhere is called by many, and how much of it is called back is only known of all calls
    together: each has the same share of that.
    """
    shares = _shares(graph)
    found: defaultdict[ProfiledFunction, float] = defaultdict(float)
    for (caller, callee), cost in graph.costs.items():
        if isinstance(caller, ProfiledFunction) and isinstance(callee, Elsewhere) and not _is_loader(callee):
            found[caller] += cost * shares.get(callee, 1.0)
    return {place: round(cost) for place, cost in found.items()}


def sum_executed(graph: CallGraph) -> Mapping[ProfiledFunction, ExecutedInstructions]:
    """The cost of each instruction that ran, and of what it called in other files."""
    shares = _shares(graph)
    lent: defaultdict[CodePiece, float] = defaultdict(float)
    for (instruction, callee), cost in graph.calls_elsewhere.items():
        if not _is_loader(callee):
            lent[instruction] += cost * shares.get(callee, 1.0)
    found: defaultdict[ProfiledFunction, list[tuple[int, int, int]]] = defaultdict(list)
    for instruction in sorted(graph.instructions.keys() | lent.keys()):
        own = graph.instructions.get(instruction, 0)
        found[instruction.function].append((instruction.offset, own, round(lent.get(instruction, 0.0))))
    return {place: ExecutedInstructions(*zip(*rows, strict=True)) for place, rows in found.items()}


def _is_loader(node: Elsewhere) -> bool:
    """Whether it is of the dynamic loader, which looks functions up for whoever calls them first."""
    return PurePosixPath(node.file).name.startswith("ld-")


def _shares(graph: CallGraph) -> Mapping[Node, float]:
    """The share of the cost of functions elsewhere that stays elsewhere; 1 for those that are not told."""
    calls: defaultdict[Node, list[tuple[Node, int]]] = defaultdict(list)
    for (caller, callee), cost in graph.costs.items():
        if isinstance(caller, Elsewhere) and caller != callee:
            calls[caller].append((callee, cost))
    shares: dict[Node, float] = {}
    for _ in range(ROUNDS):
        before = dict(shares)
        for caller, below in calls.items():
            own = graph.own.get(caller, 0)
            stays = own + sum(
                cost * shares.get(callee, 1.0) for callee, cost in below if isinstance(callee, Elsewhere)
            )
            everything = own + sum(cost for _, cost in below)
            shares[caller] = stays / everything if everything else 1.0
        if shares == before:
            break
    return shares
