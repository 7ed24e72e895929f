"""The paper's own way, as a baseline: Definitions 3 to 5 and Algorithm 1 on the same graph.

Changed is what stands on changed lines of the new program; there are no decisions on a way, and nothing is
looked for in the old program. A way ends at any instruction of hot code. An option is related if one of its
regions holds an instruction on a way that does more than read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sonde.core.code import Kind
from sonde.methods.impact.differences import ChangedLines, Differences
from sonde.methods.impact.flow import Flow
from sonde.methods.impact.hot import same_file
from sonde.methods.impact.option_regions import Regions
from sonde.methods.impact.reach import reach_forward
from sonde.methods.impact.ways import is_acting


def changed_instructions(
    flow: Flow, differences: Differences, lines: Sequence[ChangedLines]
) -> set[tuple[int, int]]:
    """What stands on changed lines of the new program; without lines, what differs there (Definition 2)."""
    if not lines:
        return {
            (each.new, position)
            for each in differences.routines
            if each.new is not None
            for position in each.new_side.changed | each.new_side.decisions
        }
    return {
        (number, position)
        for number, routine in enumerate(flow.program.routines)
        for position, each in enumerate(routine.instructions)
        if any(
            same_file(each.place.file, changed.file)
            and any(first <= each.place.line <= last for first, last in changed.new)
            for changed in lines
        )
    }


def nodes_on_ways(flow: Flow, changed: Iterable[tuple[int, int]], hot: Iterable[int]) -> set[int]:
    """Algorithm 1: what lies between changed instructions and instructions of hot routines.

    It goes back from hot code over what the change comes to; visited nodes are not visited again, so it ends.
    """
    routines = flow.program.routines
    sources = {
        flow.value(number, routines[number].parameters + position)
        for number, position in changed
        if routines[number].instructions[position].kind is not Kind.LOCAL
    }
    forward = reach_forward(flow, sources, 0)
    waiting = [
        node
        for number in hot
        for position in range(len(routines[number].instructions))
        if forward.hops(node := flow.value(number, routines[number].parameters + position)) is not None
    ]
    found = set(waiting)
    while waiting:
        node = waiting.pop()
        if node in sources:
            continue
        for before, _, _ in flow.predecessors(node):
            if before not in found and forward.hops(before) is not None:
                found.add(before)
                waiting.append(before)
    return found


def is_related(flow: Flow, regions: Regions, on_ways: set[int], reads: Iterable[int]) -> bool:
    """Definition 5: a region of the option holds an instruction on a way that does not only read."""
    for condition in regions.influence(reads, 0).conditions:
        code = flow.program.routines[condition.routine]
        for block in regions.region(condition.routine, condition.block):
            start, end = code.blocks[block]
            for position in range(start, end):
                each = code.instructions[position]
                used = [position + code.parameters, *(each.operands[1:] if each.kind is Kind.CALL else ())]
                if is_acting(each) and any(
                    value >= 0 and flow.value(condition.routine, value) in on_ways for value in used
                ):
                    return True
    return False
