"""Options whose variables a program sets anew where it has decided by them, and then asks again.

`if (fast) { fast = 0; if (!fast) ... }`: what is executed there in no configuration, if one variable has one
value, is executed if `fast` is chosen. `if (level < 0) level = 6;` is harmless: what comes behind it does not
depend on what was decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from sonde.core.code import Kind
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.presence.spaces import Presence

Spot = tuple[int, int, int]  # routine, block, and the first position in it that counts


def is_asked_again(flow: Flow, presence: Presence, option: int, reads: Set[int]) -> bool:
    """Whether an option, by its number in the domain, is read where an older value of it has decided."""
    asked = {(where.routine, where.index) for where in map(flow.where, reads) if where.kind == "value"}
    search = _Search(flow, presence, option, asked)
    spots = _looked_at(flow, presence, _writes(flow, reads))
    return search.finds([each for each in spots if search.is_decided(*each[:2])])


class _Search:
    def __init__(self, flow: Flow, presence: Presence, option: int, asked: Set[tuple[int, int]]) -> None:
        self.flow, self.presence, self.option, self.asked = flow, presence, option, asked
        self._known: dict[int, bool] = {}  # by set of configurations

    def is_decided(self, routine: int, block: int) -> bool:
        """Whether a block is executed for some values of the option only."""
        domain = self.presence.domain
        mask = self.presence.may_reach(routine, block)
        if mask not in self._known:
            self._known[mask] = domain.depends(mask, self.option, domain.all)
        return self._known[mask]

    def finds(self, spots: Iterable[Spot]) -> bool:
        """Whether the option is read after one of these spots, before what it decided is over."""
        seen: set[Spot] = set()
        waiting = list(spots)
        while waiting:
            spot = waiting.pop()
            if spot in seen:
                continue
            seen.add(spot)
            routine, block, start = spot
            code = self.flow.program.routines[routine]
            end = code.blocks[block][1]
            if any((routine, code.parameters + position) in self.asked for position in range(start, end)):
                return True
            waiting += [each for each in self._behind(*spot) if self.is_decided(*each[:2])]
        return False

    def _behind(self, routine: int, block: int, start: int) -> Iterator[Spot]:
        program = self.flow.program
        for call in self.flow.calls[routine]:
            if call.block == block and call.position >= start:
                for callee in (*call.callees, *call.called_back):
                    yield callee, 0, 0
        after = program.routines[routine].routes[block]
        for target in after:
            yield routine, target, program.routines[routine].blocks[target][0]
        if not after:
            for caller, position in self.flow.callers(routine):
                yield caller, program.routines[caller].instructions[position].block, position + 1


def _looked_at(flow: Flow, presence: Presence, spots: Iterable[Spot]) -> Iterator[Spot]:
    """The spots; for those in routines of which nothing is known, what comes after calls of these."""
    waiting = list(spots)
    seen: set[int] = set()
    while waiting:
        spot = waiting.pop()
        routine = spot[0]
        if routine in presence.wanted:
            yield spot
        elif routine not in seen:
            seen.add(routine)
            for caller, position in flow.callers(routine):
                block = flow.program.routines[caller].instructions[position].block
                waiting.append((caller, block, position + 1))


def _writes(flow: Flow, reads: Set[int]) -> Iterator[Spot]:
    """What comes right after each instruction that may write what is read."""
    program, first_cell = flow.program, flow.numbering.first_cell
    seen = set(reads)
    waiting = list(reads)
    while waiting:
        node = waiting.pop()
        for before, _, _ in flow.predecessors(node):
            if before in seen:
                continue
            seen.add(before)
            if before >= first_cell:
                waiting.append(before)
            where = flow.where(before)
            if where.kind != "value":
                continue
            code = program.routines[where.routine]
            position = where.index - code.parameters
            if position >= 0 and code.instructions[position].kind in (Kind.STORE, Kind.CALL):
                yield where.routine, code.instructions[position].block, position + 1
