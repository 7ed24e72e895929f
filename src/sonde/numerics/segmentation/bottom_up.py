"""Segmentation from the bottom: begin with short segments, merge the two that differ least, again and again.

As `ruptures.BottomUp(model="l2")`, which RQ3 of the paper on performance histories uses. It is greedy: an
early merge is never taken back, so a change can be found some values away from its place.
"""

from __future__ import annotations

import heapq
from itertools import pairwise

from numpy.typing import ArrayLike

from sonde.numerics.segmentation.series import Sums, checked_series, checked_weights
from sonde.numerics.segmentation.stopping import Grid, NumberOfChanges, Penalty, Stop

RUPTURES_GRID = Grid()


def merge_from_bottom(values: ArrayLike, stop: Stop, grid: Grid = RUPTURES_GRID) -> tuple[int, ...]:
    """The changes, in order. Of equally cheap merges, the earliest is made."""
    series = checked_series(values)
    sums = Sums.of(series, checked_weights(None, len(series)))
    edges = [0, *_finest(sums.length, grid), sums.length]
    following = dict(pairwise(edges))  # where the next segment begins
    preceding = {end: start for start, end in pairwise(edges)}
    merges: list[tuple[float, int, int, int]] = []
    for start, change, end in zip(edges, edges[1:], edges[2:], strict=False):
        heapq.heappush(merges, (_loss(sums, start, change, end), start, change, end))
    while merges:
        loss, start, change, end = heapq.heappop(merges)
        if following.get(start) != change or following.get(change) != end:
            continue  # one of the two has become part of another segment
        match stop:
            case Penalty(cost) if loss >= cost:
                break
            case NumberOfChanges(number) if len(following) - 1 <= number:
                break
        del following[change], preceding[change]
        following[start], preceding[end] = end, start
        if start in preceding:
            before = preceding[start]
            heapq.heappush(merges, (_loss(sums, before, start, end), before, start, end))
        if end in following:
            after = following[end]
            heapq.heappush(merges, (_loss(sums, start, end, after), start, end, after))
    return tuple(sorted(start for start in following if start))


def _loss(sums: Sums, start: int, change: int, end: int) -> float:
    """What merging two segments costs."""
    return float(sums.cost(start, end) - sums.cost(start, change) - sums.cost(change, end))


def _finest(length: int, grid: Grid) -> list[int]:
    """The changes to begin with: the longest segment is halved until that one cannot be."""
    longest = [(-length, 0, length)]
    while True:
        _, start, end = longest[0]
        change = _middle(start, end, grid)
        if change is None:
            return sorted(begin for _, begin, _ in longest if begin)
        heapq.heapreplace(longest, (start - change, start, change))
        heapq.heappush(longest, (change - end, change, end))


def _middle(start: int, end: int, grid: Grid) -> int | None:
    """The place on the grid nearest to the middle of a segment, the earlier of two; None if it has none."""
    first = -(-(start + grid.shortest) // grid.step) * grid.step
    last = (end - grid.shortest) // grid.step * grid.step
    if first > last:
        return None
    below = (start + end) // (2 * grid.step) * grid.step
    places = [min(max(place, first), last) for place in (below, below + grid.step)]
    return min(places, key=lambda place: abs(2 * place - start - end))
