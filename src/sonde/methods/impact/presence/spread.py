"""How configurations spread through a program: constants are propagated in all of them at once.

A routine is gone on with where more becomes known of it: what it is given, what its calls give back, in which
configurations it is called. What is known only grows, so that nothing has to begin again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from heapq import heappop, heappush

from sonde.core.code import DECIDING, Instruction, Kind
from sonde.methods.impact.constants import UNKNOWN, RoutineAddress, Unknown, chosen
from sonde.methods.impact.presence.routines import Entering, Routines
from sonde.methods.impact.presence.value_tables import Table, computed, joined, tells_more, within
from sonde.methods.impact.presence.variables import NOTHING, grown_variables, kept_variables

MOST_ROUNDS = 200  # through one block or routine; then anything is taken to be possible there
LOAD, STORE, COMPUTE, PHI = Kind.LOAD, Kind.STORE, Kind.COMPUTE, Kind.PHI
CALL, RETURN = Kind.CALL, Kind.RETURN


@dataclass
class KnownRoutine:
    """What is known of a routine so far."""

    entry: int = 0  # configurations in which it may be called
    parameters: dict[int, Table] = field(default_factory=dict)
    returned: Table = field(default_factory=dict)
    reached: dict[int, int] = field(default_factory=dict)  # for each block
    edges: dict[tuple[int, int], int] = field(default_factory=dict)  # from block to block
    conditions: dict[int, Table] = field(default_factory=dict)  # by the block that they end
    pointers: dict[int, Table] = field(default_factory=dict)  # by the position of the CALL through them
    inputs: dict[int, dict[int, Table]] = field(default_factory=dict)  # what variables hold before a block
    values: dict[int, Table] = field(default_factory=dict)
    rounds: dict[int, int] = field(default_factory=dict)  # through each block
    waiting: list[int] = field(default_factory=list)  # blocks, a heap
    visits: int = 0  # of the whole routine

    def wait(self, block: int) -> None:
        """Lets a block be gone through once more, if control comes to it."""
        if block in self.reached and block not in self.waiting:
            heappush(self.waiting, block)


class Spread:
    """What spreads from roots; `known` holds the routines that are come to."""

    def __init__(
        self,
        routines: Routines,
        tables: Sequence[Table],
        everything: int,
        changed: Mapping[int, Set[int]],
        never: Set[tuple[int, int, int]],
    ) -> None:
        """`tables` of the options; `changed` positions are unknown; `never` from block to block."""
        self.routines, self.tables, self.everything = routines, tables, everything
        self.changed, self.never = changed, never
        self.flow, self.program = routines.flow, routines.flow.program
        self.known: dict[int, KnownRoutine] = {}
        self._waiting: list[tuple[int, int]] = []  # rank and number, a heap
        self._ranks: Mapping[int, int] = {}
        self._settled: dict[
            tuple[int, int], int
        ] = {}  # by call: where all that is called may be given anything

    def run(self, roots: Sequence[int]) -> None:
        """Spreads all configurations from these routines."""
        self._ranks = self.routines.ranks(roots)
        for root in roots:
            if root in self.routines.wanted:
                self._enter(root, self.everything)
        while self._waiting:
            _, number = heappop(self._waiting)
            self._go_on(number)

    def _wait(self, number: int) -> None:
        if self.known[number].waiting:
            each = self._ranks.get(number, 0), number
            if each not in self._waiting:
                heappush(self._waiting, each)

    def _enter(self, number: int, here: int) -> None:
        """A routine may be called in these configurations."""
        state = self.known.get(number)
        if state is None:
            state = self.known[number] = KnownRoutine()
        if here & ~state.entry:
            state.entry |= here if state.visits < MOST_ROUNDS else self.everything
            state.reached[0] = state.reached.get(0, 0) | state.entry
            state.inputs.setdefault(0, {})
            state.wait(0)
            self._wait(number)

    def _give(self, number: int, place: int, table: Table, here: int) -> None:
        """A routine may be called with such an argument."""
        state = self.known[number]
        before = state.parameters.get(place, NOTHING)
        if tells_more(table, before, here):
            is_too_much = state.visits >= MOST_ROUNDS
            state.parameters[place] = {UNKNOWN: self.everything} if is_too_much else joined(before, table)
            for block in self.routines.steps[number].users.get(place, ()):
                state.wait(block)
            self._wait(number)

    def _go_on(self, number: int) -> None:
        """Goes through what waits in a routine, and tells its callers if it may return more than before."""
        state = self.known[number]
        state.visits += 1
        before = state.returned
        while state.waiting:
            self._go_through(number, state, heappop(state.waiting))
        if state.returned is before:
            return
        for caller, position in self.flow.callers(number):
            code = self.program.routines[caller]
            if caller in self.known and code.parameters + position in self.routines.demand.values[caller]:
                self.known[caller].wait(code.instructions[position].block)
                self._wait(caller)

    def _go_through(self, number: int, state: KnownRoutine, block: int) -> None:
        state.rounds[block] = state.rounds.get(block, 0) + 1
        code, steps = self.program.routines[number], self.routines.steps[number]
        here, variables, values = state.reached[block], state.inputs[block], state.values
        changed = self.changed.get(number, ())
        is_shared = True
        for position in steps.by_block[block]:
            each = code.instructions[position]
            kind = each.kind
            value = code.parameters + position
            table: Table
            if kind is STORE:
                if is_shared:
                    variables, is_shared = dict(variables), False
                table = {UNKNOWN: here}
                if position not in changed:
                    table = within(self._table(number, each.operands[1], here), here)
                variables[each.operands[0]] = table
                continue
            if kind is RETURN:
                table = {UNKNOWN: here}
                if position not in changed:
                    table = within(self._table(number, each.operands[0], here), here)
                if tells_more(table, state.returned, here):
                    state.returned = joined(state.returned, table)
                continue
            if kind is CALL:
                table = self._call(number, position, here)
            if position in changed:
                table = {UNKNOWN: here}
            elif kind is LOAD:
                known = variables.get(each.operands[0])
                table = {UNKNOWN: here} if known is None else known
            elif kind is COMPUTE:
                table = self._computed(number, each, here)
            elif kind is PHI:
                table = self._joined(number, each)
            if value in steps.users and values.get(value) != table:
                for user in steps.users[value]:
                    state.wait(user)
            values[value] = table
        self._leave(number, state, block, variables)

    def _leave(self, number: int, state: KnownRoutine, block: int, variables: dict[int, Table]) -> None:
        """Goes on to the blocks behind one, with what its variables hold then."""
        here = state.reached[block]
        steps = self.routines.steps[number]
        for target, mask in self._targets(number, state, block).items():
            if (number, block, target) in self.never:
                continue
            before = state.edges.get((block, target), 0)
            state.edges[block, target] = before | mask
            if not mask:
                continue
            kept = steps.kept[target]
            if target not in state.reached and mask == here:
                state.reached[target], state.inputs[target] = mask, kept_variables(variables, kept)
                state.wait(target)
                continue
            known = state.inputs.get(target, {})
            grown = grown_variables(known, variables, kept, mask)
            reached = state.reached.get(target, 0)
            if grown or mask & ~reached:
                state.reached[target], state.inputs[target] = reached | mask, {**known, **grown}
                if state.rounds.get(target, 0) >= MOST_ROUNDS:
                    anything: Table = {UNKNOWN: self.everything}
                    state.reached[target] |= state.entry
                    state.inputs[target] = dict.fromkeys(kept, anything)
                state.wait(target)
            elif target in steps.joining and mask & ~before:
                state.wait(target)

    def _targets(self, number: int, state: KnownRoutine, block: int) -> dict[int, int]:
        """Where a block goes, and in which configurations."""
        code, after = self.program.routines[number], self.routines.routes[number][block]
        here = state.reached[block]
        start, end = code.blocks[block]
        last = code.instructions[end - 1] if end > start else None
        if last is None or last.kind not in DECIDING or end - 1 in self.changed.get(number, ()):
            return dict.fromkeys(after, here)
        table = within(self._table(number, last.operands[0], here), here)
        state.conditions[block] = joined(state.conditions.get(block, NOTHING), table)
        found: dict[int, int] = dict.fromkeys(after, 0)
        for value, mask in table.items():
            taken = chosen(last, value)
            for target in found if isinstance(taken, Unknown) else (after[taken],):
                found[target] |= mask
        return found

    def _call(self, number: int, position: int, here: int) -> Table:
        """Enters what is called; gives what is known of the result."""
        call = self.routines.entering(number, position)
        pointer = self._pointer(number, position, here)
        anything = here if pointer is None else pointer.get(UNKNOWN, 0)
        found: Table = NOTHING
        if anything == here and not here & ~self._settled.get((number, position), 0):
            return self._given_back(call, here)
        is_settled = anything == here
        for callee, arguments in call.callees:
            entered = anything
            if pointer is not None:
                if anything != here:
                    entered |= pointer.get(RoutineAddress(callee), 0)
                if not entered:
                    continue
            self._enter(callee, entered)
            parameters = self.known[callee].parameters
            for place, operand in arguments:
                if not entered & ~parameters.get(place, NOTHING).get(UNKNOWN, 0):
                    continue  # it may be given anything already
                is_settled = False
                table: Table = {UNKNOWN: entered}
                if operand is not None:
                    table = within(self._table(number, operand, entered), entered)
                self._give(callee, place, table, entered)
            if call.is_known:
                found = joined(found, within(self.known[callee].returned, entered))
        if is_settled:
            self._settled[number, position] = self._settled.get((number, position), 0) | here
        return found if call.is_known else {UNKNOWN: here}

    def _given_back(self, call: Entering, here: int) -> Table:
        """What is known of the result of a call that has entered all that it calls."""
        if not call.is_known:
            return {UNKNOWN: here}
        found: Table = NOTHING
        for callee, _ in call.callees:
            found = joined(found, within(self.known[callee].returned, here))
            if found.get(UNKNOWN, 0) == here:
                break  # others cannot add to it
        return found

    def _pointer(self, number: int, position: int, here: int) -> Table | None:
        """What a call goes through, if that is a pointer alone; library functions may call anything back."""
        call = self.routines.calls[number][position]
        operand = self.program.routines[number].instructions[position].operands[0]
        if operand < 0 or call.called_back:
            return None
        table = within(self._table(number, operand, here), here)
        known = self.known[number].pointers
        known[position] = joined(known.get(position, NOTHING), table)
        return table

    def _computed(self, number: int, each: Instruction, here: int) -> Table:
        return computed(each.shape, [self._table(number, operand, here) for operand in each.operands], here)

    def _joined(self, number: int, each: Instruction) -> Table:
        """What comes from the blocks before."""
        edges = self.known[number].edges
        found: Table = NOTHING
        for operand, block in zip(each.operands, each.targets, strict=True):
            mask = edges.get((block, each.block), 0)
            found = joined(found, within(self._table(number, operand, mask), mask))
        return found

    def _table(self, number: int, operand: int, here: int) -> Table:
        """What an operand may be; it may tell of more configurations than those of `here`."""
        if operand < 0:
            return {self.routines.constants[number][~operand]: here}
        option = self.routines.options[number].get(operand)
        if option is not None:
            return self.tables[option]
        state = self.known[number]
        if operand < self.program.routines[number].parameters:
            found = state.parameters.get(operand)
        else:
            found = state.values.get(operand)
        return {UNKNOWN: here} if found is None else found
