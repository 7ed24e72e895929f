"""Which code can be executed at all, and which cannot if certain branches are never taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.program.control_dependence import post_dominators
from sonde.methods.impact.program.mentions import mentions_in, standing_in_globals
from sonde.methods.impact.program.unused import roots_of

Cut = tuple[int, int, int]  # routine, block, number of its target that is never chosen


class _Inside(NamedTuple):
    """What comes with a routine that is entered."""

    blocks: Set[int]
    surely: tuple[int, ...]  # routines that it calls
    perhaps: tuple[int, ...]  # routines that it calls through pointers
    mentioned: tuple[int, ...]  # routines whose address it takes

    @property
    def leads_to(self) -> tuple[Set[int], ...]:
        """The routines that come with it, in whatever order."""
        return frozenset(self.surely), frozenset(self.perhaps), frozenset(self.mentioned)


class Reachability:
    """Answers for one program, from `main` on; without one, from every routine that others can call."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.program = flow.program
        self.routes = [each.routes for each in self.program.routines]
        self._parents: dict[int, list[int]] = {}
        self._wholes: dict[int, _Inside] = {}
        self._calls: list[dict[int, list[tuple[bool, tuple[int, ...]]]]] = []
        for number, calls in enumerate(flow.calls):
            blocks: dict[int, list[tuple[bool, tuple[int, ...]]]] = {}
            instructions = self.program.routines[number].instructions
            for call in calls:
                operands = instructions[call.position].operands
                is_direct = bool(operands) and operands[0] < 0 and not call.called_back
                if call.callees or call.called_back:
                    blocks.setdefault(call.block, []).append((is_direct, (*call.callees, *call.called_back)))
            self._calls.append(blocks)

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Where execution begins."""
        return roots_of(self.program)

    @cached_property
    def everything(self) -> Mapping[int, Set[int]]:
        """The blocks of each routine that can be executed."""
        return self._spread({})

    def without(self, cuts: Iterable[Cut]) -> Mapping[int, Set[int]]:
        """The blocks that can still be executed if control goes past what stands behind these targets.

        A routine that is called through a pointer needs code that takes its address.
        """
        gone: dict[int, dict[int, set[int]]] = {}
        for routine, block, number in cuts:
            if routine in self.everything:
                gone.setdefault(routine, {}).setdefault(block, set()).add(number)
        left = {routine: self._inside(routine, never) for routine, never in gone.items()}
        if all(inside.leads_to == self._whole(routine).leads_to for routine, inside in left.items()):
            return {**self.everything, **{routine: inside.blocks for routine, inside in left.items()}}
        return self._spread(left)

    def _spread(self, left: Mapping[int, _Inside]) -> Mapping[int, Set[int]]:
        """The blocks of each routine that are executed, if of some only a part is left."""
        seen: dict[int, Set[int]] = {}
        known = set(self._always_known)
        wanted: set[int] = set()
        waiting = list(self.roots)
        while waiting:
            routine = waiting.pop()
            if routine in seen:
                continue
            inside = left.get(routine) or self._whole(routine)
            seen[routine] = inside.blocks
            waiting.extend(inside.surely)
            for callee in inside.perhaps:
                if callee in known:
                    waiting.append(callee)
                else:
                    wanted.add(callee)
            for name in inside.mentioned:
                if name not in known:
                    known.add(name)
                    if name in wanted:
                        waiting.append(name)
        return seen

    def _whole(self, routine: int) -> _Inside:
        found = self._wholes.get(routine)
        if found is None:
            found = self._wholes[routine] = self._inside(routine, {})
        return found

    def _inside(self, routine: int, gone: Mapping[int, Set[int]]) -> _Inside:
        """What is executed once a routine is entered, without some targets of its blocks."""
        routes, calls, mentions = self.routes[routine], self._calls[routine], self._mentions[routine]
        blocks: set[int] = set()
        surely: dict[int, None] = {}
        perhaps: dict[int, None] = {}
        mentioned: dict[int, None] = {}
        waiting = [0]
        while waiting:
            block = waiting.pop()
            if block in blocks:
                continue
            blocks.add(block)
            never = gone.get(block)
            if never:
                waiting.extend(each for n, each in enumerate(routes[block]) if n not in never)
                after = self.next_common(routine, block)
                if after < len(routes):
                    waiting.append(after)
            else:
                waiting.extend(routes[block])
            for is_direct, callees in calls.get(block, ()):
                (surely if is_direct else perhaps).update(dict.fromkeys(callees))
            mentioned.update(dict.fromkeys(mentions.get(block, ())))
        return _Inside(blocks, tuple(surely), tuple(perhaps), tuple(mentioned))

    def next_common(self, routine: int, block: int) -> int:
        """The next block that all ways from a block pass, failures aside; the number of blocks if none."""
        parents = self._parents.get(routine)
        if parents is None:
            stops = self.flow.ends.stops[routine]
            after: Sequence[tuple[int, ...]] = self.routes[routine]
            if stops and 0 not in stops:
                after = [
                    () if n in stops else tuple(each for each in targets if each not in stops)
                    for n, targets in enumerate(after)
                ]
            parents = self._parents[routine] = post_dominators(after)
        return parents[block]

    @cached_property
    def _always_known(self) -> frozenset[int]:
        """Routines whose address stands in a global."""
        return standing_in_globals(self.program)

    def mentions(self, routine: int) -> Mapping[int, Sequence[int]]:
        """For each block the routines whose address it takes."""
        return self._mentions[routine]

    @cached_property
    def _mentions(self) -> list[dict[int, list[int]]]:
        """For each block of each routine the routines whose address it takes."""
        found: list[dict[int, list[int]]] = []
        for number in range(len(self.program.routines)):
            here: dict[int, list[int]] = {}
            for block, routine in mentions_in(self.program, number):
                here.setdefault(block, []).append(routine)
            found.append(here)
        return found
