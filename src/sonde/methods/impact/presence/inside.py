"""Ways through one routine in all configurations at once.

Configurations that decide alike in the whole routine are one class: sets of classes are small numbers, where
sets of configurations have thousands of bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

MOST_CLASSES = 512
FEW_CLASSES = 8  # one is looked at after the other

Onward = tuple[int, int, bool]  # target, the classes that go there, whether it came before


@dataclass(frozen=True)
class Inside:
    """The blocks of a routine that may be executed, in an order in which they may be, and where they go."""

    blocks: int
    classes: tuple[int, ...]  # sets of configurations; empty: each configuration is one of its own
    entry: int
    rows: tuple[tuple[int, tuple[Onward, ...]], ...]
    ends: frozenset[int]  # other than dead ends

    def passed_by(self, blocks: Set[int]) -> int:
        """The configurations in which the routine may come to an end without these blocks."""
        if len(blocks) == 1 and 0 < len(self.classes) <= FEW_CLASSES:
            passed = [needed is not None and needed.isdisjoint(blocks) for needed in self._needed]
            return sum(each for each, is_passed in zip(self.classes, passed, strict=True) if is_passed)
        found = [0] * self.blocks
        found[0] = self.entry if 0 not in blocks else 0
        is_open = True
        while is_open:
            is_open = False
            for block, onward in self.rows:
                here = found[block]
                if not here:
                    continue
                for target, mask, is_back in onward:
                    new = here & mask & ~found[target]
                    if new and target not in blocks:
                        found[target] |= new
                        is_open = is_open or is_back
        ended = 0
        for block in self.ends:
            ended |= found[block]
        return self._configurations(ended)

    @cached_property
    def _needed(self) -> tuple[frozenset[int] | None, ...]:
        """For each class the blocks that lie on all of its ways to an end; None if there is no way."""
        return tuple(
            _on_all_ways(
                {
                    block: [target for target, mask, _ in onward if mask >> number & 1]
                    for block, onward in self.rows
                },
                self.ends,
            )
            for number in range(len(self.classes))
        )

    def _configurations(self, classes: int) -> int:
        if not self.classes:
            return classes
        found = 0
        for number, each in enumerate(self.classes):
            if classes >> number & 1:
                found |= each
        return found


def find_inside(
    after: Sequence[Sequence[int]],
    entry: int,
    edges: Mapping[tuple[int, int], int],
    dead_ends: Set[int] = frozenset(),
) -> Inside:
    """From where blocks lead, when the routine is entered, and when it is gone from block to block."""
    order = _order(after, edges)
    ranks = {block: rank for rank, block in enumerate(order)}
    classes = _classes(entry, dict.fromkeys(edges.values()))
    known: dict[int, int] = {}

    def within(mask: int) -> int:
        if not classes:
            return mask
        if mask not in known:
            known[mask] = sum(1 << number for number, each in enumerate(classes) if each & mask)
        return known[mask]

    rows = tuple(
        (
            block,
            tuple(
                (target, within(edges[block, target]), ranks[target] <= rank)
                for target in dict.fromkeys(after[block])
                if edges.get((block, target))
            ),
        )
        for rank, block in enumerate(order)
    )
    ends = frozenset(each for each in order if not after[each] and each not in dead_ends)
    return Inside(len(after), classes, within(entry), rows, ends)


def _on_all_ways(after: Mapping[int, Sequence[int]], ends: Set[int]) -> frozenset[int] | None:
    """The blocks that every way from the first one to an end passes; None if there is no way.

    They lie on any way that is looked at. A block of it is passed by if what comes before it, off that way,
    leads to something behind it.
    """
    way = _way(after, ends)
    if not way:
        return None
    ranks = {block: rank for rank, block in enumerate(way)}
    found = set()
    seen: set[int] = set()
    farthest = 0
    for rank, block in enumerate(way):
        if farthest <= rank:
            found.add(block)
        waiting = [block]
        while waiting:
            current = waiting.pop()
            if current in ends:
                farthest = len(way)
            for each in after[current]:
                if each in ranks:
                    farthest = max(farthest, ranks[each])
                elif each not in seen:
                    seen.add(each)
                    waiting.append(each)
    return frozenset(found)


def _way(after: Mapping[int, Sequence[int]], ends: Set[int]) -> list[int]:
    """The blocks of one way from the first to an end; nothing if there is none."""
    before = {0: -1}
    waiting = [0]
    for block in waiting:
        if block in ends:
            way = [block]
            while (block := before[block]) >= 0:
                way.append(block)
            return way[::-1]
        for each in after[block]:
            if each not in before:
                before[each] = block
                waiting.append(each)
    return []


def _classes(entry: int, masks: Iterable[int]) -> tuple[int, ...]:
    """The parts of the configurations that none of the masks divides; nothing if they are too many."""
    found = [entry] if entry else []
    for mask in masks:
        parts = []
        for each in found:
            inside = each & mask
            if inside and inside != each:
                parts += [inside, each ^ inside]
            else:
                parts.append(each)
        found = parts
        if len(found) > MOST_CLASSES:
            return ()
    return tuple(found)


def _order(after: Sequence[Sequence[int]], edges: Mapping[tuple[int, int], int]) -> list[int]:
    """The blocks that may be executed; each before those that it leads to, but for loops."""
    order: list[int] = []
    seen = {0}
    stack = [(0, iter(after[0]))]
    while stack:
        block, targets = stack[-1]
        following = next((each for each in targets if each not in seen and edges.get((block, each))), None)
        if following is None:
            order.append(block)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(after[following])))
    order.reverse()
    return order
