"""Changed instructions by the lines that a text difference names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sonde.core.code import DECIDING, Kind, Routine
from sonde.methods.impact.differences.routines import RoutineComparison, VersionSide

Range = tuple[int, int]  # first and last line


@dataclass(frozen=True)
class ChangedFileLines:
    """The lines of a file that a text difference names."""

    file: str
    old: tuple[Range, ...] = ()
    new: tuple[Range, ...] = ()
    old_file: str = ""  # if it had another name


def with_lines(
    old: Routine, new: Routine, comparison: RoutineComparison, changed_lines: Sequence[ChangedFileLines]
) -> tuple[VersionSide, VersionSide]:
    """Also what stands on changed lines, unless its other version does so too: then it was edited in place.

    Only where the routine differs anyway: lines of code that does the same are cosmetic.
    """
    if not changed_lines or not (comparison.old or comparison.new):
        return comparison.old, comparison.new
    old_lines = {each.old_file or each.file: _lines(each.old) for each in changed_lines}
    new_lines = {each.file: _lines(each.new) for each in changed_lines}
    more_old: set[int] = set()
    more_new: set[int] = set()
    for a, b in comparison.pairs:
        before, after = old.instructions[a], new.instructions[b]
        was = before.place.line in old_lines.get(before.place.file, ())
        now = after.place.line in new_lines.get(after.place.file, ())
        if was != now and after.kind not in (Kind.LOCAL, Kind.JUMP, Kind.STOP):
            (more_new if now else more_old).add(b if now else a)
    old_side, new_side = comparison.old, comparison.new
    if more_old:
        old_side = _joined(old_side, more_old, old)
    if more_new:
        new_side = _joined(new_side, more_new, new)
    return old_side, new_side


def _lines(ranges: Iterable[Range]) -> frozenset[int]:
    return frozenset(line for first, last in ranges for line in range(first, last + 1))


def _joined(side: VersionSide, more: Iterable[int], routine: Routine) -> VersionSide:
    more = frozenset(more)
    return VersionSide(
        side.changed | more,
        side.decisions | {n for n in more if routine.instructions[n].kind in DECIDING},
        side.blocks,
        side.entered,
    )
