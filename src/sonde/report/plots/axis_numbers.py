"""Numbers below an axis, each at its place as far as there is room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class _Numbers:
    """Neighbours that share a place; both ends are inclusive."""

    first: int
    last: int
    left: int  # column of the first one
    right: int  # column of the last one

    @property
    def text(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"

    def start(self, columns: int) -> int:
        """Where its text begins, centred below its columns."""
        middle = (self.left + self.right) // 2 - (len(self.text) - 1) // 2
        return max(0, min(middle, columns - len(self.text)))


def numbers_line(places: Sequence[int], columns: int) -> str:
    """The numbers from 1 on, each below its column; where two would touch, they become a range.

    `places` ascend.
    """
    groups: list[_Numbers] = []
    for number, place in enumerate(places, 1):
        group = _Numbers(number, number, place, place)
        while groups and _end(groups[-1], columns) >= group.start(columns):
            before = groups.pop()
            group = _Numbers(before.first, number, before.left, place)
        groups.append(group)
    line = ""
    for group in groups:
        line = line.ljust(group.start(columns)) + group.text
    return line


def _end(group: _Numbers, columns: int) -> int:
    """The column that must stay free after its text."""
    return group.start(columns) + len(group.text)
