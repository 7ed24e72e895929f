"""What has to be known to tell where decisions, and calls through pointers, go: what they are made of."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from sonde.core.code import Kind
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.presence.traceable import Traceable
from sonde.methods.impact.program.calls import Call

LOCAL, LOAD, CALL = Kind.LOCAL, Kind.LOAD, Kind.CALL


@dataclass(frozen=True)
class Demand:
    """By routine what is asked for; nobody needs the rest, be it known or not."""

    values: Mapping[int, Set[int]]
    returning: Set[int]  # routines whose results are asked for


def find_demand(
    flow: Flow,
    traceable: Mapping[int, Traceable],
    options: Mapping[int, Mapping[int, int]],
    calls: Mapping[int, Mapping[int, Call]],
) -> Demand:
    """What decisions and pointers need of what is traceable.

    `options` are values that read one, known for themselves.
    """
    asking = _Asking(flow, traceable, options, calls)
    return Demand(asking.values, asking.returning)


class _Asking:
    def __init__(
        self,
        flow: Flow,
        traceable: Mapping[int, Traceable],
        options: Mapping[int, Mapping[int, int]],
        calls: Mapping[int, Mapping[int, Call]],
    ) -> None:
        self.flow, self.traceable, self.options, self.calls = flow, traceable, options, calls
        self.values: dict[int, set[int]] = {number: set() for number in traceable}
        self.returning: set[int] = set()
        self.waiting: list[tuple[int, int]] = []
        for number, each in traceable.items():
            instructions = flow.program.routines[number].instructions
            for position in (*each.decisions, *each.pointers):
                self._ask(number, instructions[position].operands[0])
        while self.waiting:
            self._look_into(*self.waiting.pop())

    def _ask(self, number: int, operand: int) -> None:
        if (
            operand in self.traceable[number].values
            and operand not in self.values[number]
            and operand not in self.options.get(number, ())
        ):
            self.values[number].add(operand)
            self.waiting.append((number, operand))

    def _look_into(self, number: int, value: int) -> None:
        code = self.flow.program.routines[number]
        if value < code.parameters:
            self._ask_callers(number, value)
            return
        each = code.instructions[value - code.parameters]
        if each.kind is LOCAL:
            for position in self.traceable[number].stores.get(value, ()):
                self._ask(number, code.instructions[position].operands[1])
        elif each.kind is LOAD:
            self._ask(number, each.operands[0])
        elif each.kind is CALL:
            self._ask_callees(self.calls[number].get(value - code.parameters))
        else:
            for operand in each.operands:
                self._ask(number, operand)

    def _ask_callers(self, number: int, place: int) -> None:
        for caller, position in self.flow.callers(number):
            if caller not in self.traceable or number not in self.calls[caller][position].callees:
                continue
            arguments = self.flow.program.routines[caller].instructions[position].operands[1:]
            if place < len(arguments):
                self._ask(caller, arguments[place])

    def _ask_callees(self, call: Call | None) -> None:
        if call is None or call.externals or not call.callees:
            return
        for callee in (*call.callees, *call.called_back):
            if callee in self.traceable and callee not in self.returning:
                self.returning.add(callee)
                instructions = self.flow.program.routines[callee].instructions
                for position in self.traceable[callee].returns:
                    self._ask(callee, instructions[position].operands[0])
