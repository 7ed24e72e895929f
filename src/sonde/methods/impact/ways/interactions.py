"""Which changed and hot routines the ways join, and how: what the answer shows."""

from __future__ import annotations

from collections.abc import Iterable

from sonde.core.code import NOWHERE, SourceLine
from sonde.core.findings.impacts import Interaction, Via, Waypoint
from sonde.methods.impact.flow.edges import FlowStep
from sonde.methods.impact.ways.finding import Ways
from sonde.methods.impact.ways.witness import describe_place, describe_way, shown

Path = tuple[tuple[int, FlowStep], ...]


class Interactions:
    """Answers about the ways of one program; `is_old` if what they begin with was deleted."""

    def __init__(self, ways: Ways, depth: int, is_old: bool) -> None:
        self.ways, self.depth, self.is_old = ways, depth, is_old
        self.flow, self.program = ways.flow, ways.flow.program

    def find(self) -> Iterable[Interaction]:
        """One for each pair of a changed and a hot routine that a shortest way joins."""
        yield from self._within()
        found: dict[tuple[int, int], Path] = {}
        depth = self.depth
        for node in sorted(self.ways.ends):
            self._keep(found, self.ways.forward.path(node))
        covered = {source for source, _ in found}
        for node, (routine, _) in self.ways.sources.nodes.items():
            if routine not in covered:
                hops = self.ways.backward.hops(node)
                if hops is not None and hops <= depth:
                    self._keep(found, self.ways.backward.path(node))
        for path in found.values():
            yield self._interaction(path)

    def _keep(self, found: dict[tuple[int, int], Path], path: Path) -> None:
        if not path:
            return
        source = self.ways.sources.nodes.get(path[0][0], (-1, -1))
        target = self.ways.hot.targets.get(path[-1][0])
        if target is None:
            return
        key = source[0], target.routine
        known = found.get(key)
        if known is None or _length(path) < _length(known):
            found[key] = path

    def _within(self) -> Iterable[Interaction]:
        seen: set[int] = set()
        for routine, position in sorted(self.ways.within):
            if routine in seen:
                continue
            seen.add(routine)
            change = describe_place(self.flow, routine, position)
            name = shown(self.program.routines[routine])
            calls = self._calls_from_hot_code(routine)
            hot = calls[0] if calls else change
            words = "changed, and hot itself" if not calls else "changed, and called from hot code"
            path = (*calls, Waypoint(change.place, name, words))
            yield Interaction(change.place, name, hot.place, hot.routine, Via.WITHIN, self.is_old, path)

    def _calls_from_hot_code(self, routine: int) -> list[Waypoint]:
        """The calls that lead from hot code to a routine; nothing if it is hot itself."""
        if routine not in self.ways.hot.called:
            return []
        after: dict[int, tuple[int, int]] = {}
        waiting = [routine]
        for current in waiting:
            for caller, position in self.flow.callers(current):
                block = self.program.routines[caller].instructions[position].block
                if caller in after or caller == routine or block in self.flow.dead_ends[caller]:
                    continue
                if caller not in self.ways.hot.called and not self.ways.hot.holds(caller, position):
                    continue
                after[caller] = (current, position)
                if caller in self.ways.hot.positions:
                    return self._chain(caller, routine, after)
                waiting.append(caller)
        return []

    def _chain(self, start: int, end: int, after: dict[int, tuple[int, int]]) -> list[Waypoint]:
        found = []
        current = start
        while current != end:
            following, position = after[current]
            code = self.program.routines[current]
            called = shown(self.program.routines[following])
            found.append(Waypoint(code.instructions[position].place, shown(code), f"`{called}` is called"))
            current = following
        return found

    def _interaction(self, path: Path) -> Interaction:
        target = self.ways.hot.targets[path[-1][0]]
        source = self.ways.sources.nodes.get(path[0][0], (-1, -1))
        hot = self.program.routines[target.routine]
        hot_place = hot.place if target.position < 0 else hot.instructions[target.position].place
        change, name = self.changed(*source)
        is_implicit = any(step is FlowStep.CONTROL for _, step in path) or self._begins_with_block(path)
        way = describe_way(self.flow, path)
        return Interaction(
            change,
            name,
            hot_place if hot_place.line else hot.place,
            shown(hot),
            Via.IMPLICIT if is_implicit else Via.EXPLICIT,
            self.is_old,
            way,
        )

    def _begins_with_block(self, path: Path) -> bool:
        return any(self.flow.where(node).kind == "block" for node, _ in path)

    def changed(self, routine: int, position: int) -> tuple[SourceLine, str]:
        """Where a change begins: its place, and the routine or global it belongs to."""
        if routine < 0:
            thing = self.program.globals[position] if position >= 0 else None
            if thing is None:
                return NOWHERE, ""
            return thing.place, thing.variable.name if thing.variable else thing.name
        code = self.program.routines[routine]
        place = code.instructions[position].place
        return (place if place.line else code.place), shown(code)


def _length(path: Path) -> tuple[int, int]:
    return sum(step is FlowStep.CONTROL for _, step in path), len(path)
