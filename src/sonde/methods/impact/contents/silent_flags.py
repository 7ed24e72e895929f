"""Decisions by variables of which all values are known: what none of these values chooses is never chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from math import prod

from sonde.core.code import DECIDING, Instruction, Kind
from sonde.methods.impact.constants import UNKNOWN, ConstantValue, KnownConstant, chosen, evaluate
from sonde.methods.impact.contents.memory import Contents
from sonde.methods.impact.reach.reachable import Cut

Loaded = tuple[tuple[int, ...], int]  # cells, and how many bytes of them
MOST_COMBINATIONS = 64  # of the values of all variables that a decision is about


def silent_cuts(contents: Contents) -> Iterator[Cut]:
    """What is never chosen, whatever values the variables hold that they may hold at all."""
    known: dict[Loaded, frozenset[KnownConstant] | None] = {}
    for routine, blocks in contents.executed.items():
        code = contents.flow.program.routines[routine]
        for block in sorted(blocks):
            start, end = code.blocks[block]
            last = code.instructions[end - 1] if end > start else None
            if last is not None and last.kind in DECIDING and len(set(last.targets)) > 1:
                taken = _taken(_Deciding(contents, routine, known), last)
                for number, target in enumerate(last.targets) if taken else ():
                    if target not in taken:
                        yield routine, block, number


def _taken(deciding: _Deciding, last: Instruction) -> set[int]:
    """The targets that may be chosen; nothing if any may be."""
    found: set[int] = set()
    for value in deciding.values(last.operands[0]):
        number = chosen(last, value)
        if not isinstance(number, int):
            return set()
        found.add(last.targets[number])
    return found


class _Deciding:
    """The values of what one routine decides by."""

    def __init__(
        self, contents: Contents, routine: int, known: dict[Loaded, frozenset[KnownConstant] | None]
    ) -> None:
        self.contents, self.routine, self.known = contents, routine, known
        self.code = contents.flow.program.routines[routine]

    def values(self, operand: int) -> Iterator[ConstantValue]:
        """Every value that an operand may have."""
        asked: dict[int, frozenset[KnownConstant]] = {}

        def note(value: int) -> ConstantValue:
            key = self._loaded(value)
            numbers = None if key is None else self._numbers(key)
            if numbers:
                asked[value] = numbers
            return UNKNOWN

        evaluate(self.code, operand, note)
        if prod(map(len, asked.values())) > MOST_COMBINATIONS:
            yield UNKNOWN
            return
        for choice in product(*asked.values()):
            held: dict[int, ConstantValue] = dict(zip(asked, choice, strict=True))
            yield evaluate(self.code, operand, partial(_held, held))

    def _loaded(self, value: int) -> Loaded | None:
        """What a value is loaded from."""
        position = value - self.code.parameters
        each = self.code.instructions[position] if position >= 0 else None
        if each is None or each.kind is not Kind.LOAD:
            return None
        cells = tuple(self.contents.flow.memory.pointees(self.routine, each.operands[0]))
        return (cells, each.size) if cells else None

    def _numbers(self, key: Loaded) -> frozenset[KnownConstant] | None:
        if key not in self.known:
            self.known[key] = self.contents.numbers(*key)
        return self.known[key]


def _held(held: Mapping[int, ConstantValue], value: int) -> ConstantValue:
    return held.get(value, UNKNOWN)
