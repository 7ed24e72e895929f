"""What a run spent outside of the build in functions that go through texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import PurePosixPath

from sonde.core.text_functions import NAMELESS, text_function
from sonde.formats.callgrind.nodes import CallGraph, Elsewhere, Node

_LOADERS = ("ld-linux", "ld-2.", "ld.so")  # how their files begin; that of musl is its C library, too
_C_LIBRARIES = ("libc.so", "libc-2.", "libc.musl", "ld-musl")
_ADDRESS = "0x"  # how callgrind names functions of which it knows no name


def sum_text_functions(graph: CallGraph) -> Mapping[str, int]:
    """The cost of each by its plain name, and of functions of the C library that have none.

    What the loader does with the names that it looks up is left out. So is its choice among variants of a
    function, which has the function's own name.
    """
    costs: defaultdict[Node, int] = defaultdict(int)
    for node, cost in graph.own.items():
        if _name(node) is not None:
            costs[node] += cost
    for (caller, callee), cost in graph.costs.items():
        if callee in costs and _is_of_loader(caller):
            costs[callee] -= min(cost, costs[callee])
    found: defaultdict[str, int] = defaultdict(int)
    for node, cost in costs.items():
        if cost:
            found[_name(node) or NAMELESS] += cost
    return dict(found)


def _name(node: Node) -> str | None:
    """The plain name of such a function, or None for all others."""
    if not isinstance(node, Elsewhere) or _is_of_loader(node):
        return None
    if node.function.startswith(_ADDRESS) and _file(node).startswith(_C_LIBRARIES):
        return NAMELESS
    return text_function(node.function)


def _is_of_loader(node: Node) -> bool:
    return isinstance(node, Elsewhere) and _file(node).startswith(_LOADERS)


def _file(node: Elsewhere) -> str:
    return PurePosixPath(node.file).name
