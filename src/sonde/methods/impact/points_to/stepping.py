"""Pointers that step on and on: where a field of what a pointer points to becomes that pointer again.

`p = &p->next_item` leads to a field behind each field, and so on: to every place of an object. One of unknown
size gets so many cells that it is folded in the end. To see that at once saves as many waves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set

from sonde.methods.impact.points_to.cycles import components_in_order
from sonde.methods.impact.program.element_walks import Steps

Fields = Mapping[int, Sequence[tuple[int, int, Steps]]]


def find_steps(
    successors: Sequence[Set[int] | None], fields: Fields, leader: Callable[[int], int]
) -> set[tuple[int, int]]:
    """The fields (offset and node) on cycles of copies and fields that never lead back.

    A cycle that leads back as well may end where it began, or before the begin of an object.
    """
    ahead = [{leader(node) for node in nodes} if nodes else None for nodes in successors]
    for base, rules in fields.items():
        nodes = {leader(node) for offset, node, _ in rules if offset >= 0}
        ahead[base] = nodes.union(ahead[base] or ())
    within: dict[int, int] = {}  # the number of the component, by node
    for number, component in enumerate(components_in_order(len(ahead), ahead)):
        if len(component) > 1 or component[0] in fields:
            within.update(dict.fromkeys(component, number))
    return {
        (offset, node)
        for base, rules in fields.items()
        if base in within
        for offset, node, _ in rules
        if offset > 0 and within.get(leader(node)) == within[base]
    }
