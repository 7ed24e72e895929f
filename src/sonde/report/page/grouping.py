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
    members: tuple[SeriesChange, ...]  # the largest effect first

    @property
    def largest(self) -> SeriesChange:
        """The member with the largest effect."""
        return self.members[0]

    @property
    def series(self) -> tuple[int, ...]:
        """The series that changed, each once."""
        return tuple(dict.fromkeys(member.series for member in self.members))


def group_changes(series: Sequence[SeriesHistory]) -> list[ChangeGroup]:
    """The fewest groups such that the ranges of each have a revision in common."""
    together: defaultdict[tuple[str, bool], list[SeriesChange]] = defaultdict(list)
    for number, each in enumerate(series):
        for change in each.changes:
            together[each.benchmark, change.effect > 0].append(SeriesChange(number, change))
    return [group for members in together.values() for group in _groups(members)]


def _groups(members: Sequence[SeriesChange]) -> Iterator[ChangeGroup]:
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
        tuple(sorted(members, key=lambda member: (-abs(member.change.effect), member.series))),
    )
