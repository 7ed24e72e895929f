"""Local flags: `is_long = 0; if (n > limit) is_long = 1;` computes what `is_long = n > limit;` does.

So what decides about the stores of such a variable comes to it as a value does; else a decision by it would
be the second one on the way. Where no decision is followed at all, this is none either. See `verdicts` for
routines that do the same with what they return.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sonde.core.code import Routine
from sonde.methods.impact.constants import number_of
from sonde.methods.impact.flow.verdicts import COMPARISONS, CONVERSIONS
from sonde.methods.impact.program.reaching_definitions import ReachingDefinitions

TRUTHS = (*COMPARISONS, "phi i1")


def flag_decisions(
    routine: Routine, definitions: ReachingDefinitions, deciders: Sequence[Sequence[int]]
) -> Iterator[tuple[int, int]]:
    """Positions that decide about a STORE to a local flag, each with that of the STORE."""
    stores: dict[int, list[int]] = {}
    for position in sorted(definitions.stores):
        stores.setdefault(routine.instructions[position].operands[0], []).append(position)
    for positions in stores.values():
        if len(positions) > 1 and all(_is_truth(routine, position) for position in positions):
            for position in positions:
                for block in deciders[routine.instructions[position].block]:
                    yield routine.blocks[block][1] - 1, position


def _is_truth(routine: Routine, position: int) -> bool:
    """Whether a STORE stores 0, 1 or what a comparison gives."""
    value = routine.instructions[position].operands[1]
    while value >= routine.parameters:
        each = routine.instructions[value - routine.parameters]
        if each.shape.startswith(TRUTHS):
            return True
        if not each.shape.startswith(CONVERSIONS):
            return False
        value = each.operands[0]
    return number_of(routine, value) in (0, 1)
