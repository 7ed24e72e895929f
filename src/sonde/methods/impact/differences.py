"""What differs between two programs, blind to what cannot matter: lines, comments, names, moved code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sonde.core.code import Global, Kind, Place, Routine, Unit
from sonde.core.impacts import ChangedRoutine
from sonde.methods.impact.dead_ends import find_failures
from sonde.methods.impact.differences_forms import Names, are_equal, names_of, rough_form
from sonde.methods.impact.differences_routines import DECISIONS, Comparison, Side, compare_routines
from sonde.methods.impact.program import Program, link

Range = tuple[int, int]  # first and last line


@dataclass(frozen=True)
class ChangedLines:
    """The lines of a file that a text difference names."""

    file: str
    old: tuple[Range, ...] = ()
    new: tuple[Range, ...] = ()
    old_file: str = ""  # if it had another name


@dataclass(frozen=True)
class RoutineDifference:
    """A routine that differs: its numbers in the programs (None: it is not there) and what differs."""

    old: int | None
    new: int | None
    old_side: Side
    new_side: Side
    only_constants: bool = False


@dataclass(frozen=True)
class GlobalDifference:
    """A global whose first value differs: its numbers in the programs, and where."""

    old: int | None
    new: int | None
    old_offsets: tuple[int, ...]
    new_offsets: tuple[int, ...]


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


def _place(routine: Routine, side: Side) -> Place:
    lines = [routine.instructions[n].place for n in sorted(side.changed | side.decisions)]
    lines += [routine.instructions[routine.blocks[n][0]].place for n in sorted(side.blocks)]
    return next((each for each in lines if each.line), routine.place)


def find_differences(
    old_units: Iterable[Unit], new_units: Iterable[Unit], changed_lines: Sequence[ChangedLines] = ()
) -> Differences:
    """What differs between the programs of these units."""
    old, new = link(old_units), link(new_units)
    pairs = _pair_routines(old, new)
    renamed = {
        old.routines[a].name: new.routines[b].name
        for a, b in pairs.items()
        if old.routines[a].name != new.routines[b].name
    }
    global_pairs = _pair_globals(old, new, renamed)
    for a, b in global_pairs.items():
        if old.globals[a].name != new.globals[b].name:
            renamed[old.globals[a].name] = new.globals[b].name
    old_names, new_names = names_of(old.units, renamed), names_of(new.units, {})
    failures: list[tuple[frozenset[int], ...]] = []  # of both programs, once something differs
    layouts_differ = old_names.types != new_names.types
    found = []
    for a, b in pairs.items():
        before, after = old.routines[a], new.routines[b]
        if before is after or (
            not layouts_differ
            and before.instructions == after.instructions
            and before.outside == after.outside
        ):
            continue
        if are_equal(before, after, old_names, new_names):
            continue
        failures = failures or [find_failures(old), find_failures(new)]
        comparison = compare_routines(before, after, old_names, new_names, (failures[0][a], failures[1][b]))
        old_side, new_side = _with_lines(before, after, comparison, changed_lines)
        if old_side or new_side:
            found.append(
                RoutineDifference(
                    a, b, old_side, new_side, comparison.only_constants and old_side is comparison.old
                )
            )
    kept = set(pairs.values())
    for b, routine in enumerate(new.routines):
        if b not in kept:
            found.append(RoutineDifference(None, b, Side(), _all_of(routine)))
    for a, routine in enumerate(old.routines):
        if a not in pairs:
            found.append(RoutineDifference(a, None, _all_of(routine), Side()))
    globals_ = _differing_globals(old, new, global_pairs, old_names, new_names)
    return Differences(old, new, tuple(found), globals_, pairs)


def _all_of(routine: Routine) -> Side:
    every = [
        n
        for n, each in enumerate(routine.instructions)
        if each.kind not in (Kind.LOCAL, Kind.JUMP, Kind.STOP)
    ]
    return Side(
        frozenset(every),
        frozenset(n for n in every if routine.instructions[n].kind in DECISIONS),
        frozenset(),
        frozenset(n for n in every if routine.instructions[n].kind is Kind.CALL),
    )


def _pair_routines(old: Program, new: Program) -> dict[int, int]:
    """Which routines correspond: by unit and name, then by name, then by what they do."""
    pairs: dict[int, int] = {}
    by_home = {
        (new.units[new.unit_of_routine[n]].source, each.name): n for n, each in enumerate(new.routines)
    }
    by_name: dict[str, list[int]] = defaultdict(list)
    for n, each in enumerate(new.routines):
        by_name[each.name].append(n)
    left = []
    taken: set[int] = set()
    for a, routine in enumerate(old.routines):
        b = by_home.get((old.units[old.unit_of_routine[a]].source, routine.name))
        if b is None and not routine.is_internal:
            b = next((n for n in by_name[routine.name] if not new.routines[n].is_internal), None)
        if b is None or b in taken:
            left.append(a)
        else:
            pairs[a] = b
            taken.add(b)
    again = []
    for a in left:
        free = [n for n in by_name[old.routines[a].name] if n not in taken]
        if free:
            pairs[a] = free[0]
            taken.add(free[0])
        else:
            again.append(a)
    gone = [n for n in range(len(new.routines)) if n not in taken]
    if again and gone:
        known = {old.routines[a].name for a in pairs} | _global_names(old) & _global_names(new)
        known |= {n for n in _mentioned(old) if n not in _defined(old)}
        forms: dict[object, list[int]] = defaultdict(list)
        for b in gone:
            forms[rough_form(new.routines[b], known)].append(b)
        for a in again:
            same = forms.get(rough_form(old.routines[a], known))
            if same:
                pairs[a] = same.pop(0)
    return pairs


def _global_names(program: Program) -> set[str]:
    return {each.name for each in program.globals}


def _defined(program: Program) -> set[str]:
    return _global_names(program) | {each.name for each in program.routines}


def _mentioned(program: Program) -> set[str]:
    return {
        name
        for routine in program.routines
        for name in (getattr(each, "name", None) for each in routine.outside)
        if name is not None
    }


def _pair_globals(old: Program, new: Program, renamed: Mapping[str, str]) -> dict[int, int]:
    pairs: dict[int, int] = {}
    by_home = {(new.units[new.unit_of_global[n]].source, each.name): n for n, each in enumerate(new.globals)}
    by_name: dict[str, list[int]] = defaultdict(list)
    for n, each in enumerate(new.globals):
        by_name[each.name].append(n)
    taken: set[int] = set()
    left = []
    for a, each in enumerate(old.globals):
        if each.text:
            continue
        b = by_home.get((old.units[old.unit_of_global[a]].source, each.name))
        if b is None:
            b = next((n for n in by_name.get(_renamed(each.name, renamed), ()) if n not in taken), None)
        if b is None or b in taken:
            left.append(a)
        else:
            pairs[a] = b
            taken.add(b)
    forms: dict[object, list[int]] = defaultdict(list)
    for b, each in enumerate(new.globals):
        if b not in taken and not each.text:
            forms[_global_form(each)].append(b)
    for a in left:
        same = forms.get(_global_form(old.globals[a]))
        if same:
            pairs[a] = same.pop(0)
    return pairs


def _renamed(name: str, renamed: Mapping[str, str]) -> str:
    """Also static variables of a routine, whose name stands before theirs."""
    routine, dot, rest = name.partition(".")
    return renamed.get(name) or (renamed.get(routine, routine) + dot + rest)


def _global_form(each: Global) -> object:
    return (each.size, each.is_internal, each.is_constant, each.parts, each.variable and each.variable.type)


def _differing_globals(
    old: Program, new: Program, pairs: Mapping[int, int], old_names: Names, new_names: Names
) -> tuple[GlobalDifference, ...]:
    found = []
    for a, b in pairs.items():
        before, after = old.globals[a], new.globals[b]
        if before is after:
            continue
        old_parts, new_parts = _parts(before, old_names), _parts(after, new_names)
        if old_parts == new_parts:
            continue
        keys = [
            key
            for key in {**old_parts, **new_parts}
            if _contents(old_parts, key) != _contents(new_parts, key)
        ]
        found.append(
            GlobalDifference(
                a,
                b,
                tuple(sorted({_offset(key, before, old_names) for key in keys})),
                tuple(sorted({_offset(key, after, new_names) for key in keys})),
            )
        )
    return tuple(found)


Parts = Mapping[object, Sequence[tuple[int, object]]]  # by field: offsets and contents


def _contents(parts: Parts, key: object) -> list[object]:
    return [content for _, content in parts.get(key, ())]


def _parts(each: Global, names: Names) -> dict[object, list[tuple[int, object]]]:
    found: dict[object, list[tuple[int, object]]] = defaultdict(list)
    type = each.variable.type if each.variable else ""
    for part in each.parts:
        content: object = part.content if part.address is None else names.outside(part.address)
        found[names.field(type, part.offset)].append((part.offset, content))
    return {key: [(0, content) for _, content in those] for key, those in found.items()}


def _offset(key: object, each: Global, names: Names) -> int:
    if isinstance(key, int):
        return key
    type = each.variable.type if each.variable else ""
    return next((offset for offset, name in names.types.get(type, {}).items() if name == key), 0)


def _with_lines(
    old: Routine, new: Routine, comparison: Comparison, changed_lines: Sequence[ChangedLines]
) -> tuple[Side, Side]:
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


def _joined(side: Side, more: Iterable[int], routine: Routine) -> Side:
    more = frozenset(more)
    return Side(
        side.changed | more,
        side.decisions | {n for n in more if routine.instructions[n].kind in DECISIONS},
        side.blocks,
        side.entered,
    )
