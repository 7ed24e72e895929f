"""Which values of options tell apart what is known to depend on them.

Decisions are followed back to options through variables, arguments and results, as far as anything is known
there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sonde.core.code import Kind
from sonde.methods.impact.constants import (
    Boundaries,
    all_boundaries,
    boundaries_before,
    first_boundaries,
    number_of,
)
from sonde.methods.impact.presence.routines import Routines

LOAD, COMPUTE, PHI, CALL = Kind.LOAD, Kind.COMPUTE, Kind.PHI, Kind.CALL
Node = tuple[int, int]  # routine and value


def boundaries_of_options(
    routines: Routines, decisions: Iterable[tuple[int, int]], reached: bytes
) -> dict[int, list[Boundaries]]:
    """By option: where decisions (routine and position) change with it; one for each width of its variables.

    `reached` marks the nodes that options come to.
    """
    search = _Search(routines, reached)
    found: dict[int, list[Boundaries]] = {}
    by_width: dict[tuple[int, int], Boundaries] = {}
    for (number, value), each in all_boundaries(search.first(decisions), search.before).items():
        option = routines.options[number].get(value)
        if option is not None:
            known = by_width.get((option, each.width))
            by_width[option, each.width] = each if known is None else known.joined(each)
    for (option, _), each in by_width.items():
        found.setdefault(option, []).append(each)
    return found


class _Search:
    def __init__(self, routines: Routines, reached: bytes) -> None:
        self.routines, self.reached = routines, reached
        self.flow, self.demand = routines.flow, routines.demand

    def first(self, decisions: Iterable[tuple[int, int]]) -> Iterator[tuple[Node, Boundaries]]:
        """What the decisions ask for."""
        for number, position in decisions:
            if number in self.routines.wanted:
                code = self.flow.program.routines[number]
                for value, found in first_boundaries(code, position):
                    if self._is_followed(number, value):
                        yield (number, value), found

    def before(self, node: Node, found: Boundaries) -> Iterator[tuple[Node, Boundaries]]:
        """What a value is computed of."""
        number, value = node
        if value in self.routines.options[number] or value not in self.demand.values[number]:
            return
        code = self.flow.program.routines[number]
        each = code.instructions[value - code.parameters] if value >= code.parameters else None
        if each is not None and each.kind is COMPUTE:
            constants = [number_of(code, operand) for operand in each.operands]
            for place, own in boundaries_before(each.shape, constants, found).items():
                if self._is_followed(number, each.operands[place]):
                    yield (number, each.operands[place]), own
            return
        for other in self._same(number, value):
            if self._is_followed(*other):
                yield other, found

    def _is_followed(self, number: int, operand: int) -> bool:
        return operand >= 0 and bool(self.reached[self.flow.value(number, operand)])

    def _same(self, number: int, value: int) -> Iterator[Node]:
        """The values of which one is this very value."""
        code = self.flow.program.routines[number]
        if value < code.parameters:
            for caller, position in self.flow.callers(number):
                arguments = self.flow.program.routines[caller].instructions[position].operands[1:]
                if caller in self.routines.wanted and value < len(arguments):
                    yield caller, arguments[value]
            return
        each = code.instructions[value - code.parameters]
        if each.kind is LOAD:
            for position in self.routines.traceable[number].stores.get(each.operands[0], ()):
                yield number, code.instructions[position].operands[1]
        elif each.kind is PHI:
            for operand in each.operands:
                yield number, operand
        elif each.kind is CALL:
            for callee in self.routines.calls[number][value - code.parameters].callees:
                if callee in self.routines.wanted:
                    inner = self.flow.program.routines[callee].instructions
                    for position in self.routines.traceable[callee].returns:
                        yield callee, inner[position].operands[0]
