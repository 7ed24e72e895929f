"""Where a seeded regression may lie: statements whose value decides near hot code.

These are assignments whose value flows to a loop bound or another comparison, or to a size that a library
function is given, in a routine that is at most two calls away from a hot one.
"""

from __future__ import annotations

import time
from collections.abc import Collection

from sonde.core.code import Instruction, Kind, SourceLine, Unit
from sonde.methods.impact.flow.building import Flow, build_flow
from sonde.methods.impact.hot.code import find_hot_code
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.program.linking import link
from sonde.methods.impact.program.memory import SearchLimits
from sonde.methods.impact.reach.reachable import Reachability
from sonde.methods.impact.reach.searching import reach_backward

CALLS = 2


def find_places(units: tuple[Unit, ...], hot: Collection[str]) -> tuple[SourceLine, ...]:
    """The lines of such statements, sorted."""
    program = link(units)
    flow = build_flow(program, solve(program, SearchLimits(), time.monotonic), are_flags_values=False)
    start = {number for name in hot for number in program.find_routines(name)}
    near = _near(flow, start)
    decisions = find_hot_code(flow, dict.fromkeys(sorted(near))).targets
    targets = [node for node, target in decisions.items() if target.position >= 0 and target.routine in near]
    reach = reach_backward(flow, targets, 0)
    found: set[SourceLine] = set()
    for routine in Reachability(flow).everything:
        code = program.routines[routine]
        for position, instruction in enumerate(code.instructions):
            node = flow.value(routine, code.parameters + position)
            if _assigns_a_number(instruction) and reach.hops(node) == 0:
                found.add(instruction.place)
    return tuple(sorted(found))


def _assigns_a_number(instruction: Instruction) -> bool:
    """Whether it is a statement; parameters are stored on no line of their own."""
    return (
        instruction.kind is Kind.STORE
        and instruction.place.line > 0
        and instruction.shape.startswith("store i")
    )


def _near(flow: Flow, start: Collection[int]) -> set[int]:
    """Routines that call these or are called by them, over at most two calls."""
    neighbours: dict[int, set[int]] = {}
    for routine in range(len(flow.program.routines)):
        for caller, _ in flow.callers(routine):
            neighbours.setdefault(routine, set()).add(caller)
            neighbours.setdefault(caller, set()).add(routine)
    near = set(start)
    for _ in range(CALLS):
        near |= {other for routine in near for other in neighbours.get(routine, ())}
    return near
