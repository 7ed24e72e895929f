"""By which lines one sees that a block of a routine was executed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sonde.core.code import Routine, SourceLine
from sonde.core.findings.impacts import Witnesses
from sonde.methods.impact.program.control_dependence import dominators, post_dominators
from sonde.methods.impact.program.linking import Program, RoutineRef
from sonde.methods.impact.program.mentions import mentions_in, standing_in_globals

MOST_CALLS_UP = 3  # callers of callers that are asked where a routine has no code of its own

LineOf = Callable[[int, int], SourceLine | None]  # of an instruction of a routine; None: it has none there


@dataclass
class RoutineBlocks:
    """The blocks of a routine, and what is sure to be executed with each of them."""

    routine: Routine

    @cached_property
    def _dominators(self) -> list[int]:
        return dominators(self.routine.routes)

    @cached_property
    def _below(self) -> tuple[list[list[int]], list[list[int]]]:
        """The trees of dominators and of post-dominators: what lies right below each block."""
        count = len(self.routine.blocks)
        trees: tuple[list[list[int]], list[list[int]]] = (
            [[] for _ in range(count)],
            [[] for _ in range(count)],
        )
        for tree, parents in zip(
            trees, (self._dominators, post_dominators(self.routine.routes)), strict=True
        ):
            for block, parent in enumerate(parents):
                if 0 <= parent < count:
                    tree[parent].append(block)
        return trees

    @cached_property
    def _lines(self) -> list[frozenset[SourceLine]]:
        """The lines of each block."""
        code = self.routine.instructions
        return [
            frozenset(each.place for each in code[start:end] if each.place.line)
            for start, end in self.routine.blocks
        ]

    def before(self, block: int) -> Iterator[int]:
        """The blocks that are always executed before a block, the nearest first."""
        while block > 0 and (block := self._dominators[block]) >= 0:
            yield block

    def with_it(self, block: int) -> frozenset[int]:
        """The blocks that are executed only where this one is, be it before or after them."""
        found = {block}
        for tree in self._below:
            waiting = [block]
            while waiting:
                below = tree[waiting.pop()]
                found.update(below)
                waiting += below
        return frozenset(found)

    def positions(self, block: int) -> Iterator[int]:
        """Instructions by whose lines one sees that a block was executed: on lines that no other code has."""
        together = self.with_it(block)
        others = frozenset[SourceLine]().union(
            *(lines for number, lines in enumerate(self._lines) if number not in together)
        )
        for number in sorted(together):
            for position in range(*self.routine.blocks[number]):
                place = self.routine.instructions[position].place
                if place.line and place not in others:
                    yield position


@dataclass
class Observing:
    """Witnesses for blocks of one program, in the lines of the build that is profiled."""

    program: Program
    line_of: LineOf
    _blocks: dict[int, RoutineBlocks] = field(default_factory=dict)
    _known: dict[tuple[int, int, int], Witnesses] = field(default_factory=dict)

    def witnesses(self, routine: int, block: int, calls_up: int = MOST_CALLS_UP) -> Witnesses:
        """By which lines one sees that a block was executed."""
        key = routine, block, calls_up
        if key not in self._known:
            self._known[key] = self._find(routine, block, calls_up)
        return self._known[key]

    def _find(self, routine: int, block: int, calls_up: int) -> Witnesses:
        blocks = self._blocks_of(routine)
        shows = self._lines(routine, blocks.positions(block))
        guards = [
            self._lines(routine, range(*blocks.routine.blocks[each]))
            for each in (block, *blocks.before(block))
        ]
        callers: list[Witnesses] = []
        if calls_up and routine not in self._taken:
            callers = [self.witnesses(*site, calls_up - 1) for site in self._sites.get(routine, ())]
        return Witnesses(shows, tuple(filter(None, guards)), tuple(callers))

    def _lines(self, routine: int, positions: Iterator[int] | range) -> frozenset[SourceLine]:
        found = (self.line_of(routine, position) for position in positions)
        return frozenset(place for place in found if place is not None and place.line)

    def _blocks_of(self, routine: int) -> RoutineBlocks:
        if routine not in self._blocks:
            self._blocks[routine] = RoutineBlocks(self.program.routines[routine])
        return self._blocks[routine]

    @cached_property
    def _sites(self) -> Mapping[int, list[tuple[int, int]]]:
        """The blocks that call each routine by its name."""
        found: dict[int, list[tuple[int, int]]] = {}
        for number, routine in enumerate(self.program.routines):
            for position in routine.calls:
                called = self.program.meaning(number, routine.instructions[position].operands[0])
                if isinstance(called, RoutineRef):
                    found.setdefault(called.id, []).append((number, routine.instructions[position].block))
        return found

    @cached_property
    def _taken(self) -> frozenset[int]:
        """Routines whose address is kept somewhere, so that anyone may call them."""
        found = set(standing_in_globals(self.program))
        for number in range(len(self.program.routines)):
            found.update(meant for _, meant in mentions_in(self.program, number))
        return frozenset(found)
