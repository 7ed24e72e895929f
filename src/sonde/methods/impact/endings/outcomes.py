"""How calls and routines end that never return: by failure, by success, or as a parameter says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

from sonde.core.code import Kind, Routine
from sonde.methods.impact.constants import is_failure, number_of
from sonde.methods.impact.library.models import effect_of
from sonde.methods.impact.program.block_routes import reached_from
from sonde.methods.impact.program.calls import THROWS, Call
from sonde.methods.impact.program.linking import Program
from sonde.methods.impact.program.work import message_calls, only_prints, working_routines

# With the argument that is the status, if there is one; the others that never return are failures.
EXITS: Mapping[str, int] = {
    "exit": 0,
    "_exit": 0,
    "_Exit": 0,
    "quick_exit": 0,
    "error": 0,
    "error_at_line": 0,
    "err": 0,
    "errx": 0,
    "verr": 0,
    "verrx": 0,
}
NO_FAILURES = THROWS | {"pthread_exit", "thrd_exit", "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"}
STOPS_ON_STATUS = frozenset({"error", "error_at_line"})  # these return if the status is 0


class Outcome(IntEnum):
    """How something that never returns ends; a number from 0 on: its parameter with that number says how."""

    FAILS = -1
    WORKS = -2


class RoutineOutcomes:
    """The outcomes of the routines whose calls are given, and those of all that they call."""

    def __init__(self, program: Program, calls: Mapping[int, Sequence[Call]]) -> None:
        self.program, self.calls = program, calls
        self.busy = working_routines(program, calls)
        self.routes = {number: program.routines[number].routes for number in calls}
        self.of_routine: dict[int, int] = {}  # of routines that never return
        self.never_return = frozenset().union(*(each.never_return for each in program.units))
        self.callers: dict[int, list[int]] = {}
        for number, each in calls.items():
            for call in each:
                for callee in call.callees:
                    self.callers.setdefault(callee, []).append(number)
        self.ending = {number: self._may_end(number) for number in calls}
        self._settle()

    def _may_end(self, number: int) -> list[Call]:
        """The calls of a routine that may be ends: all but those of library functions that return."""
        instructions = self.program.routines[number].instructions
        return [
            call
            for call in self.calls[number]
            if all(self._ends(name) for name in call.externals) and not instructions[call.position].targets
        ]

    def _ends(self, name: str) -> bool:
        """Whether a library function may be an end."""
        return (
            name in EXITS or name in NO_FAILURES or name in self.never_return or effect_of(name).never_returns
        )

    def _settle(self) -> None:
        """Finds the routines that never return, callers after callees."""
        waiting = list(self.calls)
        rounds: dict[int, int] = {}
        while waiting:
            number = waiting.pop()
            outcome = self._outcome(number)
            if outcome is None or self.of_routine.get(number) == outcome:
                continue
            rounds[number] = rounds.get(number, 0) + 1
            if rounds[number] > 4:  # routines that call each other: the cautious answer
                outcome = Outcome.WORKS
                if self.of_routine[number] == outcome:
                    continue
            self.of_routine[number] = outcome
            waiting.extend(self.callers.get(number, ()))

    def _outcome(self, number: int) -> int | None:
        """How a routine ends, or None if it may return."""
        routine = self.program.routines[number]
        final = self.final(number)
        if not final and routine.returning:
            return None
        after = [() if block in final else each for block, each in enumerate(self.routes[number])]
        reached = reached_from(after, [0])
        if any(block in reached and block not in final for block in routine.returning):
            return None
        outcomes = {final[block] for block in reached if block in final}
        if not outcomes:
            return Outcome.WORKS
        outcomes.discard(Outcome.FAILS)
        outcome = outcomes.pop() if outcomes else Outcome.FAILS
        if outcome >= 0:  # what matters is what it does if the status says failure
            reached = reached_from(_if_not_zero(routine, outcome, after), [0])
        is_working = self.working_loops(number, reached, after) or self.working_blocks(number, reached)
        return Outcome.WORKS if outcomes or is_working else outcome

    def working_loops(self, number: int, reached: set[int], after: Sequence[Sequence[int]]) -> set[int]:
        """Blocks of loops that call routines which return, or that do more than print: work is done there."""
        looping = {block for block in reached if after[block] and block in reached_from(after, after[block])}
        if not looping:
            return looping
        calls = [call for call in self.calls[number] if call.block in looping]
        if not only_prints(calls):
            return looping
        return {call.block for call in calls if any(callee not in self.of_routine for callee in call.callees)}

    def working_blocks(self, number: int, blocks: set[int]) -> set[int]:
        """Those of these blocks that call something which works; what makes up a message does not."""
        found = [
            call
            for call in self.calls[number]
            if call.block in blocks
            and (call.is_unknown or not self.busy.isdisjoint((*call.callees, *call.called_back)))
            and any(callee not in self.of_routine for callee in call.callees or (-1,))
        ]
        if not found:
            return set()
        messages = message_calls(self.program.routines[number], found)
        return {call.block for call in found if call.position not in messages}

    def final(self, number: int) -> dict[int, int]:
        """Blocks after which nothing comes, with the way they end."""
        found: dict[int, int] = {}
        for block in sorted(self.program.routines[number].stopping):
            found[block] = Outcome.FAILS  # unless a call tells more
        for call in self.ending[number]:
            outcome = self._outcome_of_call(number, call, call.block in found)
            if outcome is not None:
                found[call.block] = outcome
            elif call.is_unknown and call.block in found:
                found[call.block] = Outcome.WORKS
        return found

    def _outcome_of_call(self, number: int, call: Call, is_before_stop: bool) -> int | None:
        """How a call ends that never returns; None if it may return."""
        outcomes: set[int] = set()
        for callee in call.callees:
            if callee not in self.of_routine:
                return None
            outcomes.add(self._status(number, call, self.of_routine[callee]))
        for name in call.externals:
            if name in EXITS:
                status = self._status(number, call, EXITS[name])
                if name in STOPS_ON_STATUS and status != Outcome.FAILS and not is_before_stop:
                    return None
                outcomes.add(status)
            elif name in NO_FAILURES:
                outcomes.add(Outcome.WORKS)
            else:
                outcomes.add(Outcome.FAILS)
        if not outcomes:
            return None
        return outcomes.pop() if len(outcomes) == 1 else Outcome.WORKS

    def _status(self, number: int, call: Call, outcome: int) -> int:
        """What an outcome that depends on a parameter is for these arguments."""
        if outcome < 0:
            return outcome
        routine = self.program.routines[number]
        arguments = routine.instructions[call.position].operands[1:]
        if outcome >= len(arguments):
            return Outcome.WORKS
        return _meaning(routine, arguments[outcome])


def _meaning(routine: Routine, operand: int) -> int:
    """What this status says: FAILS if it is a constant other than 0, a parameter's number, else WORKS."""
    if operand < 0:
        return Outcome.FAILS if is_failure(number_of(routine, operand)) else Outcome.WORKS
    if operand < routine.parameters:
        return operand
    instruction = routine.instructions[operand - routine.parameters]
    if instruction.kind is not Kind.LOAD:
        return Outcome.WORKS
    stored = {
        each.operands[1]
        for each in routine.instructions
        if each.kind is Kind.STORE and each.operands[0] == instruction.operands[0]
    }
    value = stored.pop() if len(stored) == 1 else -1
    return value if 0 <= value < routine.parameters else Outcome.WORKS


def _if_not_zero(routine: Routine, parameter: int, after: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """Where blocks may go if a parameter is not 0."""
    found = list(after)
    for block, (_, end) in enumerate(routine.blocks):
        last = routine.instructions[end - 1] if after[block] else None
        if last is None or last.kind is not Kind.BRANCH or last.operands[0] < routine.parameters:
            continue
        condition = routine.instructions[last.operands[0] - routine.parameters]
        operation = condition.shape.split()[:2]
        if operation not in (["icmp", "ne"], ["icmp", "eq"]) or len(condition.operands) != 2:
            continue
        value, zero = condition.operands
        if number_of(routine, zero) == 0 and value >= 0 and _meaning(routine, value) == parameter:
            found[block] = last.targets[:1] if operation[1] == "ne" else last.targets[1:]
    return found
