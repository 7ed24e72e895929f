"""The cost of functions with everything that they called, from the costs of calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from sonde.core.evidence import Activity, ProfiledFunction
from sonde.formats.callgrind.elsewhere import sum_elsewhere
from sonde.formats.callgrind.nodes import CallGraph, Node


def sum_activities(graph: CallGraph) -> Mapping[ProfiledFunction, Activity]:
    """What each function of the build did.

    The inclusive cost is its own and that of its calls to others. That is exact, also for a function that
    calls itself; but where functions call each other in a circle, calls count what is below them once more on
    each round. So it is at most the cost of the whole circle: that of its functions themselves, and of their
    calls out of it. A function that nobody was seen to call, such as an entry point, was called once.
    """
    circles = find_circles(graph.costs)
    called: defaultdict[Node, int] = defaultdict(int)
    for (_, callee), number in graph.calls.items():
        called[callee] += number
    below: defaultdict[Node, int] = defaultdict(int)
    most: defaultdict[int, int] = defaultdict(int)
    for node, cost in graph.own.items():
        most[circles.get(node, NO_CIRCLE)] += cost
    for (caller, callee), cost in graph.costs.items():
        if caller != callee:
            below[caller] += cost
        if circles.get(caller, NO_CIRCLE) != circles.get(callee, NO_CIRCLE):
            most[circles.get(caller, NO_CIRCLE)] += cost
    total = sum(graph.own.values())
    elsewhere = sum_elsewhere(graph)
    activities = {}
    for place in _places(graph):
        own = graph.own.get(place, 0)
        circle = circles.get(place, NO_CIRCLE)
        inclusive = min(own + below[place], total)
        if circle != NO_CIRCLE:
            inclusive = max(own, min(inclusive, most[circle]))
        lent = min(elsewhere.get(place, 0), inclusive - own)
        activities[place] = Activity(max(called[place], 1), own, inclusive, lent)
    return activities


NO_CIRCLE = -1


def _places(graph: CallGraph) -> list[ProfiledFunction]:
    return sorted(node for node, cost in graph.own.items() if isinstance(node, ProfiledFunction) and cost > 0)


def find_circles(calls: Iterable[tuple[Node, Node]]) -> Mapping[Node, int]:
    """The number of the circle of each function that is in one; Tarjan's algorithm, without recursion."""
    callees: dict[Node, list[Node]] = {}
    for caller, callee in calls:
        callees.setdefault(caller, []).append(callee)
        callees.setdefault(callee, [])
    order: dict[Node, int] = {}
    lowest: dict[Node, int] = {}
    path: list[Node] = []
    on_path: set[Node] = set()
    circles: dict[Node, int] = {}
    for root, first in callees.items():
        if root in order:
            continue
        work = [(root, iter(first))]
        order[root] = lowest[root] = len(order)
        path.append(root)
        on_path.add(root)
        while work:
            node, rest = work[-1]
            for callee in rest:
                if callee not in order:
                    order[callee] = lowest[callee] = len(order)
                    path.append(callee)
                    on_path.add(callee)
                    work.append((callee, iter(callees[callee])))
                    break
                if callee in on_path:
                    lowest[node] = min(lowest[node], order[callee])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == order[node]:
                    _close(node, path, on_path, circles)
    return circles


def _close(first: Node, path: list[Node], on_path: set[Node], circles: dict[Node, int]) -> None:
    """Take a component off the path; a function alone is no circle."""
    at = len(path) - 1
    while path[at] != first:
        at -= 1
    members = path[at:]
    del path[at:]
    on_path.difference_update(members)
    if len(members) > 1:
        circles.update(dict.fromkeys(members, len(circles)))
