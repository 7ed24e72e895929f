"""Where the values of a routine come from: calls, parameters, the words of the command line."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sonde.core.code import Address, Instruction, Kind, Routine
from sonde.methods.impact.constants import number_of
from sonde.methods.impact.program.reaching_definitions import ReachingDefinitions
from sonde.methods.impact.reach.by_values_and_decisions import plain_name
from sonde.methods.impact.ways.finding import CONVERSIONS

WORD = "optarg"


def stripped(code: Routine, operand: int) -> int:
    """A value before it was converted."""
    while operand >= code.parameters:
        each = code.instructions[operand - code.parameters]
        if each.kind is not Kind.COMPUTE or each.shape.partition(" ")[0] not in CONVERSIONS:
            break
        operand = each.operands[0]
    return operand


class ValueSources:
    """Where values of a routine come from, through its own variables."""

    def __init__(self, code: Routine, definitions: ReachingDefinitions) -> None:
        self.code, self._reaching = code, definitions.reaching

    def of(self, operand: int) -> list[int]:
        """What a value may be."""
        operand = stripped(self.code, operand)
        stores = self._reaching.get(operand - self.code.parameters)
        if stores is None:
            return [operand]
        return [stripped(self.code, self.code.instructions[each].operands[1]) for each in stores]

    def are_made_by(self, calls: Iterable[int], operand: int) -> bool:
        """Whether a value is what one of these calls gave, or a number."""
        made = {self.code.parameters + position for position in calls}
        sources = self.of(operand)
        return not made.isdisjoint(sources) and all(
            each in made or isinstance(number_of(self.code, each), int) for each in sources
        )

    def letters_of_parameters(self, operand: int) -> frozenset[int]:
        """The parameters that point to the byte which a value is, or before it; none if it is no byte."""
        each = instruction_of(self.code, stripped(self.code, operand))
        if each is None or each.kind is not Kind.LOAD or each.size > 1:
            return frozenset()
        seen: set[int] = set()
        if not self._are_parameters(each.operands[0], seen):
            return frozenset()
        return frozenset(one for one in seen if 0 <= one < self.code.parameters)

    def are_letters_of_words(self, operand: int) -> bool:
        """Whether a value is a byte of the word that getopt has found."""
        each = instruction_of(self.code, stripped(self.code, operand))
        if each is None or each.kind is not Kind.LOAD or each.size > 1:
            return False
        inner = instruction_of(self.code, each.operands[0])
        if inner is not None and inner.kind is Kind.FIELD:
            inner = instruction_of(self.code, inner.operands[0])
        if inner is None or inner.kind is not Kind.LOAD or inner.operands[0] >= 0:
            return False
        outside = self.code.outside[~inner.operands[0]]
        return isinstance(outside, Address) and plain_name(outside.name) == WORD

    def _are_parameters(self, operand: int, seen: set[int]) -> bool:
        if operand in seen:
            return True
        seen.add(operand)
        if operand < 0:
            return False
        if operand < self.code.parameters:
            return True
        each = self.code.instructions[operand - self.code.parameters]
        if each.kind is Kind.FIELD:
            return self._are_parameters(each.operands[0], seen)
        sources = self.of(operand)
        return sources != [operand] and all(self._are_parameters(source, seen) for source in sources)

    def are_arguments(self, operand: int, argv: Collection[int] = (1,)) -> bool:
        """Whether a value is a word of the command line, or a part of one, but not the program's name.

        `argv` are the parameters that hold all words; of main it is the second one.
        """
        return self._are_arguments(operand, argv, set())

    def _are_arguments(self, operand: int, argv: Collection[int], seen: set[int]) -> bool:
        """The same for what is not yet `seen`: a word may move on within itself."""
        sources = self.of(operand)
        return bool(sources) and all(self._is_argument(each, argv, seen) for each in sources)

    def _is_argument(self, operand: int, argv: Collection[int], seen: set[int]) -> bool:
        each = instruction_of(self.code, operand)
        if each is None or operand in seen:
            return operand in seen
        seen.add(operand)
        if each.kind is Kind.FIELD:
            return self._are_arguments(each.operands[0], argv, seen)
        field = instruction_of(self.code, each.operands[0]) if each.kind is Kind.LOAD else None
        if field is None or field.kind is not Kind.FIELD or is_first_element(field):
            return False
        sources = self.of(field.operands[0])
        return len(sources) == 1 and 0 <= sources[0] < self.code.parameters and sources[0] in argv


def instruction_of(code: Routine, operand: int) -> Instruction | None:
    """The instruction that gives a value; None for parameters and constants."""
    return code.instructions[operand - code.parameters] if operand >= code.parameters else None


def is_first_element(field: Instruction) -> bool:
    """Whether the address of an element is that of the first one, as `argv[0]`."""
    return len(field.operands) == 1 and field.shape.endswith(" 0")
