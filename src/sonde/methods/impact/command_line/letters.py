"""Letters that a program itself looks for in the words of its command line: `switch (argv[i][1])`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from sonde.core.code import Instruction, Kind, Routine
from sonde.methods.impact.constants import number_of
from sonde.methods.impact.program.block_routes import reached_from
from sonde.methods.impact.program.reaching_definitions import ReachingDefinitions
from sonde.methods.impact.ways.value_sources import (
    ValueSources,
    instruction_of,
    is_first_element,
    stripped,
)

DASH = ord("-")


@dataclass(frozen=True)
class LettersOfWords:
    """Those of one routine that gets the command line as `main` does."""

    code: Routine
    definitions: ReachingDefinitions

    @cached_property
    def _sources(self) -> ValueSources:
        return ValueSources(self.code, self.definitions)

    def is_letter(self, operand: int) -> bool:
        """Whether a value is a byte of a word."""
        return self._word_of(operand) is not None

    def needs_dash(self, operand: int, block: int) -> bool:
        """Whether a block looks at this letter only if its word begins with a dash."""
        word = self._word_of(operand)
        local = self._counted_by(word) if word is not None else None
        return local is not None and any(
            not self._is_set_between(local, guard, target, block)
            for guard, target, other in self._guards
            if other == local and guard != block and self._is_passed(guard, target, block)
        )

    def _word_of(self, operand: int) -> Instruction | None:
        """What loads the word that a value is a byte of."""
        letter = instruction_of(self.code, stripped(self.code, operand))
        if letter is None or letter.kind is not Kind.LOAD or letter.size > 1:
            return None
        if not self._sources.are_arguments(letter.operands[0]):
            return None
        word = instruction_of(self.code, letter.operands[0])
        while word is not None and word.kind is Kind.FIELD:
            word = instruction_of(self.code, word.operands[0])
        return word

    def _counted_by(self, word: Instruction) -> int | None:
        """The variable of the routine that tells which word it is; None if something else tells."""
        element = instruction_of(self.code, word.operands[0])
        if element is None or len(element.operands) != 2:
            return None
        counter = instruction_of(self.code, stripped(self.code, element.operands[1]))
        local = instruction_of(self.code, counter.operands[0]) if counter is not None else None
        if counter is None or counter.kind is not Kind.LOAD or local is None or local.kind is not Kind.LOCAL:
            return None
        return counter.operands[0]

    @cached_property
    def _guards(self) -> Sequence[tuple[int, int, int]]:
        """`argv[i][0] == '-'`: blocks that ask for it, where they go then, and the variables that count."""
        return list(self._find_guards())

    def _find_guards(self) -> Iterator[tuple[int, int, int]]:
        for each in self.code.instructions:
            condition = instruction_of(self.code, each.operands[0]) if each.kind is Kind.BRANCH else None
            if condition is None or len(condition.operands) != 2 or each.targets[0] == each.targets[1]:
                continue
            words = condition.shape.split(" ")
            if words[0] != "icmp" or number_of(self.code, condition.operands[1]) != DASH:
                continue
            word = self._word_of(condition.operands[0])
            local = self._counted_by(word) if word is not None else None
            if local is None or not self._is_first(condition.operands[0]):
                continue
            if "eq" in words or "ne" in words:
                yield each.block, each.targets["ne" in words], local

    def _is_first(self, operand: int) -> bool:
        """Whether a byte of a word is its first one."""
        letter = instruction_of(self.code, stripped(self.code, operand))
        place = instruction_of(self.code, letter.operands[0]) if letter is not None else None
        return place is not None and (place.kind is Kind.LOAD or is_first_element(place))

    def _is_passed(self, guard: int, target: int, block: int) -> bool:
        """Whether each way to a block goes from the guard to its target."""
        others = [each for each in self.code.routes[guard] if each != target]
        start = [0] if guard else others
        return block not in self._behind(start, guard) and block not in self._behind(others, guard)

    def _is_set_between(self, local: int, guard: int, target: int, block: int) -> bool:
        """Whether a variable may be set on a way from the guard's target to a block."""
        between = {each for each in self._behind([target], guard) if block in self._behind([each], guard)}
        return any(
            each.kind is Kind.STORE and each.operands[0] == local and each.block in between
            for each in self.code.instructions
        ) or not self._is_plain(local)

    def _is_plain(self, local: int) -> bool:
        """Whether a variable is only loaded and stored, so that nobody else sets it."""
        return all(
            each.kind is Kind.LOAD or (each.kind is Kind.STORE and each.operands[1] != local)
            for each in self.code.instructions
            if local in each.operands
        )

    def _behind(self, starts: Iterable[int], end: int) -> set[int]:
        """What is executed from these blocks on, before the block `end` is."""
        return reached_from(self.code.routes, [each for each in starts if each != end], {end})
