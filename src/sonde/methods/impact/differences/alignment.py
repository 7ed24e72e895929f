"""Which elements of two sequences correspond: patience where something is unique, else longest matches."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

MOST_WORK = 4_000_000  # product of lengths; what is more different than that has nothing in common


def align(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Pairs of positions with equal elements, both rising."""
    pairs: list[tuple[int, int]] = []
    stack = [(0, len(old), 0, len(new))]
    while stack:
        low, high, new_low, new_high = stack.pop()
        while low < high and new_low < new_high and old[low] == new[new_low]:
            pairs.append((low, new_low))
            low, new_low = low + 1, new_low + 1
        while low < high and new_low < new_high and old[high - 1] == new[new_high - 1]:
            high, new_high = high - 1, new_high - 1
            pairs.append((high, new_high))
        if low == high or new_low == new_high:
            continue
        anchors = _unique_pairs(old, new, (low, high, new_low, new_high))
        if anchors:
            edges = [(low - 1, new_low - 1), *anchors, (high, new_high)]
            pairs.extend(anchors)
            for (a, b), (c, d) in pairwise(edges):
                if c > a + 1 and d > b + 1:
                    stack.append((a + 1, c, b + 1, d))
        elif (high - low) * (new_high - new_low) <= MOST_WORK:
            matcher = SequenceMatcher(None, old[low:high], new[new_low:new_high], autojunk=False)
            for a, b, size in matcher.get_matching_blocks():
                pairs.extend((low + a + n, new_low + b + n) for n in range(size))
    pairs.sort()
    return pairs


def _unique_pairs(
    old: Sequence[Hashable], new: Sequence[Hashable], bounds: tuple[int, int, int, int]
) -> list[tuple[int, int]]:
    """The longest rising run of elements that are unique in both."""
    low, high, new_low, new_high = bounds
    counts = Counter(old[low:high])
    new_counts = Counter(new[new_low:new_high])
    places = {
        new[n]: n for n in range(new_low, new_high) if new_counts[new[n]] == 1 and counts.get(new[n]) == 1
    }
    candidates = [(n, places[old[n]]) for n in range(low, high) if old[n] in places]
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(candidates):
        at = bisect_left(tails, place)
        before.append(ends[at - 1] if at else -1)
        if at == len(tails):
            tails.append(place)
            ends.append(number)
        else:
            tails[at] = place
            ends[at] = number
    run: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        run.append(candidates[number])
        number = before[number]
    run.reverse()
    return run
