"""Numbers that callers hand over: `set_style (CONTEXT)`, which stores its parameter."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from sonde.core.code import Kind, Routine
from sonde.methods.impact.block_routes import reached_from
from sonde.methods.impact.flow import Flow
from sonde.methods.impact.value_sources import Sources, constant_of, instruction_of, stripped
from sonde.methods.impact.ways import MAIN

MOST_CALLERS = 64
MOST_ROUTINES = 4  # through which a number is handed on


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

    def parameter(self, routine: int, operand: int) -> int | None:
        """The parameter that a value surely is."""
        code = self.flow.program.routines[routine]
        sources = set(Sources(code, self.flow.definitions[routine]).of(operand))
        only = sources.pop() if len(sources) == 1 else -1
        return only if 0 <= only < code.parameters else None

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
            operand = stripped(code, each.operands[parameter + 1])
            number = constant_of(code, operand)
            if number is not None:
                found.append(Handed(caller, position, number, True))
                continue
            own = self.parameter(caller, operand) if operand >= 0 else None
            inner = None if own is None else self.of(caller, own, through | {routine})
            if inner is None:
                return None
            is_sure = not self.flow.deciders[caller][each.block]
            found += [outer._replace(is_sure=outer.is_sure and is_sure) for outer in inner]
        return found

    def _is_called_back(self, routine: int, caller: int, position: int) -> bool:
        return any(
            routine in call.called_back for call in self.flow.calls[caller] if call.position == position
        )

    def is_kept_either_way(self, routine: int, position: int, cell: int) -> bool:
        """Whether a STORE of a parameter is passed by only where the cell holds that number already."""
        code = self.flow.program.routines[routine]
        store = code.instructions[position]
        parameter = self.parameter(routine, store.operands[1])
        return parameter is not None and all(
            self._is_passed_if_equal(routine, block, store.block, (cell, parameter))
            for block in self.flow.deciders[routine][store.block]
        )

    def _is_passed_if_equal(self, routine: int, decider: int, block: int, compared: tuple[int, int]) -> bool:
        """Whether a block ends by comparing a cell with a parameter, and only leads on if they differ."""
        code = self.flow.program.routines[routine]
        last = code.instructions[code.blocks[decider][1] - 1]
        asked = instruction_of(code, last.operands[0]) if last.kind is Kind.BRANCH else None
        operation = asked.shape.split(" ")[:2] if asked is not None and len(asked.operands) == 2 else []
        if asked is None or operation not in (["icmp", "eq"], ["icmp", "ne"]):
            return False
        cell, parameter = compared
        is_asked = any(
            self.parameter(routine, mine) == parameter and self._is_read(routine, code, other, cell)
            for mine, other in (asked.operands, asked.operands[::-1])
        )
        if_equal = last.targets[1 if operation == ["icmp", "ne"] else 0]
        return is_asked and block not in reached_from(code.routes, [if_equal])

    def _is_read(self, routine: int, code: Routine, operand: int, cell: int) -> bool:
        each = instruction_of(code, stripped(code, operand))
        return (
            each is not None
            and each.kind is Kind.LOAD
            and list(self.flow.memory.pointees(routine, each.operands[0])) == [cell]
        )
