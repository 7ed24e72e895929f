"""Numbers that a program reads from the words of its command line, with `strtol` and the like."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sonde.methods.impact.command_line.words import Blocks
from sonde.methods.impact.constants import number_of
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.program.memory import is_argument
from sonde.methods.impact.reach.by_values_and_decisions import plain_name

WITHOUT_BASE = frozenset({"atoi", "atol", "atoll"})
WITH_BASE = frozenset({"strtol", "strtoul", "strtoll", "strtoull", "strtoimax", "strtoumax", "strtoq"})
BASE = 3  # the operand of a call that says in which base
DECIMAL = (0, 10)
RUN = re.compile(r"[0-9]+")
HEXADECIMAL = re.compile(r"0[xX]")


class Parsed(NamedTuple):
    """A number, and the words from which it is read."""

    number: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class ParsedNumbers:
    """Answers for one program and the words that options may have."""

    flow: Flow
    words: Sequence[tuple[str, ...]]  # of each choice of each option
    executed: Callable[[Sequence[str]], Blocks]  # what may be executed with some words, and no others

    def at(self, routine: int, position: int) -> list[Parsed] | None:
        """What a CALL may give; None if it may be something else."""
        block = self.flow.program.routines[routine].instructions[position].block
        if not self._reads_words(routine, position) or block in self.executed(()).get(routine, ()):
            return None
        found: list[Parsed] = []
        for words in self.words:
            if words and block in self.executed(words).get(routine, ()):
                numbers = list(numbers_in(words))
                if not numbers:
                    return None
                found += [Parsed(number, words) for number in numbers]
        return found or None

    def _reads_words(self, routine: int, position: int) -> bool:
        """Whether a call reads a decimal number from the command line, and does nothing else."""
        code, memory = self.flow.program.routines[routine], self.flow.memory
        call = next((each for each in self.flow.calls[routine] if each.position == position), None)
        operands = code.instructions[position].operands
        if call is None or call.callees or not call.externals or len(operands) < 2:
            return False
        names = {plain_name(each) for each in call.externals}
        is_decimal = names <= WITHOUT_BASE or (
            names <= WITH_BASE and len(operands) > BASE and number_of(code, operands[BASE]) in DECIMAL
        )
        texts = [memory.objects[memory.cells[cell].object] for cell in memory.pointees(routine, operands[1])]
        return is_decimal and bool(texts) and all(is_argument(each) for each in texts)


def numbers_in(words: Sequence[str]) -> Iterator[int]:
    """The numbers that stand in words; behind a dash with and without a sign.

    Nothing if one may be octal or hexadecimal.
    """
    if any(HEXADECIMAL.search(word) for word in words):
        return
    found = [(run[0], word[: run.start()]) for word in words for run in RUN.finditer(word)]
    if not any(len(digits) > 1 and digits[0] == "0" for digits, _ in found):
        for digits, before in found:
            yield int(digits)
            if before.endswith("-"):
                yield -int(digits)
