"""Decisions that the words of a command line take: which code needs which words to be executed.

`getopt` gives the letter of an option that was given, and `strcmp (argv[i], "--fast")` is 0 if that word was.
So without the word the code behind such a case is not executed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, partial
from string import ascii_letters, digits
from typing import NamedTuple

from sonde.core.code import Instruction, Kind, Routine
from sonde.methods.impact.both_reaches import INPUT, plain_name
from sonde.methods.impact.command_words import COMPARERS, PARSERS
from sonde.methods.impact.flow import Flow
from sonde.methods.impact.option_tables import long_options
from sonde.methods.impact.program import GlobalRef
from sonde.methods.impact.reachable import Cut, Reachability
from sonde.methods.impact.value_sources import Sources, constant_of, instruction_of
from sonde.methods.impact.ways import CONVERSIONS, MAIN

Blocks = Mapping[int, Set[int]]
LETTERS = frozenset(ascii_letters + digits + "+-")


class Case(NamedTuple):
    """A way out of a block that is taken only if one of some words is given."""

    routine: int
    block: int
    number: int  # of the target
    letters: frozenset[str]  # of options such as `-l`
    names: frozenset[str]  # of options such as `--lines`, with the dashes
    texts: frozenset[str]  # words that are compared as a whole, or in part
    is_inner: bool = False  # letters of words that were taken apart: each of a word's letters may count

    def may_follow(self, words: Iterable[str]) -> bool:
        """Whether it may be taken if these words are given."""
        return any(
            (not self.is_inner and self._is_named(word))
            or any(text in word for text in self.texts)
            or (self.is_inner and not self.letters.isdisjoint(word))
            for word in words
        )

    def _is_named(self, word: str) -> bool:
        if word.startswith("--"):
            begin = word.partition("=")[0]
            return any(name.startswith(begin) for name in self.names)
        return word.startswith("-") and not self.letters.isdisjoint(word[1:])

    def surely_follows(self, words: Iterable[str]) -> bool:
        """Whether one of the words is all that it needs."""
        return any(
            (word[:1] == "-" and word[1:2] in self.letters)
            or word.partition("=")[0] in self.names
            or word in self.texts
            for word in words
        )


@dataclass(frozen=True)
class CommandLine:
    """How a program takes its command line apart."""

    flow: Flow
    reachability: Reachability

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """All such ways out of blocks."""
        first = list(self._first_cases())
        reading = {each.routine for each in first}
        cuts = [
            (routine, block, number)
            for routine, block in {(each.routine, each.block) for each in first}
            for number in range(len(self.reachability.routes[routine][block]))
        ]
        elsewhere = self.reachability.without(cuts)
        inner = [
            case
            for routine in dict.fromkeys(
                callee for number in reading for call in self.flow.calls[number] for callee in call.callees
            )
            if routine not in elsewhere and routine not in reading
            for case in self._inner_cases(routine)
        ]
        return (*first, *inner)

    def executed(
        self, words: Sequence[str], all_words: Sequence[str] | None = None, never: Iterable[Cut] = ()
    ) -> Blocks:
        """The blocks that may be executed with these words, if what is never chosen is known.

        With `all_words`, only what needs one of those is left out: any other word may be given as well.
        """
        return self.reachability.without([*self.cuts(words, all_words), *never])

    def cuts(self, words: Sequence[str], all_words: Sequence[str] | None = None) -> list[Cut]:
        """What is never chosen with these words."""
        return [
            _cut(each)
            for each in self.cases
            if not each.may_follow(words) and (all_words is None or each.may_follow(all_words))
        ]

    def is_later(self, routine: int, block: int, blocks: Blocks) -> bool:
        """Whether code may be executed after words were looked at, if only these blocks are executed."""
        seen: set[int] = set()
        waiting = [(routine, block)]
        while waiting:
            number, inside = waiting.pop()
            if number in self._looking:
                if inside in self._looking[number]:
                    return True
                continue
            callers = [
                (caller, self.flow.program.routines[caller].instructions[n].block)
                for caller, n in self.flow.callers(number)
            ]
            callers = [each for each in callers if each[1] in blocks.get(each[0], ())]
            if not callers:
                return True
            if number not in seen:
                seen.add(number)
                waiting += callers
        return False

    @cached_property
    def _looking(self) -> dict[int, set[int]]:
        """By routine that looks at words: the blocks that may be executed after that."""
        found: dict[int, set[int]] = {}
        for each in self.cases:
            if each.is_inner:
                continue
            seen = found.setdefault(each.routine, set())
            after = self.reachability.routes[each.routine]
            waiting = [each.block]
            while waiting:
                for block in after[waiting.pop()]:
                    if block not in seen:
                        seen.add(block)
                        waiting.append(block)
        return found

    def is_straight(self, routine: int, block: int, words: Sequence[str]) -> bool:
        """Whether nothing but these words decides whether code is executed."""
        deciding = {
            (each.routine, each.block) for each in self.cases if each.is_inner or each.surely_follows(words)
        }
        reading = {each.routine for each in self.cases if not each.is_inner}

        def is_sure(number: int, inside: int, seen: frozenset[int]) -> bool:
            if any((number, each) not in deciding for each in self.flow.deciders[number][inside]):
                return False
            if number in reading:
                return True
            return number not in seen and any(
                is_sure(caller, self.flow.program.routines[caller].instructions[n].block, seen | {number})
                for caller, n in self.flow.callers(number)
            )

        return is_sure(routine, block, frozenset())

    def _first_cases(self) -> Iterator[Case]:
        for routine in self.reachability.everything:
            names: dict[int, set[str]] = {}
            parsing: set[int] = set()
            for call in self.flow.calls[routine]:
                called = {*call.externals, *(self.flow.program.routines[n].name for n in call.callees)}
                if called & PARSERS:
                    parsing.add(call.position)
                    self._read_options(routine, call.position, names)
            if parsing:
                sources = Sources(self.flow.program.routines[routine])
                is_letter = partial(sources.are_made_by, frozenset(parsing))
                yield from self._letter_cases(routine, is_letter, names)
                for case in self._letter_cases(routine, sources.are_letters_of_words, {}):
                    yield case._replace(is_inner=True)
            if self.flow.program.routines[routine].name == MAIN:
                yield from self._compared(routine)

    def _read_options(self, routine: int, position: int, names: dict[int, set[str]]) -> None:
        program = self.flow.program
        operands = program.routines[routine].instructions[position].operands
        meaning = program.meaning(routine, operands[4]) if len(operands) > 4 else None
        if isinstance(meaning, GlobalRef):
            unit = program.units[program.unit_of_global[meaning.id]]
            for each in long_options(program.globals[meaning.id], {one.name: one for one in unit.globals}):
                names.setdefault(each.value, set()).add(f"--{each.name}")

    def _letter_cases(
        self,
        routine: int,
        is_letter: Callable[[int], bool],
        names: Mapping[int, Iterable[str]],
    ) -> Iterator[Case]:
        code = self.flow.program.routines[routine]
        for each in code.instructions:
            for number, value in _compared_with(code, each, is_letter):
                own = frozenset(chr(value) if 0 < value < 128 and chr(value) in LETTERS else "")
                longer = frozenset(names.get(value, ()))
                if own or longer:
                    yield Case(routine, each.block, number, own, longer, frozenset())

    def _inner_cases(self, routine: int) -> Iterator[Case]:
        """A word that was handed over is taken apart letter by letter."""
        called = {plain_name(name) for call in self.flow.calls[routine] for name in call.externals}
        if called & INPUT:
            return
        sources = Sources(self.flow.program.routines[routine])
        for each in self._letter_cases(routine, sources.are_letters_of_parameters, {}):
            yield each._replace(is_inner=True)

    def _compared(self, routine: int) -> Iterator[Case]:
        """`strcmp (argv[i], "--fast") == 0`."""
        program, code = self.flow.program, self.flow.program.routines[routine]
        calls: dict[int, str] = {}
        sources = Sources(code)
        for call in self.flow.calls[routine]:
            operands = code.instructions[call.position].operands[1:3]
            if not COMPARERS.isdisjoint(call.externals) and len(operands) == 2:
                meanings = [program.meaning(routine, operand) for operand in operands]
                texts = [program.globals[each.id].text for each in meanings if isinstance(each, GlobalRef)]
                if len(texts) == 1 and any(sources.are_arguments(operand) for operand in operands):
                    calls[code.parameters + call.position] = texts[0].rstrip("\0")
        for each in code.instructions:
            if each.kind is not Kind.BRANCH:
                continue
            number, operand = _zero_test(code, each.operands[0])
            if operand in calls:
                yield Case(routine, each.block, number, frozenset(), frozenset(), frozenset({calls[operand]}))


def _cut(case: Case) -> Cut:
    return case.routine, case.block, case.number


def _compared_with(
    code: Routine, each: Instruction, is_letter: Callable[[int], bool]
) -> Iterator[tuple[int, int]]:
    """Numbers of targets, with the value that leads there."""
    if each.kind is Kind.SWITCH and is_letter(each.operands[0]):
        yield from enumerate(each.cases, 1)
    elif each.kind is Kind.BRANCH:
        condition = instruction_of(code, each.operands[0])
        if condition is None or not condition.shape.startswith("icmp") or len(condition.operands) != 2:
            return
        words = condition.shape.split(" ")
        value = constant_of(code, condition.operands[1])
        if value is not None and ("eq" in words or "ne" in words) and is_letter(condition.operands[0]):
            yield 0 if "eq" in words else 1, value


def _zero_test(code: Routine, operand: int) -> tuple[int, int]:
    """Which target of a branch is taken if a value is 0, and the value."""
    number = 1
    while (each := instruction_of(code, operand)) is not None and each.kind is Kind.COMPUTE:
        words = each.shape.split(" ")
        if words[0] == "icmp" and len(each.operands) == 2 and constant_of(code, each.operands[1]) == 0:
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
