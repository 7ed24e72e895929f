"""Which code may be executed after which: a store cannot be seen by a load that is over by then.

After an instruction come: the rest of its routine; what is called there, and below; and the same for whoever
called the routine, from the call on. Contexts matter in this direction only, so that a call of a common
routine does not lead back to its other callers. Signal handlers, threads and what runs at exit come at any
time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from sonde.core.code import Kind
from sonde.methods.impact.program.calls import Call
from sonde.methods.impact.program.linking import Program

# These call back while they run, and not later.
AT_ONCE = frozenset(
    {"qsort", "qsort_r", "bsearch", "lfind", "lsearch", "tsearch", "tfind", "tdelete", "twalk", "scandir"}
    | {"ftw", "nftw", "pthread_once", "call_once"}
)
JUMPS = frozenset({"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"})


class Order:
    """Answers what may follow what in a program; sets of routines and blocks are bits."""

    def __init__(
        self, program: Program, calls: Sequence[Sequence[Call]], routes: Sequence[Sequence[Sequence[int]]]
    ) -> None:
        self.program, self.calls, self.routes = program, calls, routes
        self.everything = (1 << len(program.routines)) - 1
        self._later: dict[int, list[int]] = {}
        self._entered: dict[tuple[int, int, bool], int] = {}
        self._passed: dict[tuple[int, int], list[tuple[int, int]]] = {}

    @property
    def has_jumps(self) -> bool:
        """Whether control may go where no call and no branch leads: then this order does not hold."""
        return any(not JUMPS.isdisjoint(call.externals) for found in self.calls for call in found)

    def after(self, routine: int, position: int, is_call: bool) -> int:
        """Routines that may be entered after an instruction, or by itself if it is a call."""
        return self.entered(routine, position, is_call) | self._above[routine] | self.any_time

    def entered(self, routine: int, position: int, is_included: bool) -> int:
        """Routines that are entered after an instruction until its routine returns."""
        key = routine, position, is_included
        found = self._entered.get(key)
        if found is None:
            block = self.program.routines[routine].instructions[position].block if position >= 0 else 0
            later = self.later(routine)[block]
            found = 0
            for call in self.calls[routine]:
                if later >> call.block & 1 or (
                    call.block == block
                    and (call.position > position or (is_included and call.position == position))
                ):
                    for callee in (*call.callees, *call.called_back):
                        found |= self.below[callee]
            self._entered[key] = found
        return found

    def may_follow(self, routine: int, position: int, other: int, other_position: int) -> bool:
        """Whether an instruction may come after another, if its routine is not entered again."""
        if other_position < 0:
            return True
        block = self.program.routines[other].instructions[other_position].block
        if routine == other:
            own = self.program.routines[routine].instructions[position].block if position >= 0 else 0
            if self.later(routine)[own] >> block & 1 or (own == block and other_position > position):
                return True
        return any(
            self.later(other)[site_block] >> block & 1 or (site_block == block and other_position >= site)
            for site, site_block in self._sites(other, routine)
        )

    def _sites(self, caller: int, routine: int) -> list[tuple[int, int]]:
        """Calls in a routine that lead to another one: position and block."""
        key = caller, routine
        found = self._passed.get(key)
        if found is None:
            found = self._passed[key] = [
                (call.position, call.block)
                for call in self.calls[caller]
                if any(self.below[callee] >> routine & 1 for callee in (*call.callees, *call.called_back))
            ]
        return found

    def later(self, routine: int) -> list[int]:
        """For each block those that control may go to from its end."""
        found = self._later.get(routine)
        if found is None:
            after = self.routes[routine]
            found = [0] * len(after)
            changed = True
            while changed:
                changed = False
                for block in range(len(after) - 1, -1, -1):
                    joined = found[block]
                    for each in after[block]:
                        joined |= 1 << each | found[each]
                    if joined != found[block]:
                        found[block] = joined
                        changed = True
            self._later[routine] = found
        return found

    @cached_property
    def below(self) -> list[int]:
        """For each routine itself and all that it may call, at any depth."""
        found = [1 << number for number in range(len(self.calls))]
        changed = True
        while changed:
            changed = False
            for number in range(len(found) - 1, -1, -1):
                joined = found[number]
                for call in self.calls[number]:
                    for callee in (*call.callees, *call.called_back):
                        joined |= found[callee]
                if joined != found[number]:
                    found[number] = joined
                    changed = True
        return found

    @cached_property
    def any_time(self) -> int:
        found = 0
        for routine in self.program.shutdown:
            found |= self.below[routine]
        for calls in self.calls:
            for call in calls:
                if call.called_back and not AT_ONCE.issuperset(call.externals):
                    for routine in call.called_back:
                        found |= self.below[routine]
        return found

    @cached_property
    def _above(self) -> list[int]:
        """For each routine what may be entered after it has returned."""
        callers: list[list[tuple[int, int, bool]]] = [[] for _ in self.calls]
        for number, calls in enumerate(self.calls):
            for call in calls:
                for callee in call.callees:
                    callers[callee].append((number, call.position, False))
                for callee in call.called_back:
                    callers[callee].append((number, call.position, True))
        found = [0] * len(self.calls)
        waiting = []
        for number, routine in enumerate(self.program.routines):
            if self.any_time >> number & 1 or (not callers[number] and routine.name != "main"):
                found[number] = self.everything
            for caller, position, is_included in callers[number]:
                found[number] |= self.entered(caller, position, is_included)
            waiting.append(number)
        callees = [
            {each for call in calls for each in (*call.callees, *call.called_back)} for calls in self.calls
        ]
        while waiting:
            number = waiting.pop()
            for callee in callees[number]:
                if found[number] & ~found[callee]:
                    found[callee] |= found[number]
                    waiting.append(callee)
        return found


def is_call(program: Program, routine: int, position: int) -> bool:
    """Whether an instruction is a CALL."""
    return position >= 0 and program.routines[routine].instructions[position].kind is Kind.CALL
