"""Where control may go from blocks of a routine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set


def reached_from(
    after: Sequence[Sequence[int]], start: Iterable[int], ends: Set[int] = frozenset()
) -> set[int]:
    """These blocks and all that they lead to, before one of `ends` is come to."""
    seen = set(start)
    waiting = list(seen)
    while waiting:
        for each in after[waiting.pop()]:
            if each not in seen and each not in ends:
                seen.add(each)
                waiting.append(each)
    return seen
