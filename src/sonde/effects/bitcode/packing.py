"""A unit in bytes: plain tuples as `marshal` writes them, which can only become values again, never code."""

from __future__ import annotations

import marshal
from functools import cache
from typing import Any

from sonde.core.code import (
    Address,
    Assembly,
    Constant,
    FieldStep,
    Global,
    Instruction,
    Kind,
    Member,
    Outside,
    Routine,
    SourceLine,
    Unit,
    ValuePart,
    Variable,
)

_KINDS = tuple(Kind)
_OUTSIDE = (Constant, Address, Assembly)


def packed(unit: Unit) -> bytes:
    """A unit in bytes."""
    places: dict[SourceLine, int] = {}

    def number(place: SourceLine) -> int:
        return places.setdefault(place, len(places))

    routines = [_plain_routine(each, number) for each in unit.routines]
    globals_ = [_plain_global(each, number) for each in unit.globals]
    types = {name: [_plain_member(each) for each in members] for name, members in unit.types.items()}
    rest = (
        unit.source,
        dict(unit.aliases),
        tuple(sorted(unit.never_return)),
        unit.startup,
        unit.shutdown,
        unit.has_places,
        unit.is_dynamic,
    )
    return marshal.dumps(([tuple(each) for each in places], routines, globals_, types, rest))


def unpacked(content: bytes) -> Unit:
    """The unit in these bytes; a ValueError, TypeError, EOFError or IndexError if they are damaged."""
    plain_places, routines, globals_, types, rest = marshal.loads(content)
    places = [SourceLine(*each) for each in plain_places]
    source, aliases, never_return, startup, shutdown, has_places, is_dynamic = rest
    return Unit(
        source,
        tuple([_routine(places, *each) for each in routines]),
        tuple([_global(places, *each) for each in globals_]),
        {name: tuple([Member(*each) for each in members]) for name, members in types.items()},
        aliases,
        frozenset(never_return),
        startup,
        shutdown,
        has_places,
        is_dynamic,
    )


def _plain_routine(routine: Routine, number: Any) -> tuple[Any, ...]:
    instructions = [
        ((int(each[0]), *each[1:4], number(each[4]), each[5]), each[6:10], _plain_steps(each[10]))
        for each in routine.instructions
    ]
    return (
        instructions,
        [(_OUTSIDE.index(type(each)), *each) for each in routine.outside],
        {value: (each.name, each.type) for value, each in routine.variables.items()},
        number(routine.place),
        (routine.name, routine.is_internal, routine.parameters, routine.is_variadic),
        routine.blocks,
        routine.shown,
        routine.is_weak,
        routine.parameter_types,
    )


def _routine(
    places: list[SourceLine],
    instructions: list[tuple[Any, ...]],
    outside: list[tuple[Any, ...]],
    variables: dict[int, tuple[str, str]],
    place: int,
    words: tuple[str, bool, int, bool],
    blocks: tuple[tuple[int, int], ...],
    shown: str,
    is_weak: bool,
    parameter_types: tuple[str, ...] | None,
) -> Routine:
    new, kinds = tuple.__new__, _KINDS
    return Routine(
        *words,
        tuple(
            [
                new(
                    Instruction,
                    (
                        kinds[kind],
                        operands,
                        shape,
                        block,
                        places[at],
                        targets,
                        *others,
                        steps and _steps(steps),
                    ),
                )
                for (kind, operands, shape, block, at, targets), others, steps in instructions
            ]
        ),
        blocks,
        tuple([_outside(*each) for each in outside]),
        {value: Variable(*each) for value, each in variables.items()},
        places[place],
        shown,
        is_weak,
        parameter_types,
    )


def _plain_steps(steps: tuple[FieldStep, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple([tuple(each) for each in steps])


@cache
def _steps(plain: tuple[tuple[int, int, int], ...]) -> tuple[FieldStep, ...]:
    return tuple([FieldStep(*each) for each in plain])


def _outside(kind: int, *words: Any) -> Outside:
    return _OUTSIDE[kind](*words)


def _plain_global(each: Global, number: Any) -> tuple[Any, ...]:
    return (
        (each.name, each.is_internal, each.is_constant, each.is_defined, each.size, each.text),
        [
            (part.offset, part.content, None if part.address is None else tuple(part.address), part.number)
            for part in each.parts
        ],
        None if each.variable is None else (each.variable.name, each.variable.type),
        number(each.place),
        _plain_steps(each.arrays),
    )


def _global(
    places: list[SourceLine],
    words: tuple[str, bool, bool, bool, int, str],
    parts: list[tuple[int, str, tuple[str, int] | None, int | None]],
    variable: tuple[str, str] | None,
    place: int,
    arrays: tuple[tuple[int, int, int], ...],
) -> Global:
    name, is_internal, is_constant, is_defined, size, text = words
    found = [
        ValuePart(offset, content, None if address is None else Address(*address), number)
        for offset, content, address, number in parts
    ]
    declared = None if variable is None else Variable(*variable)
    return Global(
        name,
        is_internal,
        is_constant,
        is_defined,
        tuple(found),
        size,
        text,
        declared,
        places[place],
        _steps(arrays),
    )


def _plain_member(member: Member) -> tuple[Any, ...]:
    return member.name, member.offset, member.bits, member.type
