"""Where a program sets the variables of an option: what else is executed only there needs the option, too.

The words of an option tell that more exactly, but a program may look at them in ways that nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from sonde.core.code import Kind
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.reach.reachable import Cut, Reachability
from sonde.methods.impact.ways.value_sources import instruction_of, stripped

MOST_CELLS = 64  # a store that may go to more tells nothing about any of them


@dataclass(frozen=True)
class Setters:
    """Answers for one program."""

    flow: Flow
    reachability: Reachability

    def cuts(self, reads: Iterable[int]) -> tuple[Cut, ...]:
        """The ways out of decisions that lead to where something is stored that these nodes read.

        What may be stored elsewhere as well, or is copied from where these read, sets nothing.
        """
        found: dict[Cut, None] = {}
        cells = self._cells(reads)
        for cell in sorted(cells):
            for routine, position in self._stores.get(cell, ()):
                each = self.flow.program.routines[routine].instructions[position]
                is_only = cells >= set(self._pointees(routine, each.operands[0]))
                if is_only and not self._is_copy(routine, each.operands[1], cells):
                    found.update(dict.fromkeys(self._ways_to(routine, each.block)))
        return tuple(found)

    def elsewhere(self, nodes: Iterable[int], reads: Iterable[int]) -> list[int]:
        """Those of the nodes that are no stores to what `reads` read."""
        own = self._cells(reads)
        return [node for node in nodes if not own >= set(self._stored_to(node) or (-1,))]

    def _stored_to(self, node: int) -> Sequence[int]:
        where = self.flow.where(node)
        code = self.flow.program.routines[where.routine]
        position = where.index - code.parameters
        if where.kind != "value" or position < 0 or code.instructions[position].kind is not Kind.STORE:
            return ()
        return self._pointees(where.routine, code.instructions[position].operands[0])

    def _pointees(self, routine: int, operand: int) -> Sequence[int]:
        return self.flow.memory.pointees(routine, operand)

    def _is_copy(self, routine: int, operand: int, cells: Set[int]) -> bool:
        code = self.flow.program.routines[routine]
        each = instruction_of(code, stripped(code, operand))
        return (
            each is not None
            and each.kind is Kind.LOAD
            and not cells.isdisjoint(self._pointees(routine, each.operands[0]))
        )

    @cached_property
    def _stores(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        """By cell: the routines and positions that store something there."""
        found: dict[int, list[tuple[int, int]]] = {}
        for routine, blocks in self.reachability.everything.items():
            code = self.flow.program.routines[routine]
            for position in code.stores:
                each = code.instructions[position]
                if each.block in blocks:
                    cells = self._pointees(routine, each.operands[0])
                    for cell in cells if len(cells) <= MOST_CELLS else ():
                        found.setdefault(cell, []).append((routine, position))
        return found

    def _cells(self, reads: Iterable[int]) -> Set[int]:
        found: set[int] = set()
        for node in reads:
            where = self.flow.where(node)
            if where.kind == "cell":
                found.add(where.index)
            elif where.kind == "value":
                code = self.flow.program.routines[where.routine]
                position = where.index - code.parameters
                if position >= 0 and code.instructions[position].kind is Kind.LOAD:
                    found.update(self._pointees(where.routine, code.instructions[position].operands[0]))
        return found

    def _ways_to(self, routine: int, block: int) -> Iterator[Cut]:
        """The ways out of what decides directly about a block that lead there for sure."""
        routes = self.reachability.routes[routine]
        for decider in self.flow.deciders[routine][block]:
            stop = self.reachability.next_common(routine, decider)
            for number, target in enumerate(routes[decider]):
                current = target
                while current not in (stop, block) and current < len(routes):
                    current = self.reachability.next_common(routine, current)
                if current == block:
                    yield routine, decider, number
