"""What the variables of options hold in a configuration, as far as the reading of the command line tells.

A value of an option has its words, and code that needs these words stores what the variable then holds.
Without them it holds what it held before. What is stored later, by code that decides by options itself, is
told apart (`LateStore`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sonde.core.code import Kind
from sonde.methods.impact.command_line.words import Blocks, CommandLine
from sonde.methods.impact.constants import KnownConstant
from sonde.methods.impact.contents.memory import Contents, UnknownContent, Write
from sonde.methods.impact.contents.parsed_numbers import ParsedNumbers
from sonde.methods.impact.contents.silent_flags import silent_cuts
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.flow.overwriting import CellStore
from sonde.methods.impact.options.variables import Choice
from sonde.methods.impact.reach.reachable import Cut


class LateStore(NamedTuple):
    """Code that stores something in an option's variable after the command line was read."""

    number: KnownConstant
    routine: int
    block: int


@dataclass(frozen=True)
class OptionContents:
    """What the variable of an option holds in each of its choices."""

    numbers: tuple[frozenset[KnownConstant], ...]  # one of these, for each choice
    later: tuple[LateStore, ...]
    by_others: tuple[
        tuple[int, int, KnownConstant], ...
    ]  # another option, its choice, and what it stores here

    @property
    def all_numbers(self) -> frozenset[KnownConstant]:
        """All that it may hold."""
        return frozenset[KnownConstant]().union(
            *self.numbers, (each.number for each in self.later), (each[2] for each in self.by_others)
        )


