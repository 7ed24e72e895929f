"""In which configurations code is executed: constants are propagated in all configurations at once.

A branch that depends on nothing but options goes one way in some configurations and the other way in the
rest; any other branch may go either way. So `if (a || b)` is told apart from two branches that each matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from heapq import heappop, heappush

from sonde.core.code import Constant, Instruction, Kind
from sonde.methods.impact.calls import constant_number, routes
from sonde.methods.impact.flow import Flow
from sonde.methods.impact.option_evaluation import compute
from sonde.methods.impact.presence_inside import Inside, find_inside
from sonde.methods.impact.presence_variables import NOTHING, grown_variables, narrowed
from sonde.methods.impact.reachable import Cut
from sonde.methods.impact.traceable import Steps, find_steps
from sonde.methods.impact.value_tables import (
    UNKNOWN,
    Domain,
    Table,
    computed,
    joined,
    tells_more,
    within,
)

MOST_ROUNDS = 40
NO_OPTIONS: Mapping[int, int] = {}
LOAD, STORE, COMPUTE, PHI = Kind.LOAD, Kind.STORE, Kind.COMPUTE, Kind.PHI
CALL, BRANCH, RETURN = Kind.CALL, Kind.BRANCH, Kind.RETURN
DECIDING = (Kind.BRANCH, Kind.SWITCH)


@dataclass
class _Routine:
    """What is known of a routine so far."""

    entry: int = 0  # configurations in which it may be called
    parameters: dict[int, dict[int | None, int]] = field(default_factory=dict)
    returned: dict[int | None, int] = field(default_factory=dict)
    reached: dict[int, int] = field(default_factory=dict)  # for each block
    edges: dict[tuple[int, int], int] = field(default_factory=dict)  # from block to block
    conditions: dict[int, Table] = field(default_factory=dict)  # by the block that they end


class Presence:
    """Answers for one program; `reads` are the nodes that read options, with their numbers in the domain."""

    def __init__(
        self,
        flow: Flow,
        domain: Domain,
        reads: Mapping[int, int],
        routines: Set[int],
        roots: Iterable[int],
        changed: Mapping[int, Set[int]],
        never: Iterable[Cut] = (),
    ) -> None:
        """`changed` are positions whose values are unknown; what is `never` chosen leads nowhere."""
        self.changed = changed
        self.never = {
            (routine, block, routes(flow.program.routines[routine])[block][number])
            for routine, block, number in never
            if routine in routines
        }
        self.flow, self.domain, self.wanted = flow, domain, routines
        self._options = _by_routine(flow, reads)
        self.tables = [domain.table(n) for n in range(len(domain.values))]
        self.known: dict[int, _Routine] = {}
        self._avoided: dict[tuple[int, frozenset[int]], int] = {}
        self._calls = {number: {call.position: call for call in flow.calls[number]} for number in routines}
        self._routes = {number: routes(flow.program.routines[number]) for number in routines}
        self._steps = self._find_steps()
        self._skips: dict[int, int] = {}
        self._inside: dict[int, Inside] = {}
        self._spread(list(roots))

    def _find_steps(self) -> dict[int, Steps]:
        """For each routine what matters in its blocks; it is the same in copies that are used alike."""
        program = self.flow.program
        known: dict[tuple[int, frozenset[int], frozenset[int]], Steps] = {}
        found = {}
        for number in self.wanted:
            followed = frozenset(
                position
                for position, call in self._calls[number].items()
                if any(each in self.wanted for each in (*call.callees, *call.called_back))
            )
            options = frozenset(self._options.get(number, ()))
            key = program.origin[number] if program.origin else number, options, followed
            if key not in known:
                known[key] = find_steps(program.routines[number], options, followed)
            found[number] = known[key]
        return found

    def _ranks(self, roots: Sequence[int]) -> dict[int, int]:
        """Callers before what they call, as far as possible."""
        order: list[int] = []
        seen = set(roots)
        stack = [(root, iter(self._callees(root))) for root in roots if root in self.wanted]
        while stack:
            number, callees = stack[-1]
            following = next((each for each in callees if each not in seen), None)
            if following is None:
                order.append(number)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(self._callees(following))))
        return {number: rank for rank, number in enumerate(reversed(order))}

    def _callees(self, number: int) -> list[int]:
        return [
            each
            for call in self._calls[number].values()
            for each in (*call.callees, *call.called_back)
            if each in self.wanted
        ]

    def _spread(self, roots: Sequence[int]) -> None:
        ranks = self._ranks(roots)
        waiting: set[int] = set()
        for root in roots:
            if root in self.wanted:
                self.known[root] = _Routine(self.domain.all)
                waiting.add(root)
        rounds: dict[int, int] = {}
        while waiting:
            number = min(waiting, key=lambda each: ranks.get(each, 0))
            waiting.discard(number)
            rounds[number] = rounds.get(number, 0) + 1
            if rounds[number] <= MOST_ROUNDS:
                waiting.update(self._visit(number))

    def _visit(self, number: int) -> list[int]:
        """Goes through a routine once more; gives the routines that have to be looked at again."""
        code = self.flow.program.routines[number]
        state = self.known[number]
        after = self._routes[number]
        steps = self._steps[number]
        again: dict[int, None] = {}
        inputs: dict[int, dict[int, Table]] = {0: {}}
        reached = {0: state.entry}
        values: dict[int, Table] = {}
        edges: dict[tuple[int, int], int] = {}
        waiting = [0]
        rounds: dict[int, int] = {}
        before_returned = dict(state.returned)
        while waiting:
            block = heappop(waiting)
            rounds[block] = rounds.get(block, 0) + 1
            here = reached[block]
            variables = dict(inputs[block])
            start, end = code.blocks[block]
            for position in steps[block]:
                self._step(number, position, here, variables, values, edges, again)
            last = code.instructions[end - 1] if end > start else None
            for target, mask in self._targets(number, last, block, here, values, after[block]).items():
                if (number, block, target) in self.never:
                    continue
                edges[block, target] = edges.get((block, target), 0) | mask
                if not mask or rounds.get(target, 0) >= MOST_ROUNDS:
                    continue
                if target not in reached and mask == here:
                    reached[target], inputs[target] = mask, narrowed(variables)
                    heappush(waiting, target)
                    continue
                known = inputs.get(target, {})
                grown = grown_variables(known, variables, mask)
                if grown or target not in reached or mask & ~reached[target]:
                    reached[target] = reached.get(target, 0) | mask
                    inputs[target] = {**known, **grown}
                    if target not in waiting:
                        heappush(waiting, target)
        state.reached, state.edges = reached, edges
        if state.returned != before_returned:
            again.update(
                dict.fromkeys(caller for caller, _ in self.flow.callers(number) if caller in self.known)
            )
        return list(again)

    def _step(
        self,
        number: int,
        position: int,
        here: int,
        variables: dict[int, Table],
        values: dict[int, Table],
        edges: Mapping[tuple[int, int], int],
        again: dict[int, None],
    ) -> None:
        code = self.flow.program.routines[number]
        each = code.instructions[position]
        value = code.parameters + position
        kind = each.kind
        if number in self.changed and position in self.changed[number]:
            if kind is STORE:
                variables[each.operands[0]] = {UNKNOWN: here}
            elif kind is RETURN:
                self.known[number].returned = joined(self.known[number].returned, {UNKNOWN: here})
            elif kind is CALL:
                self._call(number, position, here, values, again)
            values[value] = {UNKNOWN: here}
            return
        if kind is STORE:
            variables[each.operands[0]] = within(self._table(number, each.operands[1], here, values), here)
        elif kind is LOAD:
            option = self._options.get(number, NO_OPTIONS).get(value)
            if option is not None:
                values[value] = within(self.tables[option], here)
            elif each.operands[0] in variables:
                values[value] = within(variables[each.operands[0]], here)
            else:
                values[value] = {UNKNOWN: here}
        elif kind is COMPUTE:
            option = self._options.get(number, NO_OPTIONS).get(value)
            if option is not None:
                values[value] = within(self.tables[option], here)
                return
            tables = [self._table(number, operand, here, values) for operand in each.operands]
            shape = each.shape
            values[value] = computed(tables, lambda numbers: compute(shape, numbers), here)
        elif kind is PHI:
            found: dict[int | None, int] = {}
            for operand, block in zip(each.operands, each.targets, strict=True):
                mask = edges.get((block, each.block), 0)
                found = joined(found, within(self._table(number, operand, mask, values), mask))
            values[value] = found
        elif kind is CALL:
            values[value] = self._call(number, position, here, values, again)
        elif kind is RETURN and each.operands:
            state = self.known[number]
            state.returned = joined(
                state.returned, within(self._table(number, each.operands[0], here, values), here)
            )

    def _call(
        self, number: int, position: int, here: int, values: dict[int, Table], again: dict[int, None]
    ) -> Table:
        call = self._calls[number].get(position)
        if call is None:
            return {UNKNOWN: here}
        code = self.flow.program.routines[number]
        arguments = code.instructions[position].operands[1:]
        found: dict[int | None, int] = {}
        for callee in dict.fromkeys((*call.callees, *call.called_back)):
            if callee not in self.wanted:
                found[UNKNOWN] = here
                continue
            state = self.known.get(callee)
            if state is None:
                state = self.known[callee] = _Routine()
                again[callee] = None
            if here & ~state.entry:
                state.entry |= here
                again[callee] = None
            for place in range(self.flow.program.routines[callee].parameters):
                given: Table = {UNKNOWN: here}
                if callee in call.callees and place < len(arguments):
                    given = within(self._table(number, arguments[place], here, values), here)
                before = state.parameters.get(place, NOTHING)
                if tells_more(given, before, here):
                    state.parameters[place] = joined(before, given)
                    again[callee] = None
            found = joined(found, within(state.returned, here))
        if call.externals or not call.callees:
            found = {UNKNOWN: here}
        return found

    def _table(self, number: int, operand: int, here: int, values: Mapping[int, Table]) -> Table:
        code = self.flow.program.routines[number]
        if operand < 0:
            outside = code.outside[~operand]
            return {constant_number(outside.text) if isinstance(outside, Constant) else UNKNOWN: here}
        option = self._options.get(number, NO_OPTIONS).get(operand)
        if option is not None:
            return within(self.tables[option], here)
        if operand < code.parameters:
            return self.known[number].parameters.get(operand, {UNKNOWN: here})
        return values.get(operand, {UNKNOWN: here})

    def _targets(
        self,
        number: int,
        last: Instruction | None,
        block: int,
        here: int,
        values: Mapping[int, Table],
        after: Sequence[int],
    ) -> dict[int, int]:
        """Where a block goes, and in which configurations."""
        if last is None or last.kind not in DECIDING:
            return dict.fromkeys(after, here)
        table = within(self._table(number, last.operands[0], here, values), here)
        if self.flow.program.routines[number].blocks[block][1] - 1 in self.changed.get(number, ()):
            table = {UNKNOWN: here}
        state = self.known[number]
        state.conditions[block] = joined(state.conditions.get(block, {}), table)
        found: dict[int, int] = dict.fromkeys(after, 0)
        for value, mask in table.items():
            if value is UNKNOWN:
                for target in found:
                    found[target] |= mask
                continue
            if last.kind is BRANCH:
                chosen = after[0 if value else 1]
            else:
                chosen = after[last.cases.index(value) + 1 if value in last.cases else 0]
            found[chosen] |= mask
        return found

    def may_reach(self, routine: int, block: int) -> int:
        """The configurations in which a block may be executed."""
        state = self.known.get(routine)
        return 0 if state is None else state.reached.get(block, 0)

    def may_avoid(self, routine: int, blocks: frozenset[int]) -> int:
        """The configurations in which none of these blocks of a routine may be executed, in some run."""
        return self._skipped(routine) | self._passed_by(routine, blocks)

    def _passed_by(self, routine: int, blocks: frozenset[int]) -> int:
        """The configurations in which the routine may be gone through without these blocks."""
        known = self._avoided.get((routine, blocks))
        if known is not None:
            return known
        state = self.known.get(routine)
        if state is None:
            return self.domain.all
        inside = self._inside.get(routine)
        if inside is None:
            inside = self._inside[routine] = find_inside(
                self._routes[routine], state.entry, state.edges, self.flow.dead_ends[routine]
            )
        ended = inside.passed_by(blocks)
        self._avoided[routine, blocks] = ended
        return ended

    def _skipped(self, routine: int) -> int:
        """The configurations in which a routine may not be called at all."""
        known = self._skips.get(routine)
        if known is not None:
            return known
        callers: dict[int, set[int]] = {}
        for caller, position in self.flow.callers(routine):
            if caller in self.known and caller != routine:
                block = self.flow.program.routines[caller].instructions[position].block
                callers.setdefault(caller, set()).add(block)
        if not callers:
            self._skips[routine] = 0
            return 0
        self._skips[routine] = found = self.domain.all  # for callers that it calls itself
        for caller, blocks in callers.items():
            found &= self._skipped(caller) | self._passed_by(caller, frozenset(blocks))
        self._skips[routine] = found
        return found

    def is_plain(self, routine: int, block: int) -> bool:
        """Whether a block's end is decided by options alone, in each configuration in one way."""
        state = self.known.get(routine)
        table = state.conditions.get(block) if state else None
        if table is None or UNKNOWN in table:
            return False
        seen = 0
        for mask in table.values():
            if seen & mask:
                return False
            seen |= mask
        return True

    def edge_sets(self, routine: int, block: int) -> list[int]:
        """For each way out of a block the configurations in which it is taken."""
        state = self.known.get(routine)
        if state is None:
            return []
        return [mask for (start, _), mask in state.edges.items() if start == block]


def _by_routine(flow: Flow, reads: Mapping[int, int]) -> dict[int, dict[int, int]]:
    """For each routine its values that read options."""
    found: dict[int, dict[int, int]] = {}
    for node, option in reads.items():
        where = flow.where(node)
        if where.kind == "value":
            found.setdefault(where.routine, {})[where.index] = option
    return found
