"""Comparisons of the words of a command line with literals: `strcmp (argv[i], "--fast") == 0`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sonde.core.code import Instruction, Kind, Routine
from sonde.methods.impact.constants import number_of
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.program.linking import GlobalRef
from sonde.methods.impact.program.memory import are_arguments
from sonde.methods.impact.ways.finding import CONVERSIONS, MAIN
from sonde.methods.impact.ways.value_sources import ValueSources, instruction_of, stripped

COMPARERS = frozenset({"strcmp", "strncmp"})  # those that tell capital letters from small ones
LENGTH = "strlen"


class WordComparison(NamedTuple):
    """A way out of a block that is taken only if a word has this text, or begins with it."""

    block: int
    number: int  # of the target
    text: str


@dataclass(frozen=True)
class Comparisons:
    """Those of one routine."""

    flow: Flow
    routine: int

    @cached_property
    def _code(self) -> Routine:
        return self.flow.program.routines[self.routine]

    def all(self) -> Iterator[WordComparison]:
        """All of them, in the order of the code."""
        calls = dict(self._calls())
        for each in self._code.instructions:
            if each.kind is Kind.BRANCH:
                number, operand = _zero_test(self._code, each.operands[0])
                if operand in calls:
                    yield WordComparison(each.block, number, calls[operand])

    def _calls(self) -> Iterator[tuple[int, str]]:
        """What the calls give, with the text that has to be equal."""
        for call in self.flow.calls[self.routine]:
            each = self._code.instructions[call.position]
            if COMPARERS.isdisjoint(call.externals) or len(each.operands) < 3:
                continue
            texts = [text for text in map(self._text, each.operands[1:3]) if text is not None]
            if len(texts) == 1 and any(map(self._is_word, each.operands[1:3])):
                text = self._equal_part(each, texts[0])
                if text:
                    yield self._code.parameters + call.position, text

    def _is_word(self, operand: int) -> bool:
        return self._sources.are_arguments(operand, self._argv)

    @cached_property
    def _argv(self) -> tuple[int, ...]:
        """The parameters that are all words of the command line, and nothing else."""
        if self._code.name == MAIN:
            return (1,)
        memory = self.flow.memory
        pointed = (memory.pointees(self.routine, number) for number in range(self._code.parameters))
        things = ([memory.objects[memory.cells[n].object] for n in cells] for cells in pointed)
        return tuple(n for n, some in enumerate(things) if some and all(map(are_arguments, some)))

    @cached_property
    def _sources(self) -> ValueSources:
        return ValueSources(self._code, self.flow.definitions[self.routine])

    def _text(self, operand: int) -> str | None:
        meaning = self.flow.program.meaning(self.routine, operand)
        if not isinstance(meaning, GlobalRef):
            return None
        return self.flow.program.globals[meaning.id].text.rstrip("\0")

    def _equal_part(self, call: Instruction, text: str) -> str:
        """How much of a literal is compared; empty if that depends on something else than the literal."""
        if len(call.operands) == 3:
            return text
        number = number_of(self._code, call.operands[3])
        if isinstance(number, int):
            return text[: max(number, 0)]
        length = instruction_of(self._code, stripped(self._code, call.operands[3]))
        if length is None or length.kind is not Kind.CALL or len(length.operands) != 2:
            return ""
        called = self.flow.program.meaning(self.routine, length.operands[0])
        is_length = getattr(called, "name", "") == LENGTH and self._text(length.operands[1]) == text
        return text if is_length else ""


def _zero_test(code: Routine, operand: int) -> tuple[int, int]:
    """Which target of a branch is taken if a value is 0, and the value."""
    number = 1
    while (each := instruction_of(code, operand)) is not None and each.kind is Kind.COMPUTE:
        words = each.shape.split(" ")
        if words[0] == "icmp" and len(each.operands) == 2 and number_of(code, each.operands[1]) == 0:
            if "eq" in words:
                number = 1 - number
            elif "ne" not in words:
                break
        elif words[0] == "xor" and "i1" in words:
            number = 1 - number
        elif words[0] not in CONVERSIONS:
            break
        operand = each.operands[0]
    return number, operand
