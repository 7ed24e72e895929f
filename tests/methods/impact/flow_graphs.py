"""Small flow graphs at random, and reachability in them by its definition."""

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

from sonde.methods.impact.flow.edges import FlowEdges, FlowStep, label_of
from sonde.methods.impact.flow.graph import Flow, NodeNumbers

VALUES, CELLS = 6, 2  # values 0 and 1 of a routine are parameters, 4 and 5 are calls


@st.composite
def flow_graphs(draw, routines=3, has_cells=True):
    numbers = draw(st.integers(1, routines))
    width = VALUES + 3
    firsts = [width * n for n in range(numbers)]
    cells = CELLS if has_cells else 0
    numbering = NodeNumbers(
        firsts, [VALUES] * numbers, [1] * numbers, width * numbers, width * numbers + cells
    )
    plain, special = FlowEdges(), FlowEdges()
    for first in firsts:
        inside = st.integers(first, first + width - 1)
        for source, target in draw(st.lists(st.tuples(inside, inside), max_size=8)):
            plain.add(source, target)
        for source, target in draw(st.lists(st.tuples(inside, inside), max_size=3)):
            special.add_labelled(source, target, label_of(FlowStep.CONTROL))
        for site in (first + 4, first + 5):
            callee = draw(st.sampled_from([None, *firsts]))
            if callee is None:
                continue
            for argument, entrance, step in draw(
                st.lists(
                    st.tuples(
                        inside,
                        st.sampled_from([0, 1, VALUES]),
                        st.sampled_from([FlowStep.CALL, FlowStep.CONTROL]),
                    ),
                    max_size=3,
                )
            ):
                special.add_labelled(argument, callee + entrance, label_of(step, site))
            special.add_labelled(callee + width - 1, site, label_of(FlowStep.RETURN, site))
    nodes = st.integers(0, numbering.first_cell - 1)
    for cell in range(numbering.first_cell, numbering.first_set):
        for source in draw(st.lists(nodes, max_size=2)):
            plain.add(source, cell)
        for target in draw(st.lists(nodes, max_size=2)):
            plain.add(cell, target)
    program: Any = SimpleNamespace(routines=[None] * numbers)
    nothing: Any = None
    return Flow(
        program, nothing, [], nothing, [], [], numbering, numbering.first_set, [], {}, {}, {}, plain, special
    )


def edges_of(flow):
    """All edges: source, target, hops, call site entered, call site left (or None)."""
    for node in range(flow.nodes):
        for other, step, site in flow.successors(node):
            enters = site if site >= 0 and step != FlowStep.RETURN else None
            leaves = site if step == FlowStep.RETURN else None
            yield node, other, int(step == FlowStep.CONTROL), enters, leaves


def reached_by_definition(flow, sources, depth):
    """The fewest hops to each node over ways in which calls and returns are matched; memory forgets calls."""
    return _reached(list(edges_of(flow)), flow.nodes, flow.numbering.first_cell, sources, depth)


def between_by_definition(flow, sources, targets, depth):
    """The fewest hops of whole ways over each node: in two copies of the graph, joined at that node alone."""
    nodes = flow.nodes
    found = {}
    for node in range(nodes):
        edges = []
        for source, target, *rest in edges_of(flow):
            edges += [(source, target, *rest), (source + nodes, target + nodes, *rest)]
        edges.append((node, node + nodes, 0, None, None))
        reached = _reached(edges, nodes, flow.numbering.first_cell, sources, depth, copies=2)
        best = min((reached[each + nodes] for each in targets if each + nodes in reached), default=None)
        if best is not None:
            found[node] = best
    return found


def _reached(edges, nodes, first_cell, sources, depth, copies=1):
    """The relation "comes there, all calls matched" is closed naively, pair by pair."""

    def is_cell(node):
        return node % nodes >= first_cell

    def is_memory(source, target):
        return source % nodes != target % nodes and (is_cell(source) or is_cell(target))

    after: dict[int, list[Any]] = {}
    ends: dict[int, list[Any]] = {}
    for source, target, *rest in edges:
        after.setdefault(source, []).append((target, *rest))
        if rest[2] is not None:
            ends.setdefault(rest[2], []).append((source, target))
    level = {(node, node): 0 for node in range(copies * nodes)}

    def shorten(table, key, hops):
        if hops <= depth and hops < table.get(key, depth + 1):
            table[key] = hops
            return True
        return False

    changed = True
    while changed:
        changed = False
        for (start, node), hops in list(level.items()):
            for target, more, enters, leaves in after.get(node, ()):
                if leaves is not None or is_memory(node, target):
                    continue
                if enters is None:
                    changed |= shorten(level, (start, target), hops + more)
                    continue
                for inside, site in ends.get(enters, ()):
                    if (target, inside) in level:
                        changed |= shorten(level, (start, site), hops + more + level[target, inside])
    ways: dict[int, list[tuple[int, int]]] = {}
    for (start, node), hops in level.items():
        ways.setdefault(start, []).append((node, hops))
    ups = dict.fromkeys(sources, 0)
    downs: dict[int, int] = {}
    changed = True
    while changed:
        changed = False
        for phase, table in ((0, ups), (1, downs)):
            for node, hops in list(table.items()):
                for other, more in ways[node]:
                    changed |= shorten(table, other, hops + more)
                for target, more, enters, leaves in after.get(node, ()):
                    if is_memory(node, target):
                        changed |= shorten(ups, target, hops + more)
                    elif enters is not None:
                        changed |= shorten(downs, target, hops + more)
                    elif leaves is not None and phase == 0:
                        changed |= shorten(ups, target, hops + more)
    return {node: min(ups.get(node, 99), downs.get(node, 99)) for node in ups.keys() | downs.keys()}


def is_realizable(flow, way):
    """Whether calls and returns along a way of nodes are matched, over some choice of edges."""
    states: set[tuple[int, ...]] = {()}
    for node, other in pairwise(way):
        after: set[tuple[int, ...]] = set()
        for source, target, _, enters, leaves in edges_of(flow):
            if (source, target) != (node, other):
                continue
            for stack in states:
                if max(source, target) >= flow.numbering.first_cell:
                    after.add(())
                elif enters is not None:
                    after.add((*stack, enters))
                elif leaves is None:
                    after.add(stack)
                elif not stack:
                    after.add(())
                elif stack[-1] == leaves:
                    after.add(stack[:-1])
        states = after
    return bool(states)
