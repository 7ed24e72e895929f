"""A version of a routine: its instructions in words that can be compared with those of another one."""

from __future__ import annotations

from sonde.core.code import Instruction, Kind, Routine
from sonde.methods.impact.differences.forms import Form, Names, own_form, own_lines, successors_of


class Version:
    """A version of a routine, prepared to be compared."""

    def __init__(
        self, routine: Routine, names: Names, unmeasured: frozenset[int], reads_lines: bool = False
    ) -> None:
        self.routine = routine
        self.names = names
        self.reads_lines = reads_lines
        self.outside = [names.outside(each) for each in routine.outside]
        self.unmeasured = unmeasured  # blocks that no measured run executes
        self.positions = [
            position
            for position, each in enumerate(routine.instructions)
            if each.block not in self.unmeasured and each.kind not in (Kind.LOCAL, Kind.STOP)
        ]
        self.digests = [0] * (routine.parameters + len(routine.instructions))
        self.after = successors_of(routine)
        self.targets = self._threaded()

    def instruction(self, value: int) -> Instruction | None:
        """What computes a value; None for parameters."""
        position = value - self.routine.parameters
        return self.routine.instructions[position] if position >= 0 else None

    def locals(self) -> list[int]:
        """The values that are addresses of the routine's own variables."""
        first = self.routine.parameters
        return [n + first for n, each in enumerate(self.routine.instructions) if each.kind is Kind.LOCAL]

    def digest(self, locals: dict[int, Form]) -> None:
        """Give each value a number that stands for its whole expression."""
        digests = self.digests
        for value in range(self.routine.parameters):
            digests[value] = hash(("parameter", value))
        for position, each in enumerate(self.routine.instructions):
            value = self.routine.parameters + position
            if each.kind is Kind.LOCAL:
                digests[value] = hash(locals[value])
                continue
            lines = own_lines(each, self.routine.outside) if self.reads_lines else ()
            operands = tuple(
                digests[n] if n >= 0 else "line" if n in lines else self.outside[~n] for n in each.operands
            )
            digests[value] = hash((own_form(each, self.names), operands))

    def rough(self, position: int) -> Form:
        """What an instruction must have in common with one that may be its other version."""
        each = self.routine.instructions[position]
        if each.kind is Kind.CALL:
            called = each.operands[0] if each.operands else 0
            return (*own_form(each, self.names), called if called >= 0 else self.outside[~called])
        if each.kind in (Kind.LOAD, Kind.STORE):
            address = each.operands[0]
            return (each.kind, self.digests[address] if address >= 0 else self.outside[~address])
        if each.kind is Kind.SWITCH:
            return (each.kind, each.shape)
        return own_form(each, self.names)

    def _threaded(self) -> list[int]:
        """For each block where it leads to, if it does nothing but jump."""
        found = []
        for first in range(len(self.routine.blocks)):
            block = first
            seen = {block}
            while True:
                start, end = self.routine.blocks[block]
                last = self.routine.instructions[start] if end == start + 1 else None
                if last is None or last.kind is not Kind.JUMP or last.targets[0] in seen:
                    break
                block = last.targets[0]
                seen.add(block)
            found.append(block)
        return found
