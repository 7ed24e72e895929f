"""The blocks that are executed for one word of a command line, and not for the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sonde.core.code import Kind, Routine
from sonde.methods.impact.program.block_routes import reached_from
from sonde.methods.impact.program.calls import stops_of
from sonde.methods.impact.program.control_dependence import control_dependence


def blocks_of_case(routine: Routine, target: int, decider: int) -> list[int]:
    """The blocks that are executed for this target of a decision, until what is common to all.

    A case that falls through has the blocks of the next one, too.
    """
    after = routine.routes
    deciders = control_dependence(after, stops_of(routine))
    if decider not in deciders[target]:
        return []
    starts = [target]
    while True:
        found = _dependent(after, deciders, starts, decider)
        fallen = [each for each in _fallen_into(routine, found, decider) if each not in starts]
        if not fallen:
            return found
        starts += fallen


def _dependent(
    after: Sequence[Sequence[int]], deciders: Sequence[Sequence[int]], starts: Sequence[int], decider: int
) -> list[int]:
    before = _before(after)
    elsewhere = reached_from(
        after, [each for each in after[decider] if each not in starts], {decider, *starts}
    )
    found = list(starts)
    for block in found:  # grows
        for each in after[block]:
            if each in found or not any(decider == n or n in found for n in deciders[each]):
                continue
            again = reached_from(after, after[each], {decider, each})  # in a loop it comes before itself
            is_own = before[each] - again <= set(found) or any(n in found for n in deciders[each])
            if is_own and each not in elsewhere:
                found.append(each)
    return found


def _fallen_into(routine: Routine, found: Sequence[int], decider: int) -> Iterable[int]:
    """Other cases of a switch that only these blocks lead to, beside the switch itself."""
    _, end = routine.blocks[decider]
    last = routine.instructions[end - 1]
    if last.kind is not Kind.SWITCH:
        return ()
    before = _before(routine.routes)
    others = [each for each in dict.fromkeys(last.targets[1:]) if each != last.targets[0]]
    return [each for each in others if set() < before[each] - {decider} <= set(found)]


def _before(after: Sequence[Sequence[int]]) -> list[set[int]]:
    found: list[set[int]] = [set() for _ in after]
    for block, targets in enumerate(after):
        for each in targets:
            found[each].add(block)
    return found
