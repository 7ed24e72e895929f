"""Routines that only look and tell cases apart: `is_blank(text)`, `kind_of(line)`.

`if (n < 3) return 1; return 0;` computes what `return n < 3;` does. So what such a routine decides by comes
to its answer as values do, as it is with functions of libraries; else a decision by its answer would be the
second one on the way, and beyond what is followed by default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from sonde.core.code import DECIDING, Constant, Kind, Routine
from sonde.methods.impact.library.models import RESULT, effect_of
from sonde.methods.impact.program.calls import Call
from sonde.methods.impact.program.linking import Program
from sonde.methods.impact.program.reaching_definitions import ReachingDefinitions

CONVERSIONS = ("zext", "sext", "trunc", "xor i1")  # the last one is `!`
COMPARISONS = ("icmp", "fcmp")


def find_verdicts(
    program: Program,
    calls: Sequence[Sequence[Call]],
    definitions: Sequence[ReachingDefinitions],
    dead_ends: Mapping[int, Set[int]],
) -> frozenset[int]:
    """The routines that write nothing but their own variables, call only such ones, and tell cases apart.

    What they do to fail, as an assertion does, does not count.
    """
    callees = {
        number: _callees(calls[number], dead_ends[number])
        for number, routine in enumerate(program.routines)
        if not routine.is_variadic
        and all(_only_looks(each) for each in calls[number] if each.block not in dead_ends[number])
        and _writes_nothing(routine, definitions[number], dead_ends[number])
    }
    looking = set(callees)
    while wrong := {number for number in looking if not callees[number] <= looking}:
        looking -= wrong
    return frozenset(n for n in looking if _tells_cases_apart(program.routines[n], definitions[n]))


def decisions_of(routine: Routine, dead_ends: Set[int]) -> list[int]:
    """The positions at which a routine decides, failures aside."""
    ends = [
        end - 1 for block, (start, end) in enumerate(routine.blocks) if end > start and block not in dead_ends
    ]
    return [position for position in ends if routine.instructions[position].kind in DECIDING]


def _only_looks(call: Call) -> bool:
    """Whether a call writes nothing, as far as library functions go."""
    effects = [effect_of(name) for name in call.externals]
    return not call.called_back and all(
        each.is_known
        and not each.makes
        and not each.never_returns
        and all(transfer.target.base == RESULT and not transfer.target.depth for transfer in each.transfers)
        for each in effects
    )


def _callees(calls: Sequence[Call], dead_ends: Set[int]) -> set[int]:
    return {callee for call in calls if call.block not in dead_ends for callee in call.callees}


def _writes_nothing(routine: Routine, definitions: ReachingDefinitions, dead_ends: Set[int]) -> bool:
    """Whether all that a routine stores are its own variables."""
    return len(routine.stores) == len(definitions.stores) or all(
        each in definitions.stores or routine.instructions[each].block in dead_ends for each in routine.stores
    )


def _tells_cases_apart(routine: Routine, definitions: ReachingDefinitions) -> bool:
    """Whether a routine gives back nothing but constants and what comparisons give, but no addresses."""
    returned = [each for each in routine.instructions if each.kind is Kind.RETURN]
    if any("ptr" in each.shape for each in returned):
        return False
    waiting = [operand for each in returned for operand in each.operands]
    seen = set(waiting)
    for value in waiting:  # grows
        if value < 0:
            if not isinstance(routine.outside[~value], Constant):
                return False
            continue
        position = value - routine.parameters
        if position < 0:
            return False
        each = routine.instructions[position]
        if each.kind is Kind.LOAD and position in definitions.reaching:
            sources = [routine.instructions[n].operands[1] for n in definitions.reaching[position]]
        elif each.kind is Kind.PHI or each.shape.startswith(CONVERSIONS):
            sources = list(each.operands)
        elif each.shape.startswith(COMPARISONS):
            continue
        else:
            return False
        waiting += [each for each in sources if each not in seen]
        seen.update(sources)
    return bool(waiting)
