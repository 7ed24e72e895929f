"""Routines that only look and answer with a number: `is_blank(text)`, `kind_of(line)`.

`if (n < 3) return 1; return 0;` computes what `return n < 3;` does. So what such a routine decides by comes
to its answer as values do, as it is with functions of libraries; else a decision by its answer would be the
second one on the way, and beyond what is followed by default.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from sonde.core.code import Kind, Routine
from sonde.methods.impact.calls import Call
from sonde.methods.impact.library import RESULT, effect_of
from sonde.methods.impact.program import Program

DECIDING = (Kind.BRANCH, Kind.SWITCH)


def find_verdicts(
    program: Program, calls: Sequence[Sequence[Call]], own_stores: Sequence[Set[int]]
) -> frozenset[int]:
    """The routines that write nothing but their own variables, call only such ones, and return a number."""
    looking = {
        number
        for number, routine in enumerate(program.routines)
        if len(routine.stores) == len(own_stores[number])
        and not routine.is_variadic
        and all(_only_looks(each) for each in calls[number])
    }
    while wrong := {number for number in looking if not _callees(calls[number]) <= looking}:
        looking -= wrong
    return frozenset(number for number in looking if _gives_a_number(program.routines[number]))


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


def _callees(calls: Sequence[Call]) -> set[int]:
    return {callee for call in calls for callee in call.callees}


def _gives_a_number(routine: Routine) -> bool:
    returned = [each for each in routine.instructions if each.kind is Kind.RETURN]
    return any(each.operands for each in returned) and not any("ptr" in each.shape for each in returned)
