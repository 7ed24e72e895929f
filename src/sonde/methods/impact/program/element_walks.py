"""Where a FIELD leads: into parts of an object, and along elements."""

from __future__ import annotations

from typing import NamedTuple

from sonde.core.code import OPEN, FieldStep

Steps = tuple[FieldStep, ...]


class View(NamedTuple):
    """Which bytes of an object a pointer may come to by walking, and where it has walked."""

    start: int
    end: int
    walked: frozenset[tuple[int, int]] = frozenset()  # from a first byte to behind a last one
    has_moved: bool = False  # by a constant, since it has walked

    def walking(self) -> View:
        """The same view of a pointer that walks there."""
        return self._replace(walked=self.walked | {(self.start, self.end)})


class ElementWalk(NamedTuple):
    """From an offset to any other one that is a multiple of the stride away, between start and end."""

    offset: int
    start: int
    end: int
    stride: int

    def leaves_at(self, offset: int) -> bool:
        """Whether a cell at this offset lies where it goes, and not in the element where it begins."""
        return self.start <= offset < self.end and not 0 <= offset - self.offset < self.stride


EVERYTHING = View(0, OPEN)


def follow(at: int, view: View, offset: int, steps: Steps) -> tuple[View, list[ElementWalk]]:
    """What a pointer to `at` sees behind a FIELD of so many bytes, and the walks on the way.

    Who leaves what was entered before, such as from a member to what contains it, sees everything again.
    """
    start, end, walked, has_moved = view
    walks = []
    last = 0
    for begin, length, stride in steps:
        here = at + begin
        has_moved |= bool(walked) and begin != last
        last = begin
        if length:
            start, end = here, here + length
        elif not start <= here < end:
            start, end, *_ = EVERYTHING
        if stride:
            walked |= {(start, end)}
            walks.append(ElementWalk(here, start, end, stride))
    has_moved |= bool(walked) and offset != last
    if not start <= at + offset <= end:
        if (start, end) in walked:  # from whichever element: perhaps to another one
            walks.append(ElementWalk(at, 0, OPEN, abs(offset)))
            walked |= {(0, OPEN)}
        start, end, *_ = EVERYTHING
    return View(start, end, walked, has_moved), walks
