"""In which configurations code is executed: constants are propagated in all configurations at once.

A branch that depends on nothing but options goes one way in some configurations and the other way in the
rest; any other branch may go either way. So `if (a || b)` is told apart from two branches that each matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from sonde.methods.impact.constants import UNKNOWN, RoutineAddress
from sonde.methods.impact.presence.inside import Inside, find_inside
from sonde.methods.impact.presence.routines import Routines
from sonde.methods.impact.presence.spread import KnownRoutine, Spread
from sonde.methods.impact.presence.value_tables import Domain
from sonde.methods.impact.reach.reachable import Cut


class Presence:
    """Answers about routines of a program; their options have the numbers that they have in the domain."""

    def __init__(
        self,
        routines: Routines,
        domain: Domain,
        roots: Sequence[int],
        changed: Mapping[int, Set[int]],
        never: Iterable[Cut] = (),
    ) -> None:
        """`changed` are positions whose values are unknown; what is `never` chosen leads nowhere."""
        self.flow, self.domain, self.wanted = routines.flow, domain, routines.wanted
        self._routes = routines.routes
        self.never = {
            (routine, block, self._routes[routine][block][number])
            for routine, block, number in never
            if routine in self.wanted
        }
        tables = [domain.table(n) for n in range(len(domain.values))]
        spread = Spread(routines, tables, domain.all, changed, self.never)
        spread.run(roots)
        self.known: Mapping[int, KnownRoutine] = spread.known
        self._avoided: dict[tuple[int, frozenset[int]], int] = {}
        self._skips: dict[int, int] = {}
        self._inside: dict[int, Inside] = {}
        self._edge_sets: dict[int, dict[int, list[int]]] = {}

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
        callers: dict[int, list[int]] = {}
        for caller, position in self.flow.callers(routine):
            if caller in self.known and caller != routine:
                callers.setdefault(caller, []).append(position)
        if not callers:
            self._skips[routine] = 0
            return 0
        self._skips[routine] = found = self.domain.all  # for callers that it calls itself
        for caller, positions in callers.items():
            found &= self._skipped(caller) | self._not_called_by(caller, positions, routine)
        self._skips[routine] = found
        return found

    def _not_called_by(self, caller: int, positions: Sequence[int], routine: int) -> int:
        """The configurations in which a caller may be gone through without a call of a routine."""
        instructions = self.flow.program.routines[caller].instructions
        found = self._passed_by(caller, frozenset(instructions[each].block for each in positions))
        pointers = self.known[caller].pointers
        own = RoutineAddress(routine)
        others = 0  # configurations in which a pointer is known to be another routine's address
        for each in positions:
            for value, mask in pointers.get(each, {}).items():
                others |= mask if value not in (own, UNKNOWN) else 0
        if others:
            direct = [instructions[each].block for each in positions if each not in pointers]
            found |= others & self._passed_by(caller, frozenset(direct))
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
        known = self._edge_sets.get(routine)
        if known is None:
            known = self._edge_sets[routine] = {}
            state = self.known.get(routine)
            for (start, _), mask in state.edges.items() if state else ():
                known.setdefault(start, []).append(mask)
        return known.get(block, [])
