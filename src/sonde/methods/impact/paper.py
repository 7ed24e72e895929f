"""The paper's own way, as a baseline: Definitions 2 to 5 and Algorithm 1 on the same graph.

Changed is what stands on changed lines of the new program; there are no decisions on a way, and nothing is
looked for in the old program. A way ends at any instruction of hot code. An option is related if one of its
regions holds an instruction on a way that does more than read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sonde.core.code import Kind
from sonde.methods.impact.differences.lines import ChangedFileLines
from sonde.methods.impact.differences.programs import Differences
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.hot.code import same_file
from sonde.methods.impact.reach.searching import Reach, reach_backward, reach_forward

_ACTING = (Kind.STORE, Kind.COMPUTE, Kind.BRANCH, Kind.SWITCH, Kind.CALL, Kind.RETURN)


@dataclass(frozen=True)
class PaperWays:
    """What lies between a change and hot code."""

    flow: Flow
    forward: Reach
    backward: Reach
    ends: tuple[int, ...]  # nodes of hot code that the change comes to

    def is_related(self, reads: Iterable[int]) -> bool:
        """Definition 5: an instruction of a region of the option uses the data, on a path to hot code."""
        taint = reach_forward(self.flow, sorted(reads), 0)
        for number, routine in enumerate(self.flow.program.routines):
            for block in _region(self.flow, number, taint):
                for position in range(*routine.blocks[block]):
                    if any(map(self._holds, _used(self.flow, number, position))):
                        return True
        return False

    def _holds(self, node: int) -> bool:
        return self.forward.hops(node) is not None and self.backward.hops(node) is not None


def find_paper_ways(
    flow: Flow, changed: Iterable[int], hot: Mapping[int, frozenset[int] | None]
) -> PaperWays:
    """Algorithm 1; the backwards search visits each node once, and so always ends."""
    forward = reach_forward(flow, list(changed), 0)
    ends = tuple(
        node
        for routine, inside in hot.items()
        for position in range(len(flow.program.routines[routine].instructions))
        if inside is None or position in inside
        if forward.hops(node := _node(flow, routine, position)) is not None
    )
    return PaperWays(flow, forward, reach_backward(flow, ends, 0), ends)


def commit_region(flow: Flow, differences: Differences, lines: Sequence[ChangedFileLines]) -> Iterator[int]:
    """What stands on changed lines of the new program (Definition 2); without lines, what differs there."""
    if not lines:
        for each in differences.routines:
            if each.new is not None:
                changed = each.new_side.changed | each.new_side.decisions
                yield from (_node(flow, each.new, position) for position in sorted(changed))
        return
    for routine, position, instruction in flow.program.instructions():
        file, line = instruction.place
        for one in lines:
            if same_file(file, one.file) and any(first <= line <= last for first, last in one.new):
                yield _node(flow, routine, position)


def _node(flow: Flow, routine: int, position: int) -> int:
    return flow.value(routine, flow.program.routines[routine].parameters + position)


def _used(flow: Flow, number: int, position: int) -> Iterator[int]:
    """What an instruction does more with than read; a call hands on what it is given."""
    instruction = flow.program.routines[number].instructions[position]
    if instruction.kind in _ACTING:
        yield _node(flow, number, position)
    if instruction.kind is Kind.CALL:
        yield from (flow.value(number, operand) for operand in instruction.operands[1:] if operand >= 0)


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
