"""Decisions that the words of a command line take.

`getopt` gives the letter of an option that was given, and `strcmp (argv[i], "--fast")` is 0 if that word was.
So without the word the code behind such a case is not executed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import partial
from string import ascii_letters, digits
from typing import NamedTuple

from sonde.core.code import Instruction, Kind, Routine
from sonde.methods.impact.command_line.comparisons import Comparisons
from sonde.methods.impact.command_line.handed_texts import HandedTexts
from sonde.methods.impact.command_line.letters import LettersOfWords
from sonde.methods.impact.command_line.rows import OptionRows
from sonde.methods.impact.constants import number_of
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.program.command_words import PARSERS
from sonde.methods.impact.program.linking import GlobalRef
from sonde.methods.impact.program.option_tables import LongOptions, rows_of, rows_of_local
from sonde.methods.impact.reach.by_values_and_decisions import INPUT, plain_name
from sonde.methods.impact.reach.reachable import Reachability
from sonde.methods.impact.ways.finding import MAIN
from sonde.methods.impact.ways.value_sources import ValueSources, instruction_of

LONG_WITH_ONE_DASH = "getopt_long_only"
LETTERS = frozenset(ascii_letters + digits + "+-")


class WordCase(NamedTuple):
    """A way out of a block that is taken only if one of some words is given."""

    routine: int
    block: int
    number: int  # of the target
    letters: frozenset[str]  # of options such as `-l`
    names: frozenset[str]  # of options such as `--lines`, with the dashes
    texts: frozenset[str]  # words that are compared as a whole, or in part
    is_inner: bool = False  # letters of words that were taken apart: each of a word's letters may count
    is_spelled: bool = False  # letters that are looked for in words with a dash, wherever they stand there
    has_other_names: bool = False  # whether any other word with two dashes may lead there, too

    def may_follow(self, words: Iterable[str]) -> bool:
        """Whether it may be taken if these words are given."""
        return any(
            (not self.is_inner and self._is_named(word))
            or any(text in word for text in self.texts)
            or (self.is_inner and not self.letters.isdisjoint(word))
            for word in words
        )

    def _is_named(self, word: str) -> bool:
        if self.is_spelled:
            return word[:1] == "-" and not self.letters.isdisjoint(word[1:])
        begin = word.partition("=")[0]
        if self.has_other_names and begin.startswith("-") and len(begin) > 2:
            return True
        if len(begin) > 1 and any(name.startswith(begin) for name in self.names):
            return True
        return word[:1] == "-" and word[1:2] != "-" and not self.letters.isdisjoint(word[1:])

    def surely_follows(self, words: Iterable[str]) -> bool:
        """Whether one of the words is all that it needs."""
        return any(
            (word[:1] == "-" and word[1:2] in self.letters)
            or word.partition("=")[0] in self.names
            or word in self.texts
            for word in words
        )


def find_cases(flow: Flow, reachability: Reachability) -> tuple[WordCase, ...]:
    """All ways out of blocks of a program that are taken only if one of some words is given."""
    return _Finding(flow, reachability).all()


@dataclass(frozen=True)
class _Finding:
    flow: Flow
    reachability: Reachability

    def all(self) -> tuple[WordCase, ...]:
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
        return (*first, *inner, *self._row_cases({(each.routine, each.block) for each in first}))

    def _row_cases(self, known: Set[tuple[int, int]]) -> Iterator[WordCase]:
        """A number that stands beside words in a table of the program; see `rows`."""
        rows = OptionRows(self.flow)
        if not rows.tables:
            return
        for routine, blocks in self.reachability.everything.items():
            code = self.flow.program.routines[routine]
            for each in code.instructions:
                if each.kind is not Kind.SWITCH or each.block not in blocks or (routine, each.block) in known:
                    continue
                words = rows.words(routine, each.operands[0]) if each.operands[0] >= 0 else {}
                for number, value in enumerate(each.cases, 1):
                    if value in words:
                        texts = frozenset(text for row in words[value] for text in row.texts)
                        letters = frozenset(letter for row in words[value] for letter in row.letters)
                        names = frozenset(f"--{text}" for text in texts)
                        yield WordCase(routine, each.block, number, letters, names, texts)

    def _first_cases(self) -> Iterator[WordCase]:
        for routine in self.reachability.everything:
            names: dict[int, set[str]] = {}
            parsing: set[int] = set()
            are_known = True
            for call in self.flow.calls[routine]:
                called = {*call.externals, *(self.flow.program.routines[n].name for n in call.callees)}
                if called & PARSERS:
                    parsing.add(call.position)
                    dashes = ("--", "-") if LONG_WITH_ONE_DASH in called else ("--",)
                    table = self._read_options(routine, call.position)
                    are_known &= table.is_complete
                    for each in table.rows:
                        names.setdefault(each.value, set()).update(begin + each.name for begin in dashes)
            if parsing:
                sources = self._sources(routine)
                is_letter = partial(sources.are_made_by, frozenset(parsing))
                for case in self._letter_cases(routine, is_letter, names):
                    yield case._replace(has_other_names=not are_known)
                for case in self._letter_cases(routine, sources.are_letters_of_words, {}):
                    yield case._replace(is_inner=True)
            if self.flow.program.routines[routine].name == MAIN:
                yield from self._own_letters(routine)
            for block, number, text in Comparisons(self.flow, routine).all():
                yield WordCase(routine, block, number, frozenset(), frozenset(), frozenset({text}))

    def _read_options(self, routine: int, position: int) -> LongOptions:
        """The table of a call of getopt_long."""
        program = self.flow.program
        code = program.routines[routine]
        operands = code.instructions[position].operands
        if len(operands) <= 4 or number_of(code, operands[4]) == 0:
            return LongOptions()
        meaning = program.meaning(routine, operands[4])
        unit = program.unit_of_routine[routine]
        if isinstance(meaning, GlobalRef):
            unit = program.unit_of_global[meaning.id]
        globals_ = {each.name: each for each in program.units[unit].globals}
        if isinstance(meaning, GlobalRef):
            return rows_of(program.globals[meaning.id], globals_)
        return rows_of_local(code, operands[4], globals_)

    def _letter_cases(
        self,
        routine: int,
        is_letter: Callable[[int], bool],
        names: Mapping[int, Iterable[str]],
    ) -> Iterator[WordCase]:
        code = self.flow.program.routines[routine]
        for each in code.instructions:
            for number, value in _compared_with(code, each, is_letter):
                own = frozenset(chr(value) if 0 < value < 128 and chr(value) in LETTERS else "")
                longer = frozenset(names.get(value, ()))
                if own or longer:
                    yield WordCase(routine, each.block, number, own, longer, frozenset())

    def _sources(self, routine: int) -> ValueSources:
        return ValueSources(self.flow.program.routines[routine], self.flow.definitions[routine])

    def _own_letters(self, routine: int) -> Iterator[WordCase]:
        """`switch (argv[i][1])`."""
        code = self.flow.program.routines[routine]
        letters = LettersOfWords(code, self.flow.definitions[routine])
        for each in code.instructions:
            for number, value in _compared_with(code, each, letters.is_letter):
                if not 0 < value < 128 or chr(value) not in LETTERS:
                    continue
                own = frozenset(chr(value))
                if letters.needs_dash(_asked(code, each), each.block):
                    yield WordCase(
                        routine, each.block, number, own, frozenset(), frozenset(), is_spelled=True
                    )
                else:
                    yield WordCase(routine, each.block, number, frozenset(), frozenset(), own)

    def _inner_cases(self, routine: int) -> Iterator[WordCase]:
        """A word that was handed over is taken apart letter by letter."""
        called = {plain_name(name) for call in self.flow.calls[routine] for name in call.externals}
        if called & INPUT:
            return
        sources = self._sources(routine)

        def is_letter(operand: int) -> bool:
            given = sources.letters_of_parameters(operand)
            return bool(given) and not any(
                HandedTexts(self.flow, caller).are_others(position, parameter)
                for caller, position in self.flow.callers(routine)
                for parameter in given
            )

        for each in self._letter_cases(routine, is_letter, {}):
            yield each._replace(is_inner=True)


def _asked(code: Routine, each: Instruction) -> int:
    """The value that a decision is about."""
    condition = instruction_of(code, each.operands[0]) if each.kind is Kind.BRANCH else None
    return condition.operands[0] if condition is not None else each.operands[0]


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
        value = number_of(code, condition.operands[1])
        if isinstance(value, int) and ("eq" in words or "ne" in words) and is_letter(condition.operands[0]):
            yield 0 if "eq" in words else 1, value
