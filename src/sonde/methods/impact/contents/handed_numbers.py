"""Numbers that callers hand over: `set_style (CONTEXT)`, which stores its parameter."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from sonde.methods.impact.constants import Conversions, converted, number_of, unconverted
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.ways.finding import MAIN

MOST_CALLERS = 64
MOST_ROUTINES = 4  # through which a number is handed on


class FromParameter(NamedTuple):
    """A parameter, and the conversions after which it is some value."""

    parameter: int
    conversions: Conversions


class Handed(NamedTuple):
    """A CALL that hands a number over."""

    routine: int
    position: int
    number: int
    is_sure: bool  # whoever is called there gets it


@dataclass(frozen=True)
class HandedNumbers:
    """Answers for one program of which some blocks are executed."""

    flow: Flow
    executed: Mapping[int, Set[int]]

    def parameter(self, routine: int, operand: int) -> FromParameter | None:
        """The parameter that a value surely is, after conversions."""
        code = self.flow.program.routines[routine]
        operand, conversions = unconverted(code, operand)
        sources = {(operand, Conversions())}
        stores = self.flow.definitions[routine].reaching.get(operand - code.parameters)
        if stores is not None:
            load = code.instructions[operand - code.parameters]
            own = [code.instructions[each] for each in stores]
            if any(each.size != load.size for each in own):
                return None
            sources = {unconverted(code, each.operands[1]) for each in own}
        if len(sources) != 1:
            return None
        only, before = sources.pop()
        return FromParameter(only, before + conversions) if 0 <= only < code.parameters else None

    def of(self, routine: int, parameter: int, through: frozenset[int] = frozenset()) -> list[Handed] | None:
        """The numbers that a parameter may be, each with its CALL; None if it may be something else."""
        program = self.flow.program
        callers = self.flow.callers(routine)
        if routine in through or len(through) == MOST_ROUTINES or not 0 < len(callers) <= MOST_CALLERS:
            return None
        if program.routines[routine].name == MAIN:
            return None
        found: list[Handed] = []
        for caller, position in callers:
            code = program.routines[caller]
            each = code.instructions[position]
            if each.block not in self.executed.get(caller, ()):
                continue
            if parameter + 1 >= len(each.operands) or self._is_called_back(routine, caller, position):
                return None
            handed = self._handed(caller, position, each.operands[parameter + 1], through | {routine})
            if handed is None:
                return None
            found += handed
        return found

    def _handed(
        self, caller: int, position: int, operand: int, through: frozenset[int]
    ) -> list[Handed] | None:
        """The numbers that an argument may be."""
        code = self.flow.program.routines[caller]
        constant, conversions = unconverted(code, operand)
        if constant < 0:
            number = converted(number_of(code, constant), conversions)
            return [Handed(caller, position, number, True)] if isinstance(number, int) else None
        own = self.parameter(caller, operand)
        inner = None if own is None else self.of(caller, own.parameter, through)
        if own is None or inner is None:
            return None
        is_sure = not self.flow.deciders[caller][code.instructions[position].block]
        found = []
        for outer in inner:
            number = converted(outer.number, own.conversions)
            if not isinstance(number, int):
                return None
            found.append(outer._replace(number=number, is_sure=outer.is_sure and is_sure))
        return found

    def _is_called_back(self, routine: int, caller: int, position: int) -> bool:
        return any(
            routine in call.called_back for call in self.flow.calls[caller] if call.position == position
        )
