"""Revisions that changed many series at once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from sonde.core.findings.histories import ChangePoint, SeriesHistory


@dataclass(frozen=True)
class _Located:
    """A change point and the series that it is of."""

    change: ChangePoint
    series: int


@dataclass(frozen=True)
class CommonChange:
    """Change points that can all lie at `position`."""

    position: int
    changes: tuple[ChangePoint, ...]  # one or more; two of the same series where their ranges overlap
    series: int  # how many changed
    exact: int  # how many changes can lie here only


def common_changes(series: Sequence[SeriesHistory], at_most: int) -> list[CommonChange]:
    """The revisions that changed most series, the one with the most first; each change point counts once.

    A change that is known as a range counts for the revision of the range that can have changed most other
    series, too. Ties go to the revision that is most often the most likely one, then to the earliest.
    """
    left = [_Located(change, number) for number, each in enumerate(series) for change in each.changes]
    found: list[CommonChange] = []
    while left and len(found) < at_most:
        position = _most_common_position(left)
        here = [each for each in left if each.change.earliest <= position <= each.change.latest]
        left = [each for each in left if not each.change.earliest <= position <= each.change.latest]
        found.append(
            CommonChange(
                position,
                tuple(each.change for each in here),
                len({each.series for each in here}),
                sum(each.change.is_exact for each in here),
            )
        )
    return found


def _most_common_position(changes: Sequence[_Located]) -> int:
    ranges = _joined(changes)
    starts = sorted(start for start, _ in ranges)
    ends = sorted(end for _, end in ranges)
    likely = sorted(each.change.position for each in changes)

    def weight(position: int) -> tuple[int, int, int]:
        covering = bisect_right(starts, position) - bisect_left(ends, position)
        return covering, bisect_right(likely, position) - bisect_left(likely, position), -position

    return max({*likely, *starts}, key=weight)


def _joined(changes: Sequence[_Located]) -> list[tuple[int, int]]:
    """The ranges of the changes; those of one series that overlap are one, for it counts once."""
    ranges: list[tuple[int, int]] = []
    before = None
    for each in sorted(changes, key=lambda each: (each.series, each.change.earliest)):
        start, end = each.change.earliest, each.change.latest
        if each.series == before and start <= ranges[-1][1]:
            ranges[-1] = ranges[-1][0], max(ranges[-1][1], end)
        else:
            ranges.append((start, end))
        before = each.series
    return ranges
