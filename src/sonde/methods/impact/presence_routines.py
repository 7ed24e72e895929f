"""The routines through which configurations spread, and what has to be looked at in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from sonde.core.code import Address, Constant
from sonde.methods.impact.calls import constant_number
from sonde.methods.impact.flow import Flow
from sonde.methods.impact.presence_demand import Demand, find_demand
from sonde.methods.impact.presence_steps import Steps, find_steps
from sonde.methods.impact.program import RoutineRef
from sonde.methods.impact.traceable import Traceable, find_traceable

NO_OPTIONS: Mapping[int, int] = {}
FIRST_ADDRESS = 1 << 64  # addresses of routines are numbers that no constant of a program is


Given = tuple[int, int | None]  # a parameter and the operand that it gets; None: anything


class Entering(NamedTuple):
    """A call, as far as it leads to routines that are looked at."""

    callees: tuple[
        tuple[int, tuple[tuple[int, int | None], ...]], ...
    ]  # parameters with operands; None: anything
    is_known: bool  # whether nothing else decides about what it gives


def address_of(routine: int) -> int:
    """The number that stands for the address of a routine."""
    return FIRST_ADDRESS + routine


class Routines:
    """Answers about some routines of a program; `options` are the values in each that read an option."""

    def __init__(self, flow: Flow, wanted: frozenset[int], options: Mapping[int, Mapping[int, int]]) -> None:
        self.flow, self.wanted = flow, wanted
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
    def _traceable(self) -> dict[int, Traceable]:
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
        return find_demand(self.flow, self._traceable, self.options, self.calls)

    @cached_property
    def steps(self) -> dict[int, Steps]:
        """What is looked at in each routine."""
        return {
            number: find_steps(
                self.flow.program.routines[number],
                self.routes[number],
                self._traceable[number],
                self.demand.values[number],
                self._followed[number],
                number in self.demand.returning,
            )
            for number in self.wanted
        }

    @cached_property
    def constants(self) -> dict[int, tuple[int | None, ...]]:
        """The numbers that stand outside of each routine; None for what is none.

        The address of a routine is one, too; see `address_of`.
        """
        return {
            number: tuple(
                constant_number(each.text) if isinstance(each, Constant) else self._address(number, ~place)
                for place, each in enumerate(self.flow.program.routines[number].outside)
            )
            for number in self.wanted
        }

    def _address(self, number: int, operand: int) -> int | None:
        meaning = self.flow.program.meaning(number, operand)
        outside = self.flow.program.routines[number].outside[~operand]
        is_start = isinstance(outside, Address) and not outside.offset
        return address_of(meaning.id) if isinstance(meaning, RoutineRef) and is_start else None

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
