"""Builds the flow graph of a program: see `graph` for what it means."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from sonde.core.code import Routine
from sonde.methods.impact.endings.dead_ends import find_ends
from sonde.methods.impact.flow.calls import CallEdges
from sonde.methods.impact.flow.edges import FlowEdges, FlowStep
from sonde.methods.impact.flow.graph import Flow, NodeNumbers, NodeOrigin
from sonde.methods.impact.flow.local_flags import flag_decisions
from sonde.methods.impact.flow.memory import CellEdges
from sonde.methods.impact.flow.order import part_stores
from sonde.methods.impact.flow.overwriting import Overwriting
from sonde.methods.impact.flow.routines import add_decisions, add_instructions
from sonde.methods.impact.flow.verdicts import decisions_of, find_verdicts
from sonde.methods.impact.program.calls import find_calls, throwing
from sonde.methods.impact.program.control_dependence import control_dependence
from sonde.methods.impact.program.linking import Program
from sonde.methods.impact.program.memory import Memory
from sonde.methods.impact.program.order import Order
from sonde.methods.impact.program.reaching_definitions import ReachingDefinitions, find_definitions

MOST_ORDERED = 400_000  # values, in programs for which it is looked at what may follow what

__all__ = ["Flow", "FlowStep", "NodeOrigin", "build_flow"]


class _Inside(NamedTuple):
    """What a routine has in common with its copies, if they end alike."""

    routes: list[tuple[int, ...]]  # for each block where it may go
    deciders: list[tuple[int, ...]]  # for each block the blocks that decide about it
    definitions: ReachingDefinitions


def build_flow(program: Program, memory: Memory, are_flags_values: bool = True) -> Flow:
    """The flow graph of a program whose pointers are known; `are_flags_values`: see `local_flags`."""
    calls = find_calls(program, memory)
    ends = find_ends(program, dict(enumerate(calls)))
    numbering = _number(program, memory)
    plain, special = FlowEdges(), FlowEdges()
    cells = CellEdges(memory, numbering, plain)
    call_edges = CallEdges(program, calls, cells, special)
    deciders, all_routes, all_definitions = [], [], []
    known: dict[tuple[int, frozenset[int], frozenset[int]], _Inside] = {}
    for number, routine in enumerate(program.routines):
        dead_ends = ends.dead_ends[number]
        key = program.origin[number] if program.origin else number, ends.final[number], ends.stops[number]
        inside = known.get(key) or _inside(routine, *key[1:])
        if program.origin:
            known[key] = inside
        after, decisions, definitions = inside
        all_definitions.append(definitions)
        all_routes.append(after)
        deciders.append(decisions)
        add_instructions(number, routine, definitions, dead_ends, cells)
        add_decisions(routine, numbering.firsts[number], deciders[-1], plain, special)
        first = numbering.firsts[number] + routine.parameters
        for decision, store in flag_decisions(routine, definitions, decisions) if are_flags_values else ():
            plain.add(first + decision, first + store)
        call_edges.add(number, dead_ends)
    for number in find_verdicts(program, calls, all_definitions, ends.dead_ends):
        routine = program.routines[number]
        first, returned = numbering.firsts[number] + routine.parameters, numbering.returned(number)
        asking = decisions_of(routine, ends.dead_ends[number])
        plain.add_all([first + position for position in asking], returned)
    order = Order(program, calls, all_routes)
    if sum(numbering.values) <= MOST_ORDERED and not order.has_jumps:
        is_plain = not program.is_dynamic and not throwing(calls)
        part_stores(program, order, cells, Overwriting(program, memory, calls, order) if is_plain else None)
    nodes = numbering.first_set + len(cells.sets)
    return Flow(
        program,
        memory,
        calls,
        ends,
        deciders,
        all_definitions,
        numbering,
        nodes,
        cells.sets,
        cells.copies,
        call_edges.entering,
        call_edges.fixed,
        plain,
        special,
    )


def _inside(routine: Routine, final: Set[int], stops: Set[int]) -> _Inside:
    after = [() if block in final else each for block, each in enumerate(routine.routes)]
    return _Inside(after, control_dependence(after, stops), find_definitions(routine, after))


def _number(program: Program, memory: Memory) -> NodeNumbers:
    firsts, values, blocks = [], [], []
    node = 0
    for routine in program.routines:
        firsts.append(node)
        values.append(routine.parameters + len(routine.instructions))
        blocks.append(len(routine.blocks))
        node += values[-1] + 2 * blocks[-1] + 1
    return NodeNumbers(firsts, values, blocks, node, node + len(memory.cells))
