"""Where decisions of two versions of a routine lead, and what other conditions decide over by that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property

from sonde.core.code import DECIDING, Instruction, Kind
from sonde.methods.impact.differences.versions import Version
from sonde.methods.impact.program.control_dependence import control_dependence, post_dominators

Edge = tuple[int, int]  # a block and one that it leads to


class VersionEdges:
    """The edges of two versions, whose instructions correspond in pairs of positions."""

    def __init__(self, old: Version, new: Version, pairs: Sequence[tuple[int, int]]) -> None:
        self.old, self.new = old, new
        self.pairs = [(a, b) for a, b in pairs if old.routine.instructions[a].kind is not Kind.JUMP]
        self.partner: dict[int, int] = {}  # blocks of the old version to those of the new one
        for a, b in self.pairs:
            self.partner.setdefault(*self._blocks(a, b))
        self.known = {new.routine.instructions[b].block for _, b in self.pairs}  # of the new version

    def _blocks(self, a: int, b: int) -> Edge:
        return self.old.routine.instructions[a].block, self.new.routine.instructions[b].block

    def lead_to_the_same(self, before: Instruction, after: Instruction) -> bool:
        """Whether two versions of an instruction lead to the same; of a decision, see `differing`."""
        if before.kind in DECIDING:
            return before.kind is Kind.SWITCH or not any(
                self._is_measured(edge) and not self._is_same(edge) for edge in _paired_targets(before, after)
            )
        if len(before.targets) != len(after.targets):
            return False
        return all(map(self._is_same, zip(before.targets, after.targets, strict=True)))

    def _is_measured(self, targets: Edge) -> bool:
        return targets[0] not in self.old.unmeasured and targets[1] not in self.new.unmeasured

    def _is_same(self, targets: Edge) -> bool:
        a, b = targets
        if a in self.old.unmeasured or b in self.new.unmeasured:
            return a in self.old.unmeasured and b in self.new.unmeasured
        # Code that only one version has may stand before what both have: it is a difference by itself.
        before = set(self._first_known(self.old, a, self.partner.keys()))
        after = set(self._first_known(self.new, b, self.known))
        if not before or not after:
            return True
        return any(self.partner[each] in after for each in before)

    @staticmethod
    def _first_known(version: Version, start: int, known: Set[int]) -> Iterator[int]:
        """The first blocks on ways from a block on that both versions have."""
        seen = {version.targets[start]}
        waiting = list(seen)
        while waiting:
            block = waiting.pop()
            if block in known:
                yield block
                continue
            for each in version.after[block]:
                target = version.targets[each]
                if target not in seen and target not in version.unmeasured:
                    seen.add(target)
                    waiting.append(target)

    @cached_property
    def differing(self) -> tuple[frozenset[Edge], frozenset[Edge]]:
        """The edges of both versions that are taken where the other one goes elsewhere.

        Each case of a switch is an edge by itself, and one that the other version lacks is its default. An
        edge that leads the other one to what is never measured is another matter, too.
        """
        found: tuple[set[Edge], set[Edge]] = (set(), set())
        for a, b in self.pairs:
            before, after = self.old.routine.instructions[a], self.new.routine.instructions[b]
            if before.kind not in DECIDING:
                continue
            for edge in _paired_targets(before, after):
                if (before.kind is Kind.SWITCH or not self._is_measured(edge)) and not self._is_same(edge):
                    found[0].add((before.block, edge[0]))
                    found[1].add((after.block, edge[1]))
        return frozenset(found[0]), frozenset(found[1])

    @cached_property
    def unmeasured(self) -> tuple[frozenset[Edge], frozenset[Edge]]:
        """The edges of both versions that lead the other one to what is never measured."""
        found: tuple[set[Edge], set[Edge]] = (set(), set())
        kept: tuple[set[Edge], set[Edge]] = (set(), set())
        for a, b in self.pairs:
            before, after = self.old.routine.instructions[a], self.new.routine.instructions[b]
            if before.kind in DECIDING:
                for edge in _paired_targets(before, after):
                    goes = kept if self._is_measured(edge) else found
                    goes[0].add((before.block, edge[0]))
                    goes[1].add((after.block, edge[1]))
        return frozenset(found[0] - kept[0]), frozenset(found[1] - kept[1])

    def moved_blocks(self, values: Mapping[int, int]) -> tuple[set[int], set[int]]:
        """Blocks that are executed under other conditions; `values` correspond, of both versions.

        These are blocks that other branches decide over, runs aside that one version does not measure, and
        blocks that depend on an edge which differs.
        """
        old_blocks = _dependents(self.old, self.differing[0])
        new_blocks = _dependents(self.new, self.differing[1])
        deciders = [
            _deciders(version, edges)
            for version, edges in zip((self.old, self.new), self.unmeasured, strict=True)
        ]
        for a, b in {self._blocks(*pair) for pair in self.pairs}:
            if {values.get(each, -1 - each) for each in deciders[0][a]} != deciders[1][b]:
                old_blocks.add(a)
                new_blocks.add(b)
        return old_blocks, new_blocks


def _paired_targets(before: Instruction, after: Instruction) -> Iterator[Edge]:
    """Where two versions of a decision lead in the same case."""
    if before.kind is not Kind.SWITCH or after.kind is not Kind.SWITCH:
        yield from zip(before.targets, after.targets, strict=True)
        return
    old, new = (dict(zip(each.cases, each.targets[1:], strict=True)) for each in (before, after))
    yield before.targets[0], after.targets[0]
    for case in {**old, **new}:
        yield old.get(case, before.targets[0]), new.get(case, after.targets[0])


def _deciders(version: Version, without: Set[Edge]) -> list[set[int]]:
    """For each block the values of the branches that decide over it, if these edges are never taken."""
    after = [
        tuple(each for each in targets if (block, each) not in without)
        for block, targets in enumerate(version.after)
    ]
    ends = [end - 1 + version.routine.parameters for _, end in version.routine.blocks]
    return [{ends[each] for each in those} for those in control_dependence(after, version.unmeasured)]


def _dependents(version: Version, edges: Iterable[Edge]) -> set[int]:
    """The blocks that are executed only if one of these edges is taken, or something else leads there."""
    measured = [
        ()
        if block in version.unmeasured
        else tuple(each for each in targets if each not in version.unmeasured)
        for block, targets in enumerate(version.after)
    ]
    starts = [edge for edge in edges if version.unmeasured.isdisjoint(edge)]
    parents = post_dominators(measured) if starts else []
    found: set[int] = set()
    for block, target in starts:
        each = target
        while each not in (parents[block], len(measured)):
            found.add(each)
            each = parents[each]
    return found
