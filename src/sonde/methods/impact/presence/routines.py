"""The routines through which configurations spread, and what has to be looked at in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from sonde.core.code import Address, Constant
from sonde.methods.impact.constants import UNKNOWN, ConstantValue, RoutineAddress, number_in
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.presence.demand import Demand, find_demand
from sonde.methods.impact.presence.steps import RoutineSteps, find_steps
from sonde.methods.impact.presence.traceable import Traceable, find_traceable
from sonde.methods.impact.program.linking import RoutineRef

NO_OPTIONS: Mapping[int, int] = {}


class Entering(NamedTuple):
    """A call, as far as it leads to routines that are looked at."""

    callees: tuple[
        tuple[int, tuple[tuple[int, int | None], ...]], ...
    ]  # parameters with operands; None: anything
    is_known: bool  # whether nothing else decides about what it gives


class Routines:
    """Answers about some routines of a program."""

    def __init__(self, flow: Flow, wanted: frozenset[int], reads: Mapping[int, int]) -> None:
        """`reads` are the nodes that read options, with the numbers of these."""
        self.flow, self.wanted = flow, wanted
        options = _by_routine(flow, reads)
        self.options = {number: options.get(number, NO_OPTIONS) for number in wanted}
        self.calls = {number: {call.position: call for call in flow.calls[number]} for number in wanted}
        self.routes = {number: flow.program.routines[number].routes for number in wanted}
        self._entering: dict[tuple[int, int], Entering] = {}
        self._followed = {
            number: frozenset(
                position
                for position, call in calls.items()
                if any(each in wanted for each in (*call.callees, *call.called_back))
            )
            for number, calls in self.calls.items()
        }

    @cached_property
    def traceable(self) -> dict[int, Traceable]:
        """What can be known; it is the same in copies that are used alike."""
        program = self.flow.program
        known: dict[tuple[int, frozenset[int], frozenset[int]], Traceable] = {}
        found = {}
        for number in self.wanted:
            options, followed = frozenset(self.options[number]), self._followed[number]
            key = program.origin[number] if program.origin else number, options, followed
            if key not in known:
                known[key] = find_traceable(program.routines[number], options, followed)
            found[number] = known[key]
        return found

    @cached_property
    def demand(self) -> Demand:
        """What has to be known."""
        return find_demand(self.flow, self.traceable, self.options, self.calls)

    @cached_property
    def steps(self) -> dict[int, RoutineSteps]:
        """What is looked at in each routine."""
        return {
            number: find_steps(
                self.flow.program.routines[number],
                self.routes[number],
                self.traceable[number],
                self.demand.values[number],
                self._followed[number],
                number in self.demand.returning,
            )
            for number in self.wanted
        }

    @cached_property
    def constants(self) -> dict[int, tuple[ConstantValue, ...]]:
        """What stands outside of each routine, as far as it is a number or the address of a routine."""
        return {
            number: tuple(
                number_in(each) if isinstance(each, Constant) else self._address(number, ~place)
                for place, each in enumerate(self.flow.program.routines[number].outside)
            )
            for number in self.wanted
        }

    def _address(self, number: int, operand: int) -> ConstantValue:
        meaning = self.flow.program.meaning(number, operand)
        outside = self.flow.program.routines[number].outside[~operand]
        is_start = isinstance(outside, Address) and not outside.offset
        return RoutineAddress(meaning.id) if isinstance(meaning, RoutineRef) and is_start else UNKNOWN

    def entering(self, number: int, position: int) -> Entering:
        """What is entered by a call that is followed, and with which arguments that matter."""
        found = self._entering.get((number, position))
        if found is None:
            found = self._entering[number, position] = self._find_entering(number, position)
        return found

    def _find_entering(self, number: int, position: int) -> Entering:
        call = self.calls[number][position]
        arguments = self.flow.program.routines[number].instructions[position].operands[1:]
        callees = dict.fromkeys((*call.callees, *call.called_back))
        entered = []
        for callee in callees:
            if callee in self.wanted:
                parameters = self.flow.program.routines[callee].parameters
                places = sorted(each for each in self.demand.values[callee] if each < parameters)
                is_called = callee in call.callees
                given = ((n, arguments[n] if is_called and n < len(arguments) else None) for n in places)
                entered.append((callee, tuple(given)))
        is_known = bool(call.callees) and not call.externals and self.wanted.issuperset(callees)
        return Entering(tuple(entered), is_known)

    def ranks(self, roots: Sequence[int]) -> dict[int, int]:
        """Callers before what they call, as far as possible."""
        order: list[int] = []
        seen = set(roots)
        stack = [(root, iter(self._callees(root))) for root in roots if root in self.wanted]
        while stack:
            number, callees = stack[-1]
            following = next((each for each in callees if each not in seen), None)
            if following is None:
                order.append(number)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(self._callees(following))))
        return {number: rank for rank, number in enumerate(reversed(order))}

    def _callees(self, number: int) -> list[int]:
        return [
            each
            for call in self.calls[number].values()
            for each in (*call.callees, *call.called_back)
            if each in self.wanted
        ]


def _by_routine(flow: Flow, reads: Mapping[int, int]) -> dict[int, dict[int, int]]:
    """For each routine its values that read options."""
    found: dict[int, dict[int, int]] = {}
    for node, option in reads.items():
        where = flow.where(node)
        if where.kind == "value":
            found.setdefault(where.routine, {})[where.index] = option
    return found
