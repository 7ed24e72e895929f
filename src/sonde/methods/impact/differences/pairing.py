"""Which routines and globals of two programs correspond."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from sonde.core.code import Global
from sonde.methods.impact.differences.forms import rough_form
from sonde.methods.impact.program.linking import Program


def pair_routines(old: Program, new: Program) -> dict[int, int]:
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


def pair_globals(old: Program, new: Program, renamed: Mapping[str, str]) -> dict[int, int]:
    """Which globals correspond, literals aside: by unit and name, then by name, then by what they hold."""
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
