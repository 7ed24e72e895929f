"""Ways through one routine in all configurations at once.

Configurations that decide alike in the whole routine are one class: sets of classes are small numbers, where
sets of configurations have thousands of bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

MOST_CLASSES = 512

Onward = tuple[int, int, bool]  # target, the classes that go there, whether it came before


@dataclass(frozen=True)
class Inside:
    """The blocks of a routine that may be executed, in an order in which they may be, and where they go."""

    blocks: int
    classes: tuple[int, ...]  # sets of configurations; empty: each configuration is one of its own
    entry: int
    rows: tuple[tuple[int, tuple[Onward, ...]], ...]
    ends: tuple[int, ...]

    def passed_by(self, blocks: Set[int], dead_ends: Set[int]) -> int:
        """The configurations in which the routine may come to an end without these blocks."""
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
            if block not in dead_ends:
                ended |= found[block]
        return self._configurations(ended)

    def _configurations(self, classes: int) -> int:
        if not self.classes:
            return classes
        found = 0
        for number, each in enumerate(self.classes):
            if classes >> number & 1:
                found |= each
        return found


def find_inside(after: Sequence[Sequence[int]], entry: int, edges: Mapping[tuple[int, int], int]) -> Inside:
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
    return Inside(len(after), classes, within(entry), rows, tuple(each for each in order if not after[each]))


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
