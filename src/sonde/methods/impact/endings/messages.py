"""Ends that a word of the command line asks for, and that only print: help, version, licence.

Whoever measures gives no such word: with it, the program does nothing. So it does not matter for hot code
whether there is such an end, or whether what it belongs to ends at all. An end that state leads to ("nothing
to do") is none of these, nor is one whose word an option spells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from sonde.core.code import Global, Kind, Routine
from sonde.methods.impact.endings.dead_ends import Ends, find_ends
from sonde.methods.impact.endings.outcomes import EXITS
from sonde.methods.impact.program.argument_readers import MAIN, argument_readers
from sonde.methods.impact.program.calls import Call, direct_calls
from sonde.methods.impact.program.command_words import PARSERS, CommandWords
from sonde.methods.impact.program.linking import Program
from sonde.methods.impact.program.work import PRINTS, TEXTS

FLUSHES = frozenset({"fflush", "fflush_unlocked", "fclose"})
MESSAGES = PRINTS | TEXTS | FLUSHES | EXITS.keys()


def find_unmeasured_ends(
    program: Program, routines: Iterable[int], words: Set[str]
) -> dict[int, frozenset[int]]:
    """Blocks of these routines that no measured run executes: dead ends, and those that only print.

    As far as direct calls show; what a pointer calls may do anything. `words` are those that options spell.
    """
    wanted = list(routines)
    if not wanted:
        return {}
    calls = direct_calls(program, wanted)
    ends = find_ends(program, calls)
    messengers = _messengers(program, calls)
    readers = argument_readers({each.name: each for each in program.routines})
    found = {}
    for number in wanted:
        routine = program.routines[number]
        is_reader = routine.name in readers or any(
            not PARSERS.isdisjoint(call.externals) for call in calls[number]
        )
        messages = frozenset[int]()
        if is_reader and (ends.final[number] or routine.name == MAIN):
            globals_ = {each.name: each for each in program.units[program.unit_of_routine[number]].globals}
            messages = _EndsOf(routine, calls[number], ends, number, messengers).blocks(globals_, words)
        found[number] = ends.dead_ends[number] | messages
    return found


def _messengers(program: Program, calls: Mapping[int, Sequence[Call]]) -> Mapping[int, bool]:
    """Routines that only print or look for texts, and whether they print; callees before callers."""
    callers: dict[int, list[int]] = {}
    for number, found in calls.items():
        for call in found:
            for callee in call.callees:
                callers.setdefault(callee, []).append(number)
    messengers: dict[int, bool] = {}
    waiting = list(calls)
    while waiting:
        number = waiting.pop()
        if number in messengers or not all(_is_message(each, messengers) for each in calls[number]):
            continue
        prints = {call.block for call in calls[number] if _prints(call, messengers)}
        if _loops_without(program.routines[number], prints):
            continue
        messengers[number] = bool(prints)
        waiting.extend(callers.get(number, ()))
    return messengers


def _is_message(call: Call, messengers: Mapping[int, bool]) -> bool:
    return (
        not call.is_unknown
        and not call.called_back
        and all(callee in messengers for callee in call.callees)
        and MESSAGES.issuperset(call.externals)
    )


def _prints(call: Call, messengers: Mapping[int, bool]) -> bool:
    return not PRINTS.isdisjoint(call.externals) or any(messengers.get(each) for each in call.callees)


def _loops_without(routine: Routine, prints: Set[int]) -> bool:
    """Whether there is a loop of blocks that do not print."""
    after = [
        () if block in prints else tuple(each for each in targets if each not in prints)
        for block, targets in enumerate(routine.routes)
    ]
    waits = [len(targets) for targets in after]
    before: list[list[int]] = [[] for _ in after]
    for block, targets in enumerate(after):
        for each in targets:
            before[each].append(block)
    done = [block for block, count in enumerate(waits) if not count]
    for block in done:  # grows: what only leads to blocks without a loop has none
        for each in before[block]:
            waits[each] -= 1
            if not waits[each]:
                done.append(each)
    return len(done) < len(after)


def _is_free(asked: Iterable[str] | None, words: Set[str]) -> bool:
    """Whether no word of an option is one that is asked for; letters may stand together, as in `-xf`."""
    if asked is None:
        return False
    for word in asked:
        for each in words:
            begin, _, value = each.partition("=")
            is_letter = len(word) == 2 and word[0] == "-" and each[:1] == "-" and each[:2] != "--"
            if word in (each, begin, f"{begin}=", value) or (is_letter and word[1] in each):
                return False
    return True


class _EndsOf:
    """The ends of one routine."""

    def __init__(
        self, routine: Routine, calls: Sequence[Call], ends: Ends, number: int, messengers: Mapping[int, bool]
    ) -> None:
        self.routine, self.messengers = routine, messengers
        self.calls: dict[int, list[Call]] = {}
        for call in calls:
            self.calls.setdefault(call.block, []).append(call)
        self.final, self.dead = ends.final[number], ends.dead_ends[number]
        self.after = routine.routes

    def blocks(self, globals_: Mapping[str, Global], words: Set[str]) -> frozenset[int]:
        """Those that words lead to which no option spells."""
        found = self._only_messages() - self.dead
        if not found:
            return frozenset()
        before: list[list[int]] = [[] for _ in self.after]
        for block, targets in enumerate(self.after):
            for each in targets:
                before[each].append(block)
        command = CommandWords(self.routine, globals_)
        prints = self._printing(found)
        while True:
            wrong = {
                block
                for block in found
                for each in before[block]
                if each not in found
                and not (block in prints and _is_free(command.leading(each, block), words))
            }
            wrong |= {block for block in found if not before[block]}
            if not wrong:
                return frozenset(found)
            found = self._leading_only_to(found - wrong)

    def _only_messages(self) -> set[int]:
        """Blocks that only print, and from which every way ends the program."""
        messages = {
            block
            for block in range(len(self.after))
            if all(_is_message(call, self.messengers) for call in self.calls.get(block, ()))
        }
        return self._leading_only_to(messages)

    def _leading_only_to(self, blocks: Set[int]) -> set[int]:
        """Those of these blocks from which every way ends the program without leaving them."""
        found: set[int] = set()
        while True:
            more = {
                block
                for block in blocks - found
                if block in self.final
                or self._returns_from_main(block)
                or (self.after[block] and all(self._ends(each, found) for each in self.after[block]))
            }
            if not more:
                return found
            found |= more

    def _ends(self, block: int, found: Set[int]) -> bool:
        return block in found or block in self.dead or self._is_bare_end(block)

    def _is_bare_end(self, block: int) -> bool:
        """Whether a block does nothing but end the program."""
        start, end = self.routine.blocks[block]
        if block in self.final:
            names = {name for call in self.calls.get(block, ()) for name in call.externals}
            return end - start <= 2 and names <= EXITS.keys()
        kinds = [each.kind for each in self.routine.instructions[start : end - 1]]
        return self._returns_from_main(block) and kinds in ([Kind.LOAD], [])

    def _returns_from_main(self, block: int) -> bool:
        _, end = self.routine.blocks[block]
        return self.routine.name == MAIN and self.routine.instructions[end - 1].kind is Kind.RETURN

    def _printing(self, found: Set[int]) -> set[int]:
        """Blocks from which every way prints."""
        prints = {
            block
            for block in found
            if any(_prints(call, self.messengers) for call in self.calls.get(block, ()))
        }
        while True:
            more = {
                block
                for block in found - prints
                if block not in self.final
                and self.after[block]
                and all(each in prints or each in self.dead for each in self.after[block])
            }
            if not more:
                return prints
            prints |= more
