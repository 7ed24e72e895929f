"""What differs between two programs, blind to what cannot matter: lines, comments, names, moved code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from sonde.core.code import DECIDING, Kind, Routine, SourceLine, Unit
from sonde.core.findings.impacts import ChangedRoutine
from sonde.methods.impact.differences.forms import are_equal, names_of
from sonde.methods.impact.differences.globals import GlobalDifference, differing_globals
from sonde.methods.impact.differences.lines import ChangedFileLines, with_lines
from sonde.methods.impact.differences.pairing import pair_globals, pair_routines
from sonde.methods.impact.differences.routines import VersionSide, compare_routines
from sonde.methods.impact.endings.messages import find_unmeasured_ends
from sonde.methods.impact.program.linking import Program, link


@dataclass(frozen=True)
class RoutineDifference:
    """A routine that differs: its numbers in the programs (None: it is not there) and what differs."""

    old: int | None
    new: int | None
    old_side: VersionSide
    new_side: VersionSide
    only_constants: bool = False
    kept: tuple[tuple[int, int], ...] = ()  # instructions of both that correspond, by their positions


@dataclass(frozen=True)
class Differences:
    """Everything that differs between two programs."""

    old: Program
    new: Program
    routines: tuple[RoutineDifference, ...] = ()
    globals: tuple[GlobalDifference, ...] = ()
    pairs: Mapping[int, int] = field(default_factory=dict)  # routines of the old program to those of the new

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self.routines or self.globals)

    @property
    def needs_old(self) -> bool:
        """Whether something could reach hot code in the old program only."""
        return any(each.old_side and not each.only_constants for each in self.routines)

    @property
    def names_of_routines(self) -> tuple[str, ...]:
        """The routines that differ, as the linker names them."""
        names = [self.new.routines[each.new].name for each in self.routines if each.new is not None]
        names += [self.old.routines[each.old].name for each in self.routines if each.old is not None]
        return tuple(dict.fromkeys(names))

    @property
    def changed(self) -> tuple[ChangedRoutine, ...]:
        """For people: what differs, with the numbers of instructions."""
        found = []
        for each in self.routines:
            number = each.new if each.new is not None else each.old
            program = self.new if each.new is not None else self.old
            side = each.new_side if each.new is not None else each.old_side
            assert number is not None
            routine = program.routines[number]
            found.append(
                ChangedRoutine(
                    routine.shown or routine.name,
                    _place(routine, side),
                    len(each.new_side.changed | each.new_side.decisions),
                    len(each.old_side.changed | each.old_side.decisions),
                )
            )
        for other in self.globals:
            number = other.new if other.new is not None else other.old
            assert number is not None
            thing = (self.new if other.new is not None else self.old).globals[number]
            name = thing.variable.name if thing.variable else thing.name
            found.append(ChangedRoutine(name, thing.place, 0, 0))
        return tuple(found)


def _place(routine: Routine, side: VersionSide) -> SourceLine:
    lines = [routine.instructions[n].place for n in sorted(side.changed | side.decisions)]
    lines += [routine.instructions[routine.blocks[n][0]].place for n in sorted(side.blocks)]
    return next((each for each in lines if each.line), routine.place)


def find_differences(
    old_units: Iterable[Unit],
    new_units: Iterable[Unit],
    changed_lines: Sequence[ChangedFileLines] = (),
    words: Set[str] = frozenset(),
) -> Differences:
    """What differs between the programs of these units; `words` of the command line are those of options."""
    old, new = link(old_units), link(new_units)
    pairs = pair_routines(old, new)
    renamed = {
        old.routines[a].name: new.routines[b].name
        for a, b in pairs.items()
        if old.routines[a].name != new.routines[b].name
    }
    global_pairs = pair_globals(old, new, renamed)
    for a, b in global_pairs.items():
        if old.globals[a].name != new.globals[b].name:
            renamed[old.globals[a].name] = new.globals[b].name
    old_names, new_names = names_of(old.units, renamed), names_of(new.units, {})
    layouts_differ = old_names.types != new_names.types
    unlike = []
    for a, b in pairs.items():
        before, after = old.routines[a], new.routines[b]
        if before is after or (
            not layouts_differ
            and before.instructions == after.instructions
            and before.outside == after.outside
        ):
            continue
        if not are_equal(before, after, old_names, new_names):
            unlike.append((a, b))
    old_ends = find_unmeasured_ends(old, [a for a, _ in unlike], words)
    new_ends = find_unmeasured_ends(new, [b for _, b in unlike], words)
    found = []
    for a, b in unlike:
        before, after = old.routines[a], new.routines[b]
        comparison = compare_routines(before, after, old_names, new_names, (old_ends[a], new_ends[b]))
        old_side, new_side = with_lines(before, after, comparison, changed_lines)
        if old_side or new_side:
            found.append(
                RoutineDifference(
                    a,
                    b,
                    old_side,
                    new_side,
                    comparison.only_constants and old_side is comparison.old,
                    comparison.pairs,
                )
            )
    kept = set(pairs.values())
    for b, routine in enumerate(new.routines):
        if b not in kept:
            found.append(RoutineDifference(None, b, VersionSide(), _all_of(routine)))
    for a, routine in enumerate(old.routines):
        if a not in pairs:
            found.append(RoutineDifference(a, None, _all_of(routine), VersionSide()))
    globals_ = differing_globals(old, new, global_pairs, old_names, new_names)
    return Differences(old, new, tuple(found), globals_, pairs)


def _all_of(routine: Routine) -> VersionSide:
    every = [
        n
        for n, each in enumerate(routine.instructions)
        if each.kind not in (Kind.LOCAL, Kind.JUMP, Kind.STOP)
    ]
    return VersionSide(
        frozenset(every),
        frozenset(n for n in every if routine.instructions[n].kind in DECIDING),
        frozenset(),
        frozenset(n for n in every if routine.instructions[n].kind is Kind.CALL),
    )
