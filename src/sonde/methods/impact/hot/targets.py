"""Which values decide how much hot code does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from sonde.core.code import DECIDING, Kind
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.library.models import CallValue, effect_of
from sonde.methods.impact.reach.searching import reach_backward

LOAD = Kind.LOAD


@dataclass(frozen=True)
class HotDecision:
    """A decision of hot code: at which instruction; -1: whether the routine is executed."""

    routine: int
    position: int


def find_targets(
    flow: Flow, positions: Mapping[int, frozenset[int] | None], called: Set[int]
) -> dict[int, HotDecision]:
    """The nodes that decide: of hot instructions (None: all of the routine), and of what they call."""
    targets: dict[int, HotDecision] = {}
    for routine, inside in positions.items():
        targets.update(_decisions(flow, routine, inside))
        if inside is None:
            targets[flow.executed(routine, 0)] = HotDecision(routine, -1)
    targets.update(_passed_on(flow, positions, called, targets))
    return targets


def _decisions(
    flow: Flow, routine: int, inside: Set[int] | None, seen: set[int] | None = None
) -> dict[int, HotDecision]:
    """What the cost of a routine's own instructions depends on; memory in the sets `seen` is left out."""
    seen = set() if seen is None else seen
    code = flow.program.routines[routine]
    dead = flow.dead_ends[routine]
    found: dict[int, HotDecision] = {}
    for position, each in enumerate(code.instructions):
        if each.block in dead or (inside is not None and position not in inside):
            continue
        if each.kind in DECIDING:
            if len({target for target in each.targets if target not in dead}) > 1:
                found[flow.value(routine, code.parameters + position)] = HotDecision(routine, position)
        elif each.kind is Kind.CALL and each.operands and each.operands[0] >= 0:
            found[flow.value(routine, each.operands[0])] = HotDecision(routine, position)
    for call in flow.calls[routine]:
        if call.block in dead or (inside is not None and call.position not in inside):
            continue
        for node in _cost_nodes(flow, routine, call.position, call.externals, seen):
            found.setdefault(node, HotDecision(routine, call.position))
    return found


def _cost_nodes(
    flow: Flow, routine: int, position: int, externals: Sequence[str], seen: set[int]
) -> Iterable[int]:
    """What the duration of library functions depends on; each set of cells is told once."""
    arguments = flow.program.routines[routine].instructions[position].operands[1:]
    for name in externals:
        for slot in effect_of(name).cost:
            if slot.name:
                object = flow.memory.object_of_external(slot.name)
                yield from _contents(flow, () if object is None else flow.memory.cells_of(object), slot, seen)
            for number in slot.arguments(len(arguments)):
                operand = arguments[number]
                if slot.depth == 0:
                    if operand >= 0:
                        yield flow.value(routine, operand)
                    continue
                memory = flow.memory
                if operand >= 0 and slot.depth == 1:
                    cells = memory.set_of_value[memory.first_value[routine] + operand]
                    if cells in seen:
                        continue
                    seen.add(cells)
                yield from _contents(flow, memory.pointees(routine, operand), slot, seen)


def _contents(flow: Flow, cells: Iterable[int], slot: CallValue, seen: set[int]) -> Iterable[int]:
    """The nodes of these cells, or of those that pointers in them point to, as deep as the slot says."""
    for _ in range(slot.depth - 1):
        behind: dict[int, None] = {}
        for cell in cells:
            pointees = flow.memory.set_of_cell[cell]
            if pointees not in seen:
                seen.add(pointees)
                behind.update(dict.fromkeys(flow.memory.pointees_in(cell)))
        cells = behind
    yield from map(flow.cell, cells)


def _passed_on(
    flow: Flow,
    positions: Mapping[int, frozenset[int] | None],
    called: Set[int],
    known: Mapping[int, HotDecision],
) -> dict[int, HotDecision]:
    """What hot code passes to routines that it calls, or these find in memory, if they decide by it."""
    seen: set[int] = set()
    inside = dict.fromkeys(node for routine in called for node in _decisions(flow, routine, None, seen))
    if not inside:
        return {}
    reach = reach_backward(flow, [*inside, *known], 0)
    reached = reach.marks()
    back = flow.plain.back(flow.nodes)
    found: dict[int, HotDecision] = {}
    for routine in (*positions, *called):
        hot = positions.get(routine, frozenset())
        code = flow.program.routines[routine]
        dead = flow.dead_ends[routine]
        for call in flow.calls[routine]:
            if call.block in dead or (hot and call.position not in hot):
                continue
            arguments = code.instructions[call.position].operands[1:]
            for callee in call.callees:
                if callee not in called:
                    continue
                for number, operand in enumerate(arguments[: flow.program.routines[callee].parameters]):
                    if (
                        operand >= 0
                        and routine not in called
                        and reach.hops(flow.value(callee, number)) is not None
                    ):
                        found.setdefault(flow.value(routine, operand), HotDecision(routine, call.position))
        if routine not in called:
            continue
        first = flow.value(routine, code.parameters)
        for position, each in enumerate(code.instructions):
            if each.kind is not LOAD or not reached[first + position] or each.block in dead:
                continue
            for before in back.of(first + position):
                if before >= flow.numbering.first_cell:
                    found.setdefault(before, HotDecision(routine, position))
    return found
