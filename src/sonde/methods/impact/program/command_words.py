"""Decisions by which a program reads its command line: which word leads where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sonde.core.code import Address, Global, Instruction, Kind, Routine
from sonde.methods.impact.constants import number_of
from sonde.methods.impact.program.option_tables import LongOptions, rows_of, rows_of_local

PARSERS = frozenset({"getopt", "getopt_long", "getopt_long_only", "rpl_getopt", "rpl_getopt_long"})
COMPARERS = frozenset({"strcmp", "strncmp", "strcasecmp", "strncasecmp"})
CONVERSIONS = ("sext", "zext", "trunc")
NO_WORD = frozenset({0, -1})  # the end of a text, and what getopt gives if no option is left
MOST_STEPS = 8  # from a decision back to what it is about


@dataclass(frozen=True)
class _Subject:
    """What a decision is about: a letter of a text, or what getopt found."""

    longs: Mapping[int, Sequence[str]]  # by the number that getopt_long gives back
    is_letter: bool = False


class CommandWords:
    """The words that decisions of a routine ask for."""

    def __init__(self, routine: Routine, globals_: Mapping[str, Global]) -> None:
        self.routine, self.globals = routine, globals_

    def leading(self, decider: int, target: int) -> frozenset[str] | None:
        """The words for which a block goes to a target; None if no words, or not words alone, decide that."""
        _, end = self.routine.blocks[decider]
        last = self.routine.instructions[end - 1]
        if last.kind is Kind.SWITCH and target != last.targets[0]:
            subject = self._subject(last.operands[0], MOST_STEPS)
            cases = [case for case, each in zip(last.cases, last.targets[1:], strict=True) if each == target]
            return self._spelled(subject, cases)
        if last.kind is Kind.BRANCH:
            return self._compared(last, target)
        return None

    def _compared(self, branch: Instruction, target: int) -> frozenset[str] | None:
        condition = self._instruction(branch.operands[0])
        operation = condition.shape.split()[:2] if condition is not None else []
        if condition is None or operation not in (["icmp", "eq"], ["icmp", "ne"]):
            return None
        if branch.targets[0] == branch.targets[1] or target != branch.targets[operation[1] == "ne"]:
            return None
        number = number_of(self.routine, condition.operands[1])
        call = self._instruction(condition.operands[0])
        if number == 0 and call is not None and self.called(call) in COMPARERS:
            texts = [text for text in map(self.text, call.operands[1:3]) if text]
            return frozenset(texts) or None
        subject = self._subject(condition.operands[0], MOST_STEPS)
        return self._spelled(subject, [number]) if isinstance(number, int) else None

    def _spelled(self, subject: _Subject | None, numbers: Sequence[int]) -> frozenset[str] | None:
        """These letters as words, with the long words that getopt_long takes for them."""
        if subject is None or not NO_WORD.isdisjoint(numbers):
            return None
        words = {f"-{chr(number)}" for number in numbers if 32 < number < 127}
        return frozenset(words.union(*(subject.longs.get(number, ()) for number in numbers)))

    def _subject(self, operand: int, steps: int) -> _Subject | None:
        """The letter or the result of getopt that a value is; None if it is something else."""
        each = self._instruction(operand)
        if each is None or not steps:
            return None
        if each.kind is Kind.COMPUTE and each.shape.startswith(CONVERSIONS):
            return self._subject(each.operands[0], steps - 1)
        if each.kind is Kind.CALL and self.called(each) in PARSERS:
            return _Subject(self.long_words(each)) if self.long_rows(each).is_complete else None
        if each.kind is not Kind.LOAD:
            return None
        place = self._instruction(each.operands[0])
        if place is None:
            return None
        if place.kind is Kind.LOCAL:
            return self._kept(each.operands[0], steps - 1)
        is_letter = each.shape == "load i8" and not (place.kind is Kind.FIELD and place.type)
        return _Subject({}, True) if is_letter else None

    def _kept(self, local: int, steps: int) -> _Subject | None:
        """What a variable of the routine holds, if it holds nothing else."""
        longs: dict[int, list[str]] = {}
        stored = [
            each.operands[1]
            for each in self.routine.instructions
            if each.kind is Kind.STORE and each.operands[0] == local
        ]
        subjects = [self._subject(each, steps) for each in stored if each >= 0]
        for each in subjects:
            if each is None:
                return None
            for number, words in each.longs.items():
                longs.setdefault(number, []).extend(words)
        return _Subject(longs, any(each.is_letter for each in subjects if each)) if subjects else None

    def is_letter(self, operand: int) -> bool:
        """Whether a value is a letter of a text."""
        subject = self._subject(operand, MOST_STEPS)
        return subject is not None and subject.is_letter

    def is_found(self, operand: int) -> bool:
        """Whether a value is what getopt found; its variable may be used for something else later."""
        each = self._instruction(operand)
        if each is None or each.kind is not Kind.LOAD:
            return each is not None and self.called(each) in PARSERS
        stored = (
            self._instruction(store.operands[1])
            for store in self.routine.instructions
            if store.kind is Kind.STORE and store.operands[0] == each.operands[0]
        )
        return any(value is not None and self.called(value) in PARSERS for value in stored)

    def long_rows(self, call: Instruction) -> LongOptions:
        """The table of a call of getopt_long."""
        if len(call.operands) <= 4 or number_of(self.routine, call.operands[4]) == 0:
            return LongOptions()
        table = self.known_global(call.operands[4])
        if table is not None:
            return rows_of(table, self.globals)
        return rows_of_local(self.routine, call.operands[4], self.globals)

    def long_words(self, call: Instruction) -> dict[int, list[str]]:
        """The long words of a call of getopt_long, by the number that it gives back for them."""
        found: dict[int, list[str]] = {}
        for each in self.long_rows(call).rows:
            if not each.variable:
                found.setdefault(each.value, []).append(f"--{each.name}")
        return found

    def called(self, call: Instruction) -> str:
        """The name of what is called directly; empty if nothing is."""
        if call.kind is not Kind.CALL or not call.operands or call.operands[0] >= 0:
            return ""
        outside = self.routine.outside[~call.operands[0]]
        return outside.name if isinstance(outside, Address) else ""

    def known_global(self, operand: int) -> Global | None:
        """The global whose address an operand is."""
        outside = self.routine.outside[~operand] if operand < 0 else None
        return self.globals.get(outside.name) if isinstance(outside, Address) else None

    def text(self, operand: int) -> str:
        """The literal that an operand is; empty if it is none."""
        found = self.known_global(operand)
        return found.text.rstrip("\0") if found is not None else ""

    def is_field(self, operand: int) -> bool:
        """Whether an address is that of a part of something."""
        if operand < 0:
            return getattr(self.routine.outside[~operand], "offset", 0) != 0
        each = self._instruction(operand)
        return each is not None and each.kind is Kind.FIELD

    def _instruction(self, operand: int) -> Instruction | None:
        position = operand - self.routine.parameters
        return self.routine.instructions[position] if position >= 0 else None
