"""Texts that a call hands over: are they words of the command line, or does the program have others?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from sonde.core.code import Address, Instruction, Kind, Routine
from sonde.methods.impact.constants import UNKNOWN, number_of
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.reach.by_values_and_decisions import INPUT, plain_name
from sonde.methods.impact.ways.value_sources import WORD, ValueSources, instruction_of

ENVIRONMENT = frozenset({"getenv", "secure_getenv"})
MOST_STEPS = 6


@dataclass(frozen=True)
class HandedTexts:
    """Those of one routine that reads words."""

    flow: Flow
    routine: int

    @cached_property
    def _code(self) -> Routine:
        return self.flow.program.routines[self.routine]

    @cached_property
    def _sources(self) -> ValueSources:
        return ValueSources(self._code, self.flow.definitions[self.routine])

    def are_others(self, position: int, parameter: int) -> bool:
        """Whether a call hands over a literal, a text that was read or one of the environment."""
        operands = self._code.instructions[position].operands[1:]
        return parameter < len(operands) and self._is_other(operands[parameter], position, MOST_STEPS)

    def _is_other(self, operand: int, call: int, steps: int) -> bool:
        return not steps or any(
            self._is_other_source(each, call, steps) for each in self._sources.of(operand)
        )

    def _is_other_source(self, operand: int, call: int, steps: int) -> bool:
        if operand < 0:
            return isinstance(self._code.outside[~operand], Address)
        each = instruction_of(self._code, operand)
        if each is None or self._sources.are_arguments(operand):
            return False
        if each.kind is Kind.FIELD:
            return self._is_other(each.operands[0], call, steps - 1)
        if each.kind is Kind.LOAD:
            return each.operands[0] < 0 and not self._is_word(each.operands[0])
        if each.kind is Kind.LOCAL:
            return any(self._fills(one, n) for n, one in self._uses(operand) if n != call)
        if each.kind is Kind.CALL:
            return self._reads(operand - self._code.parameters) or any(
                self._is_other(one, call, steps - 1) for one in each.operands[1:] if one >= 0
            )
        return False

    def _is_word(self, operand: int) -> bool:
        outside = self._code.outside[~operand]
        return isinstance(outside, Address) and plain_name(outside.name) == WORD

    def _uses(self, local: int) -> Iterator[tuple[int, Instruction]]:
        """What is done with a variable or with parts of it."""
        parts = {local}
        for position, each in enumerate(self._code.instructions):
            if each.kind is Kind.FIELD and each.operands[0] in parts:
                parts.add(self._code.parameters + position)
            elif each.kind in (Kind.STORE, Kind.CALL) and not parts.isdisjoint(each.operands):
                yield position, each

    def _fills(self, each: Instruction, position: int) -> bool:
        """Whether letters come into a variable that are none of words."""
        if each.kind is Kind.STORE:
            return number_of(self._code, each.operands[1]) not in (0, UNKNOWN)
        return self._reads(position) or any(
            operand < 0 and isinstance(self._code.outside[~operand], Address) for operand in each.operands[1:]
        )

    def _reads(self, position: int) -> bool:
        """Whether a call reads input, or the environment."""
        for call in self.flow.calls[self.routine]:
            if call.position == position:
                return not {plain_name(name) for name in call.externals}.isdisjoint(INPUT | ENVIRONMENT)
        return False