@dataclass(frozen=True)
class Choosing:
    """Answers for one program and its options."""

    flow: Flow
    line: CommandLine
    choices: Sequence[Sequence[Choice]]  # of each option
    fixed: tuple[str, ...] | None  # words of every run; None: there may be any

    def holding(self, option: int, reads: Sequence[Set[int]], leading: Set[int]) -> OptionContents | None:
        """What an option's variables hold, each of which some nodes read; None if that is not known.

        Reads in other routines than `leading` do not count. Several variables have to hold the same.
        """
        if len(self.choices[option]) < 2 or not self.line.cases:
            return None
        everything = frozenset[int]().union(*reads)
        found = [self._held_by(option, each, everything, leading) for each in reads]
        first = found[0] if found else None
        if first is None or any(each is None or each.numbers != first.numbers for each in found):
            return None
        later = dict.fromkeys(each for one in found if one for each in one.later)
        others = dict.fromkeys(each for one in found if one for each in one.by_others)
        return OptionContents(first.numbers, tuple(later), tuple(others))

    def _held_by(
        self, option: int, reads: Set[int], everything: Set[int], leading: Set[int]
    ) -> OptionContents | None:
        cells = self._cells(reads, leading)
        if not cells:
            return None
        try:
            first, writes = self._contents.written(cells, everything)
        except UnknownContent:
            return None
        return self._held(option, first, writes)

    def _held(self, option: int, first: Set[KnownConstant], writes: Sequence[Write]) -> OptionContents | None:
        early, later, others = (
            list[KnownConstant](),
            list[LateStore](),
            list[tuple[int, int, KnownConstant]](),
        )
        own: list[list[Write]] = [[] for _ in self.choices[option]]
        for each in dict.fromkeys(writes):
            if self._is_in(self._always, each):
                if self.line.is_later(each.routine, each.block, self._always):
                    later.append(LateStore(each.number, each.routine, each.block))
                else:
                    early.append(each.number)
                continue
            makers = [
                (other, number)
                for other, choices in enumerate(self.choices)
                for number, choice in enumerate(choices)
                if choice.words
                and each.words in ((), choice.words)
                and self._is_in(self._with(other, number), each)
            ]
            if not makers and self._is_in(self._with_all, each):
                later.append(LateStore(each.number, each.routine, each.block))
            for other, number in makers:
                if other == option:
                    own[number].append(each)
                else:
                    others.append((other, number, each.number))
        before = {*first, *early}
        numbers = []
        for choice, mine in zip(self.choices[option], own, strict=True):
            if choice.words and not mine and not self._are_read(choice.words):
                return None
            is_sure = any(
                each.is_sure and self.line.is_straight(each.routine, each.block, choice.words)
                for each in mine
            )
            numbers.append(frozenset(each.number for each in mine) | (set() if is_sure else before))
        if len(set(numbers)) == 1:
            return None
        return OptionContents(tuple(numbers), tuple(later), tuple(dict.fromkeys(others)))

    def _are_read(self, words: Sequence[str]) -> bool:
        """Whether it is seen where the program looks for these words: what it does then is known."""
        cases = [each for each in self.line.cases if not each.is_inner]
        spelled = [word for word in words if word.startswith("-")]
        return bool(spelled) and all(any(each.surely_follows([word]) for each in cases) for word in spelled)

    @staticmethod
    def _is_in(blocks: Blocks, write: Write) -> bool:
        return write.block in blocks.get(write.routine, ())

    @cached_property
    def _contents(self) -> Contents:
        return Contents(self.flow, self._with_all, self._parsed)

    @cached_property
    def _parsed(self) -> ParsedNumbers | None:
        """Numbers in the words of options; nothing if other words may be given."""
        if self.fixed is None:
            return None
        words = [choice.words for choices in self.choices for choice in choices]
        known: dict[Sequence[str], Blocks] = {}

        def executed(given: Sequence[str]) -> Blocks:
            if given not in known:
                known[given] = self.line.executed((*(self.fixed or ()), *given))
            return known[given]

        return ParsedNumbers(self.flow, list(dict.fromkeys(words)), executed)

    @cached_property
    def _modelled(self) -> tuple[str, ...]:
        return tuple(word for choices in self.choices for choice in choices for word in choice.words)

    def _executed(self, words: Iterable[str]) -> Blocks:
        given = (*(self.fixed or ()), *words)
        if self.fixed is None:
            return self.line.executed(given, self._modelled)
        return self.line.executed(given, None, self._silent)

    @cached_property
    def never(self) -> tuple[Cut, ...]:
        """What is chosen in no configuration at all; nothing if other words may be given."""
        if self.fixed is None:
            return ()
        return (*self.line.cuts((*self.fixed, *self._modelled)), *self._silent)

    @cached_property
    def _silent(self) -> tuple[Cut, ...]:
        """What is never chosen, as a flag that only other words set stays what it was."""
        if self.fixed is None:
            return ()
        executed = self.line.executed((*self.fixed, *self._modelled))
        return tuple(silent_cuts(Contents(self.flow, executed, self._parsed)))

    def replaced(self, stores: Sequence[CellStore]) -> list[CellStore]:
        """Where a cell is surely overwritten, as some option has words in each choice that let it be stored.

        `stores` surely overwrite it where they are executed. It is behind the loop that looks at the words.
        """
        if self.fixed is None or not any(self._is_always_stored(choices, stores) for choices in self.choices):
            return []
        starts = [
            (routine, self.flow.program.routines[routine].blocks[block][0])
            for routine, block in self.line.behind()
        ]
        size = min(each.size for each in stores)
        return [CellStore(routine, position, size, is_first=True) for routine, position in starts]

    def _is_always_stored(self, choices: Sequence[Choice], stores: Sequence[CellStore]) -> bool:
        code = self.flow.program.routines
        blocks = [(each.routine, code[each.routine].instructions[each.position].block) for each in stores]
        return bool(choices) and all(
            choice.words and any(self.line.is_straight(*block, choice.words) for block in blocks)
            for choice in choices
        )

    def without(self, option: int) -> Blocks:
        """What may be executed if none of an option's words is given, but any others are."""
        own = [word for choice in self.choices[option] for word in choice.words]
        others = [
            word
            for number, choices in enumerate(self.choices)
            for choice in choices
            for word in choice.words
            if number != option
        ]
        return self.line.executed((*(self.fixed or ()), *others), own)

    def told_apart(self, option: int) -> dict[int, Set[int]]:
        """The blocks that are executed with the words of some choices of an option, and not of others."""
        words = [choice.words for choice in self.choices[option]]
        own = [word for each in words for word in each]
        others = [
            word for n, each in enumerate(self.choices) if n != option for one in each for word in one.words
        ]
        given = (*(self.fixed or ()), *others)
        found = [self.line.executed((*given, *each), own) for each in dict.fromkeys(words)]
        return {
            routine: some
            for routine in {routine for each in found for routine in each}
            if (some := _some_but_not_all([each.get(routine, frozenset()) for each in found]))
        }

    @property
    def executed_at_all(self) -> Blocks:
        """What may be executed in some configuration."""
        return self._with_all

    @cached_property
    def _always(self) -> Blocks:
        return self._executed(())

    @cached_property
    def _with_all(self) -> Blocks:
        return self._executed(self._modelled)

    @cached_property
    def _kept(self) -> dict[tuple[str, ...], Blocks]:
        return {}

    def _with(self, option: int, number: int) -> Blocks:
        words = self.choices[option][number].words
        if words not in self._kept:
            self._kept[words] = self._executed(words)
        return self._kept[words]

    def _cells(self, reads: Set[int], leading: Set[int]) -> set[int]:
        """The memory that is read; nothing if something else is read, too."""
        flow, memory = self.flow, self.flow.memory
        found: set[int] = set()
        for node in reads:
            where = flow.where(node)
            if where.kind == "cell":
                found.add(where.index)
                continue
            if where.kind != "value":
                return set()
            if where.routine not in leading:
                continue
            code = flow.program.routines[where.routine]
            position = where.index - code.parameters
            if position < 0 or code.instructions[position].kind is not Kind.LOAD:
                return set()
            found.update(memory.pointees(where.routine, code.instructions[position].operands[0]))
        return found


def _some_but_not_all(sets: Sequence[Set[int]]) -> frozenset[int]:
    """What is in some of these sets, and not in others."""
    return frozenset[int]().union(*sets) - frozenset(sets[0]).intersection(*sets)
