"""What the words of a command line let a program execute: the code behind a case needs its words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from sonde.methods.impact.command_line.cases import WordCase, find_cases
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.program.block_routes import reached_from
from sonde.methods.impact.reach.reachable import Cut, Reachability

Blocks = Mapping[int, Set[int]]


@dataclass(frozen=True)
class CommandLine:
    """How a program takes its command line apart."""

    flow: Flow
    reachability: Reachability

    @cached_property
    def cases(self) -> tuple[WordCase, ...]:
        """All ways out of blocks that need a word."""
        return find_cases(self.flow, self.reachability)

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

    def behind(self) -> list[tuple[int, int]]:
        """The blocks to which control goes on, with their routine, where the loop that looks at words ends.

        Nothing if words are looked at in several places: some are left to be read behind one of them then.
        """
        looking = {(each.routine, each.block) for each in self.cases if not each.is_inner}
        routines = {routine for routine, _ in looking}
        if len(routines) != 1:
            return []
        (routine,) = routines
        after = self.reachability.routes[routine]
        reached = {block: reached_from(after, after[block]) for _, block in looking}
        if any(not reached.keys() <= each for each in reached.values()):
            return []
        first = next(iter(reached))
        inside = {block for block in reached[first] if first in reached_from(after, [block])}
        return [(routine, target) for block in inside for target in after[block] if target not in inside]

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


def _cut(case: WordCase) -> Cut:
    return case.routine, case.block, case.number
