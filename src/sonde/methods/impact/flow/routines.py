"""The edges of the flow graph inside of a routine."""

from __future__ import annotations

from collections.abc import Sequence, Set

from sonde.core.code import Kind, Routine
from sonde.methods.impact.flow.edges import FlowEdges, FlowStep, label_of
from sonde.methods.impact.flow.memory import CellEdges
from sonde.methods.impact.program.reaching_definitions import ReachingDefinitions

CONTROL = label_of(FlowStep.CONTROL)
LOAD, STORE, PHI, RETURN, BRANCH = Kind.LOAD, Kind.STORE, Kind.PHI, Kind.RETURN, Kind.BRANCH
TRUTH = "phi i1"  # what `a && b` and `a || b` come to: a value that `a` belongs to, though it is asked first
WITHOUT_FLOW = (Kind.LOCAL, Kind.JUMP, Kind.STOP, Kind.CALL)  # calls have edges of their own


def add_instructions(
    number: int,
    routine: Routine,
    definitions: ReachingDefinitions,
    dead_ends: Set[int],
    cells: CellEdges,
) -> None:
    """Adds what flows from operand to instruction, through locals, and to and from memory; but for calls.

    The first block decides nothing about own variables: whoever reads them has been there.
    """
    plain = cells.plain
    base = cells.numbering.firsts[number]
    blocks = base + cells.numbering.values[number]
    executed = blocks + len(routine.blocks)
    first = base + routine.parameters
    reaching, own_stores = definitions.reaching, definitions.stores
    returns = sum(each.kind is RETURN and bool(each.operands) for each in routine.instructions)
    sources, targets = plain.sources.append, plain.targets.append
    for position, instruction in enumerate(routine.instructions):
        kind = instruction.kind
        if kind in WITHOUT_FLOW:
            continue
        node = first + position
        for operand in instruction.operands:
            if operand >= 0:
                sources(base + operand)
                targets(node)
        if kind is LOAD:
            if position in reaching:
                for store in reaching[position]:
                    sources(first + store)
                    targets(node)
            else:
                cells.load(node, number, instruction.operands[0], instruction.size)
        elif kind is STORE:
            if position in own_stores:
                if instruction.block:
                    sources(blocks + instruction.block)
                    targets(node)
            elif instruction.block not in dead_ends:
                sources(executed + instruction.block)
                targets(node)
                cells.store(node, number, instruction.operands[0], instruction.size)
        elif kind is PHI:
            is_truth = instruction.shape.startswith(TRUTH)
            for block in instruction.targets:
                if block:
                    sources(blocks + block)
                    targets(node)
                last = routine.blocks[block][1] - 1
                if is_truth and routine.instructions[last].kind is BRANCH:
                    sources(first + last)
                    targets(node)
        elif kind is RETURN and instruction.operands:
            if returns > 1 and instruction.block:
                sources(blocks + instruction.block)
                targets(node)
            sources(node)
            targets(executed + len(routine.blocks))


def add_decisions(
    routine: Routine, base: int, deciders: Sequence[Sequence[int]], plain: FlowEdges, special: FlowEdges
) -> None:
    """Adds which instructions decide about which blocks; deciders are blocks, for each block."""
    first = base + routine.parameters
    blocks = first + len(routine.instructions)
    executed = blocks + len(routine.blocks)
    for block, found in enumerate(deciders):
        for decider in found:
            special.add_labelled(first + routine.blocks[decider][1] - 1, blocks + block, CONTROL)
            if decider != block:
                plain.add(blocks + decider, blocks + block)
        plain.add(blocks + block, executed + block)
        if block:
            plain.add(blocks, executed + block)
