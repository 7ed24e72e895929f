"""A routine while it is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sonde.core.code import NOWHERE, Constant, FieldStep, Instruction, Kind, Outside, SourceLine, Variable
from sonde.formats.llvm_ir.facts import ModuleFacts

new: Final = tuple.__new__  # of an Instruction: a third of the time that its own way takes


class RoutineBody:
    """The instructions so far, and what names mean in this routine."""

    def __init__(
        self, facts: ModuleFacts, parameters: Sequence[str], before: RoutineBody | None = None
    ) -> None:
        """Begin with the names of parameters, or with all names that were met when it was read `before`."""
        self.facts = facts
        self.parameters = len(parameters)
        # `%name`, and constants that were met, -> operand
        self.numbers: dict[str, int] = dict(zip(parameters, range(len(parameters)), strict=True))
        self.labels: dict[str, int] = {}  # without `%`
        if before is not None:
            self.numbers.update((name, value) for name, value in before.numbers.items() if name[0] == "%")
            self.labels = before.labels
        self.met_unknown = False
        self.outside: list[Outside] = []
        self.instructions: list[Instruction] = []
        self.variables: dict[int, Variable] = {}
        self.types: dict[int, str] = {}  # of variables: the notes of their types
        self.allocated: dict[int, str] = {}  # the types of LOCALs, by their values
        self.byte_steps: list[tuple[int, int]] = []  # instructions that step over bytes, and how many
        self.block = 0
        self.place: SourceLine = NOWHERE
        self._outside_ids: dict[Outside, int] = {}
        self._elements = ""  # which elements of arrays constants are the addresses of: part of the next shape

    def operand(self, token: str) -> int:
        """The operand that a value is; a constant with several addresses gets an instruction of its own."""
        number = self.numbers.get(token)
        if number is not None:
            return number
        if token[:1] in {"%", ""}:
            self.met_unknown = True
            return self.outside_operand(Constant("undef"))
        meanings = self.facts.constants.meanings(token)
        if len(meanings) == 1:
            number = self.outside_operand(meanings[0])
            element = self.facts.constants.element(token)
            if element:
                self._elements += f" [{element}]"
            else:
                self.numbers[token] = number
            return number
        parts = tuple(self.outside_operand(each) for each in meanings)
        self.add(Kind.COMPUTE, parts, "constant")
        return self.parameters + len(self.instructions) - 1

    def outside_operand(self, outside: Outside) -> int:
        """The operand of something that is no value of the routine."""
        number = self._outside_ids.get(outside)
        if number is None:
            number = self._outside_ids[outside] = ~len(self.outside)
            self.outside.append(outside)
        return number

    def label(self, token: str) -> int:
        """The block of a label, without `%`; the first one if a damaged file has no such label."""
        return self.labels.get(token, 0)

    def add(
        self,
        kind: Kind,
        operands: tuple[int, ...],
        shape: str,
        targets: tuple[int, ...] = (),
        cases: tuple[int, ...] = (),
        offset: int = 0,
        type_: str = "",
        size: int = 0,
        steps: tuple[FieldStep, ...] = (),
    ) -> int:
        """Append an instruction; its value."""
        if self._elements:
            shape += self._elements
            self._elements = ""
        self.instructions.append(
            new(
                Instruction,
                (kind, operands, shape, self.block, self.place, targets, cases, offset, type_, size, steps),
            )
        )
        return self.parameters + len(self.instructions) - 1
