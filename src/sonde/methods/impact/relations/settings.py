"""What options set on the way: constants that flow into something there, or into other options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from sonde.core.code import Kind
from sonde.methods.impact.constants import UNKNOWN
from sonde.methods.impact.flow.edges import FlowStep
from sonde.methods.impact.options.evaluation import Condition
from sonde.methods.impact.options.regions import OptionReach
from sonde.methods.impact.options.settings import FLAGS
from sonde.methods.impact.options.sums import is_counter
from sonde.methods.impact.reach.by_values_and_decisions import input_and_output, library_cells
from sonde.methods.impact.reach.moments import Moments
from sonde.methods.impact.reach.searching import Reach, reach_forward
from sonde.methods.impact.reach.together import reach_together
from sonde.methods.impact.reach.watched_nodes import WatchedNodes
from sonde.methods.impact.ways.code import WayCode
from sonde.methods.impact.ways.finding import MAIN, is_acting

SUMS = ("add ", "sub ", "fadd ", "fsub ")


class SettingsOnWay:
    """Answers about settings for one program and its ways."""

    def __init__(self, code: WayCode) -> None:
        self.code, self.ways, self.flow, self.regions = code, code.ways, code.flow, code.regions
        self.program = code.program

    def combined(self, set_there: Iterable[int], after: Moments) -> Iterator[tuple[int, int]]:
        """What combines something that is set at these nodes with a way: routines and positions."""
        outside, settings, inside = self._settings(set_there, after)
        for begin, moments in ((outside, after), (settings, inside)):
            reach = reach_together(self.flow, [begin], moments)
            owners, watched = self._operands_of_combining
            found = (owners[each] for each in watched.reached_together(reach))
            for routine, position, node in dict.fromkeys(found):
                if node in moments:
                    yield routine, position

    @cached_property
    def _operands_of_combining(self) -> tuple[list[tuple[int, int, int]], WatchedNodes]:
        """What combines (routine, position, node), for each of its operands on no way; and these."""
        owners, operands = [], []
        for routine, positions in self.code.combining.items():
            code, first = self.program.routines[routine], self.flow.value(routine, 0)
            for position in positions:
                for operand in code.instructions[position].operands:
                    if operand >= 0 and first + operand not in self.ways.nodes:
                        owners.append((routine, position, first + code.parameters + position))
                        operands.append(first + operand)
        return owners, WatchedNodes(self.flow, operands)

    def asked_for(
        self, set_there: Iterable[int], after: Moments, conditions: Sequence[Condition]
    ) -> list[Condition]:
        """Those of the conditions that ask for something that is set at these nodes."""
        nodes = {
            each: self.flow.value(
                each.routine, self.program.routines[each.routine].parameters + each.position
            )
            for each in conditions
        }
        asking = set(self.come_to(set_there, after, nodes.values()))
        return [each for each, node in nodes.items() if node in asking]

    def come_to(self, set_there: Iterable[int], after: Moments, nodes: Iterable[int]) -> list[int]:
        """Those of the nodes that something comes to which is set at `set_there`."""
        wanted = list(nodes)
        if not wanted:
            return []
        _, settings, moments = self._settings(set_there, after)
        reach = reach_together(self.flow, [settings], moments)
        return [each for each in wanted if reach.at(each)]

    def _settings(self, set_there: Iterable[int], after: Moments) -> tuple[list[int], list[int], Moments]:
        """What is set outside of hot code, and anywhere; and where it goes without being summed up there."""
        settings = [node for node in set_there if not is_counter(self.flow, node, self._hot)]
        outside = [node for node in settings if self.flow.where(node).routine not in self._hot]
        return outside, settings, after.without(self._sums)

    @cached_property
    def _hot(self) -> frozenset[int]:
        """The hot routines, and those that they call."""
        called = (*self.ways.hot.positions, *self.ways.hot.called)
        return frozenset(n for n in called if self.program.routines[n].name != MAIN)

    @cached_property
    def _sums(self) -> list[int]:
        """Where hot code adds: what it sums up is its work, and no setting any more."""
        found = []
        for routine in self._hot:
            code = self.program.routines[routine]
            first = self.flow.value(routine, code.parameters)
            for position, each in enumerate(code.instructions):
                if each.kind is Kind.COMPUTE and each.shape.startswith(SUMS):
                    found.append(first + position)
        return found

    def handed_on(
        self,
        influence: OptionReach,
        others: Iterable[tuple[int, OptionReach]],
        has_flags: Callable[[int], bool],
    ) -> Iterator[tuple[int, tuple[int, int]]]:
        """Other options whose variables get a value that they may not have themselves, and where from.

        `has_flags` tells whether an option is nothing but on or off.
        """
        numbers = {
            node: value
            for node, value in self.regions.settings(influence.conditions).items()
            if value is not UNKNOWN
        }
        reaches: list[Reach | None] = [
            reach_forward(self.flow, begin, 0, self._everywhere) if begin else None
            for begin in (numbers, [node for node, value in numbers.items() if value not in FLAGS])
        ]
        for number, other in others:
            reach = reaches[has_flags(number)]
            if reach is None:
                continue
            for node in sorted(other.reads):
                path = reach.path(node)
                if path and self._is_handed_on(path):
                    origin = self.flow.where(path[0][0])
                    parameters = self.program.routines[origin.routine].parameters
                    yield number, (origin.routine, max(origin.index - parameters, 0))

    @cached_property
    def _everywhere(self) -> Moments:
        return self.regions.order.always().without([*library_cells(self.flow), *input_and_output(self.flow)])

    def _is_handed_on(self, path: Sequence[tuple[int, FlowStep]]) -> bool:
        """Whether a value stays what it is on a way."""
        for node, _ in path:
            where = self.flow.where(node)
            code = self.program.routines[where.routine]
            if where.kind == "value" and where.index >= code.parameters:
                each = code.instructions[where.index - code.parameters]
                if each.kind is Kind.COMPUTE and is_acting(each):
                    return False
        return True
