"""A whole program: its units, joined by the names that they share, as a linker does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sonde.core.code import Address, Global, Instruction, Routine, Unit


class RoutineRef(NamedTuple):
    """A routine with a body, by its position in `Program.routines`."""

    id: int


class GlobalRef(NamedTuple):
    """A global, by its position in `Program.globals`."""

    id: int


class External(NamedTuple):
    """What no unit defines: it lies in a library."""

    name: str


Named = RoutineRef | GlobalRef | External


@dataclass(frozen=True)
class Program:
    """Units that are linked together."""

    units: tuple[Unit, ...]
    routines: tuple[Routine, ...]
    unit_of_routine: tuple[int, ...]
    globals: tuple[Global, ...]
    unit_of_global: tuple[int, ...]
    shared: Mapping[str, Named]  # names that all units see
    own: tuple[Mapping[str, Named], ...]  # names that only one unit sees, for each unit
    origin: tuple[int, ...] = ()  # what each routine is a copy of; empty: there are no copies

    def named(self, unit: int, name: str) -> Named:
        """What a name means in a unit."""
        found = self.own[unit].get(name) or self.shared.get(name)
        return External(name) if found is None else found

    def meaning(self, routine: int, operand: int) -> Named | None:
        """What an operand is the address of; None for values of the routine and for constants."""
        if operand >= 0:
            return None
        outside = self.routines[routine].outside[~operand]
        return (
            self.named(self.unit_of_routine[routine], outside.name) if isinstance(outside, Address) else None
        )

    def find_routines(self, name: str) -> Iterator[int]:
        """Every routine with this name, as the linker or as people spell it; several if it is internal."""
        return (n for n, each in enumerate(self.routines) if name in (each.name, each.shown))

    @cached_property
    def types_used(self) -> tuple[frozenset[str], ...]:
        """For each routine the types of its variables, and those whose fields it uses."""
        return tuple(
            frozenset(each.type for each in routine.instructions if each.type) for routine in self.routines
        )

    @cached_property
    def global_addresses(self) -> tuple[Mapping[GlobalRef, Mapping[int, int]], ...]:
        """For each routine the globals that it names: by operand, how far behind its start."""
        found = []
        for number, routine in enumerate(self.routines):
            here: dict[GlobalRef, dict[int, int]] = {}
            for index, outside in enumerate(routine.outside):
                if isinstance(outside, Address):
                    meaning = self.named(self.unit_of_routine[number], outside.name)
                    if isinstance(meaning, GlobalRef):
                        here.setdefault(meaning, {})[~index] = outside.offset
            found.append(here)
        return tuple(found)

    @cached_property
    def is_dynamic(self) -> bool:
        """Whether calls may hand over more or fewer arguments than a routine takes."""
        return any(each.is_dynamic for each in self.units)

    @property
    def startup(self) -> frozenset[int]:
        """The routines that run before main."""
        names = {name for unit in self.units for name in unit.startup}
        return frozenset(n for n, each in enumerate(self.routines) if each.name in names)

    @property
    def shutdown(self) -> frozenset[int]:
        """The routines that run after main, or when the program exits."""
        names = {name for unit in self.units for name in unit.shutdown}
        return frozenset(n for n, each in enumerate(self.routines) if each.name in names)

    def instructions(self) -> Iterator[tuple[int, int, Instruction]]:
        """Every instruction with its routine and its position there."""
        for number, routine in enumerate(self.routines):
            for position, instruction in enumerate(routine.instructions):
                yield number, position, instruction


def _is_taken(routine: Routine, shared: Mapping[str, Named], routines: list[Routine]) -> bool:
    """Whether a name that all units see has a meaning already; a strong one counts before a weak one."""
    known = shared.get(routine.name)
    if not isinstance(known, RoutineRef):
        return known is not None
    return routine.is_weak or not routines[known.id].is_weak


def link(units: Iterable[Unit]) -> Program:
    """The program of these units; of several definitions of a shared name, the first strong one counts."""
    units = tuple(units)
    routines: list[Routine] = []
    homes: list[int] = []
    globals_: list[Global] = []
    global_homes: list[int] = []
    shared: dict[str, Named] = {}
    own: list[dict[str, Named]] = []
    for number, unit in enumerate(units):
        mine: dict[str, Named] = {}
        for routine in unit.routines:
            if not routine.is_internal and _is_taken(routine, shared, routines):
                continue
            (mine if routine.is_internal else shared)[routine.name] = RoutineRef(len(routines))
            routines.append(routine)
            homes.append(number)
        for each in unit.globals:
            if not each.is_defined or (not each.is_internal and each.name in shared):
                continue
            (mine if each.is_internal else shared)[each.name] = GlobalRef(len(globals_))
            globals_.append(each)
            global_homes.append(number)
        own.append(mine)
    for unit, mine in zip(units, own, strict=True):
        for alias, name in unit.aliases.items():
            target = mine.get(name) or shared.get(name)
            if target is not None and alias not in mine:
                shared.setdefault(alias, target)
    return Program(
        units,
        tuple(routines),
        tuple(homes),
        tuple(globals_),
        tuple(global_homes),
        shared,
        tuple(own),
    )
