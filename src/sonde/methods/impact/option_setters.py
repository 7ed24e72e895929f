"""Where a program sets the variables of an option: what else is executed only there needs the option, too.

The words of an option tell that more exactly, but a program may look at them in ways that nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from sonde.core.code import Kind
from sonde.methods.impact.flow import Flow
from sonde.methods.impact.reachable import Cut, Reachability

MOST_CELLS = 64  # a store that may go to more tells nothing about any of them


def setting_cuts(flow: Flow, reachability: Reachability, reads: Iterable[int]) -> tuple[Cut, ...]:
    """The ways out of decisions that lead to where something is stored that these nodes read."""
    cells = _cells_of(flow, reads)
    found: dict[Cut, None] = {}
    for routine, blocks in reachability.everything.items():
        for each in flow.program.routines[routine].instructions:
            if each.kind is Kind.STORE and each.block in blocks:
                pointees = flow.memory.pointees(routine, each.operands[0])
                if len(pointees) <= MOST_CELLS and not cells.isdisjoint(pointees):
                    found.update(dict.fromkeys(_ways_to(flow, reachability, routine, each.block)))
    return tuple(found)


def _cells_of(flow: Flow, reads: Iterable[int]) -> Set[int]:
    found: set[int] = set()
    for node in reads:
        where = flow.where(node)
        if where.kind == "cell":
            found.add(where.index)
        elif where.kind == "value":
            code = flow.program.routines[where.routine]
            position = where.index - code.parameters
            if position >= 0 and code.instructions[position].kind is Kind.LOAD:
                found.update(flow.memory.pointees(where.routine, code.instructions[position].operands[0]))
    return found


def _ways_to(flow: Flow, reachability: Reachability, routine: int, block: int) -> Iterator[Cut]:
    """The ways out of what decides directly about a block that lead there for sure."""
    routes = reachability.routes[routine]
    for decider in flow.deciders[routine][block]:
        stop = reachability.next_common(routine, decider)
        for number, target in enumerate(routes[decider]):
            current = target
            while current not in (stop, block) and current < len(routes):
                current = reachability.next_common(routine, current)
            if current == block:
                yield routine, decider, number
