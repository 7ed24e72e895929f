"""Numbers that callers hand over: `set_style (CONTEXT)`, which stores its parameter."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from sonde.core.code import Kind, Routine
from sonde.methods.impact.constants import Conversions, converted, number_of, unconverted
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.program.block_routes import reached_from
from sonde.methods.impact.ways.finding import MAIN
from sonde.methods.impact.ways.value_sources import instruction_of

MOST_CALLERS = 64
MOST_ROUTINES = 4  # through which a number is handed on


WIDER = ("zext", "sext")


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

    def is_kept_either_way(self, routine: int, position: int, cell: int) -> bool:
        """Whether a STORE of a parameter is passed by only where the cell holds that number already."""
        code = self.flow.program.routines[routine]
        store = code.instructions[position]
        stored = self.parameter(routine, store.operands[1])
        return stored is not None and all(
            self._is_passed_if_equal(routine, block, store.block, cell, stored)
            for block in self.flow.deciders[routine][store.block]
        )

    def _is_passed_if_equal(
        self, routine: int, decider: int, block: int, cell: int, stored: FromParameter
    ) -> bool:
        """Whether a block ends by comparing a cell with what is stored, and leads on only if they differ."""
        code = self.flow.program.routines[routine]
        last = code.instructions[code.blocks[decider][1] - 1]
        asked = instruction_of(code, last.operands[0]) if last.kind is Kind.BRANCH else None
        operation = asked.shape.split(" ")[:2] if asked is not None and len(asked.operands) == 2 else []
        if asked is None or operation not in (["icmp", "eq"], ["icmp", "ne"]):
            return False
        is_asked = any(
            self._are_compared(routine, code, mine, other, cell, stored)
            for mine, other in (asked.operands, asked.operands[::-1])
        )
        if_equal = last.targets[1 if operation == ["icmp", "ne"] else 0]
        return is_asked and block not in reached_from(code.routes, [if_equal])

    def _are_compared(
        self, routine: int, code: Routine, mine: int, other: int, cell: int, stored: FromParameter
    ) -> bool:
        """Whether one value is what is stored, and the other one what lies in the cell, made wider alike."""
        own = self.parameter(routine, mine)
        read, wider = unconverted(code, other)
        each = instruction_of(code, read)
        return (
            own is not None
            and own == stored._replace(conversions=stored.conversions + wider)
            and all(one.startswith(WIDER) for one in wider)
            and each is not None
            and each.kind is Kind.LOAD
            and list(self.flow.memory.pointees(routine, each.operands[0])) == [cell]
        )
