"""Which branches decide whether a block of a routine is executed.

Ferrante, Ottenstein and Warren, "The program dependence graph and its use in optimization" (1987), on
post-dominators by Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm" (2001).
"""

from __future__ import annotations

from collections.abc import Sequence, Set

Blocks = Sequence[Sequence[int]]  # for each block, where it may go


def control_dependence(successors: Blocks, dead_ends: Set[int] = frozenset()) -> list[tuple[int, ...]]:
    """For each block the blocks whose end decides directly whether, or how often, it is executed.

    A decision for or against a dead end counts for the dead end only: whoever passed the check goes on as
    if there were none. A routine of dead ends only is treated as if it had none.
    """
    if not dead_ends or 0 in dead_ends:
        return _dependence(successors)
    deciders = _dependence(
        [
            () if block in dead_ends else [each for each in after if each not in dead_ends]
            for block, after in enumerate(successors)
        ]
    )
    for block, found in enumerate(_dependence(successors)):
        if block in dead_ends:
            deciders[block] = found
    return deciders


def _dependence(successors: Blocks) -> list[tuple[int, ...]]:
    parents = post_dominators(successors)
    found: list[list[int]] = [[] for _ in successors]
    for decider, after in enumerate(successors):
        distinct = dict.fromkeys(after)
        if len(distinct) < 2:
            continue
        stop = parents[decider]
        for each in distinct:
            block = each
            while block != stop and (not found[block] or found[block][-1] != decider):
                found[block].append(decider)
                block = parents[block]
    return [tuple(each) for each in found]


def post_dominators(successors: Blocks) -> list[int]:
    """For each block the nearest other block that every way from it to the end passes.

    The end is the number behind the last block. A loop without a way out gets one.
    """
    end = len(successors)
    predecessors: list[list[int]] = [[] for _ in range(end + 1)]
    for block, after in enumerate(successors):
        for each in after:
            predecessors[each].append(block)
    ends = [block for block, after in enumerate(successors) if not after]
    predecessors[end] = ends
    ways_out = _ways_out(successors, predecessors, ends)
    order = _postorder(predecessors, end)
    rank = [0] * (end + 1)
    for number, block in enumerate(order):
        rank[block] = number
    parents = [-1] * (end + 1)
    parents[end] = end
    changed = True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            new = end if block in ways_out or not successors[block] else -1
            for each in successors[block]:
                if parents[each] < 0:
                    continue
                if new < 0:
                    new = each
                    continue
                other = each
                while new != other:
                    while rank[new] < rank[other]:
                        new = parents[new]
                    while rank[other] < rank[new]:
                        other = parents[other]
            if parents[block] != new:
                parents[block] = new
                changed = True
    return parents[:end]


def dominators(successors: Blocks) -> list[int]:
    """For each block the nearest other block that every way from the first one to it passes; -1 if none does.

    So it is for the first block itself, and for blocks that nothing leads to.
    """
    order = _postorder(successors, 0)
    rank = {block: number for number, block in enumerate(order)}
    predecessors: dict[int, list[int]] = {block: [] for block in order}
    for block in order:
        for each in successors[block]:
            predecessors[each].append(block)
    parents = [-1] * len(successors)
    parents[0] = 0
    changed = True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            new = -1
            for each in predecessors[block]:
                if parents[each] < 0:
                    continue
                other, new = each, each if new < 0 else new
                while new != other:
                    while rank[new] < rank[other]:
                        new = parents[new]
                    while rank[other] < rank[new]:
                        other = parents[other]
            if parents[block] != new:
                parents[block] = new
                changed = True
    parents[0] = -1
    return parents


def _ways_out(successors: Blocks, predecessors: list[list[int]], ends: list[int]) -> set[int]:
    """Blocks of endless loops that shall lead to the end; also entered among what comes before the end."""
    seen = bytearray(len(successors))
    ways_out: set[int] = set()

    def back_from(start: list[int]) -> None:
        stack = start
        while stack:
            block = stack.pop()
            if not seen[block]:
                seen[block] = 1
                stack.extend(predecessors[block])

    back_from(list(ends))
    for start in range(len(successors)):
        while not seen[start]:
            latch = _first_finished(successors, start, seen)
            ways_out.add(latch)
            ends.append(latch)
            back_from([latch])
    return ways_out


def _first_finished(successors: Blocks, start: int, seen: bytearray) -> int:
    """A block after which everything was on the way already: the end of a loop's body."""
    block, met = start, {start}
    while True:
        after = next((each for each in successors[block] if not seen[each] and each not in met), None)
        if after is None:
            return block
        met.add(after)
        block = after


def _postorder(successors: Blocks, start: int) -> list[int]:
    order: list[int] = []
    seen = {start}
    stack = [(start, iter(successors[start]))]
    while stack:
        block, after = stack[-1]
        for each in after:
            if each not in seen:
                seen.add(each)
                stack.append((each, iter(successors[each])))
                break
        else:
            stack.pop()
            order.append(block)
    return order
