"""Two ways to answer the same question: ours, and the paper's on the same flow graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sonde.core.code import Kind
from sonde.core.impacts import Role
from sonde.core.options import OptionName
from sonde.methods.impact.answer import Question, answer
from sonde.methods.impact.flow import Flow, build_flow
from sonde.methods.impact.hot import find_hot_positions, same_file
from sonde.methods.impact.memory import Limits
from sonde.methods.impact.option_variables import OptionInCode, find_reads
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.program import link
from sonde.methods.impact.reach import Reach, reach_backward, reach_forward

_ACTING = (Kind.STORE, Kind.COMPUTE, Kind.BRANCH, Kind.SWITCH, Kind.CALL, Kind.RETURN)


@dataclass(frozen=True)
class Told:
    """The answers to both questions."""

    is_relevant: bool
    related: tuple[OptionName, ...]  # sorted; nothing if it is not relevant


Way = Callable[[Question], Told]


def ours(question: Question) -> Told:
    """What Sonde says."""
    found = answer(question, time.monotonic)
    related = [each.option for each in found.options if each.role is not Role.UNRELATED]
    return Told(found.is_relevant, tuple(sorted(related)) if found.is_relevant else ())


def papers(question: Question) -> Told:
    """Definitions 3 to 5 and Algorithm 1: explicit flow from changed lines of the new program to hot code.

    The backwards search visits each node once, and so always ends.
    """
    program = link(question.new)
    flow = build_flow(program, solve(program, Limits(), time.monotonic))
    hot, _ = find_hot_positions(program, question.hot)
    forward = reach_forward(flow, list(_changed(flow, question)), 0)
    targets = [
        node
        for routine, inside in hot.items()
        for position in range(len(program.routines[routine].instructions))
        if inside is None or position in inside
        if forward.hops(node := _node(flow, routine, position)) is not None
    ]
    backward = reach_backward(flow, targets, 0)
    related = [each.option for each in question.options if _is_related(flow, each, forward, backward)]
    return Told(bool(targets), tuple(sorted(related)) if targets else ())


def _node(flow: Flow, routine: int, position: int) -> int:
    return flow.value(routine, flow.program.routines[routine].parameters + position)


def _changed(flow: Flow, question: Question) -> Iterator[int]:
    """The commit region: instructions on changed lines (Definition 2)."""
    for routine, position, instruction in flow.program.instructions():
        file, line = instruction.place
        for each in question.changed_lines:
            if same_file(file, each.file) and any(first <= line <= last for first, last in each.new):
                yield _node(flow, routine, position)


def _is_related(flow: Flow, option: OptionInCode, forward: Reach, backward: Reach) -> bool:
    """Definition 5: an instruction of a feature region uses the data, on a path to hot code."""
    reads = {node for name in option.variables for node in find_reads(flow, name, option.file).nodes}
    taint = reach_forward(flow, sorted(reads), 0)
    for number, routine in enumerate(flow.program.routines):
        region = _region(flow, number, taint)
        for block in region:
            for position in range(*routine.blocks[block]):
                code = routine.instructions[position]
                nodes = [_node(flow, number, position)] if code.kind in _ACTING else []
                if code.kind is Kind.CALL:  # it hands on what it is given
                    nodes += [flow.value(number, operand) for operand in code.operands[1:] if operand >= 0]
                if any(forward.hops(each) is not None and backward.hops(each) is not None for each in nodes):
                    return True
    return False


def _region(flow: Flow, number: int, taint: Reach) -> set[int]:
    """The blocks of a routine whose execution depends on a tainted condition, with those nested in them."""
    routine = flow.program.routines[number]
    region: set[int] = set()
    grows = True
    while grows:
        more = {
            block
            for block in range(len(routine.blocks))
            if block not in region
            for decider in flow.controllers(number, block)
            if routine.instructions[decider].block in region
            or taint.hops(_node(flow, number, decider)) is not None
        }
        region |= more
        grows = bool(more)
    return region
