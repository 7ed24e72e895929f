"""Changes of several configurations at the same revision are one row of the list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sonde.core.findings.histories import ChangePoint, SeriesHistory


@dataclass(frozen=True)
class SeriesChange:
    """A change point and the series that it is of."""

    series: int
    change: ChangePoint


@dataclass(frozen=True)
class ChangeGroup:
    """Changes of one benchmark in one direction that one revision can explain."""

    earliest: int
    latest: int
    members: tuple[SeriesChange, ...]  # those at one revision first, then by size

    @property
    def main(self) -> SeriesChange:
        """The member that the row shows: the largest of those at one revision, or of all."""
        return self.members[0]

    @property
    def series(self) -> tuple[int, ...]:
        """The series that changed, each once."""
        return tuple(dict.fromkeys(member.series for member in self.members))

    @property
    def certain_series(self) -> tuple[int, ...]:
        """Those that changed at just this revision; all of them if none is known to."""
        exact = [each.series for each in self.members if each.change.earliest == each.change.latest]
        return tuple(dict.fromkeys(exact)) or self.series


def group_changes(series: Sequence[SeriesHistory]) -> list[ChangeGroup]:
    """Groups such that the ranges of each have a revision in common.

    A range joins the change that is known exactly, lies in it, and has the most similar effect. Ranges
    without such a change are put in as few groups as possible.
    """
    together: defaultdict[tuple[str, bool], list[SeriesChange]] = defaultdict(list)
    for number, each in enumerate(series):
        for change in each.changes:
            together[each.benchmark, change.effect > 0].append(SeriesChange(number, change))
    return [group for members in together.values() for group in _groups(members)]


def _groups(members: Sequence[SeriesChange]) -> Iterator[ChangeGroup]:
    exact: defaultdict[int, list[SeriesChange]] = defaultdict(list)
    for member in members:
        if member.change.earliest == member.change.latest:
            exact[member.change.latest].append(member)
    effects = {position: _largest_effect(some) for position, some in exact.items()}
    left = []
    for member in members:
        change = member.change
        inside = [position for position in effects if change.earliest <= position <= change.latest]
        if change.earliest == change.latest:
            continue
        if inside:
            exact[min(inside, key=lambda at: abs(effects[at] - change.effect))].append(member)
        else:
            left.append(member)
    yield from map(_group, exact.values())
    yield from _stabbed(left)


def _largest_effect(members: Sequence[SeriesChange]) -> float:
    return max((member.change.effect for member in members), key=abs)


def _stabbed(members: Sequence[SeriesChange]) -> Iterator[ChangeGroup]:
    """The range that ends first is a group with all ranges that have begun by then, and so on."""
    left = sorted(members, key=lambda member: (member.change.latest, member.change.earliest, member.series))
    while left:
        end = left[0].change.latest
        yield _group([member for member in left if member.change.earliest <= end])
        left = [member for member in left if member.change.earliest > end]


def _group(members: Sequence[SeriesChange]) -> ChangeGroup:
    return ChangeGroup(
        max(member.change.earliest for member in members),
        min(member.change.latest for member in members),
        tuple(sorted(members, key=_weight)),
    )


def _weight(member: SeriesChange) -> tuple[bool, float, int]:
    """Changes at one revision before ranges, whose size may be that of several; then by size."""
    is_range = member.change.earliest != member.change.latest
    return is_range, -abs(member.change.effect), member.series
