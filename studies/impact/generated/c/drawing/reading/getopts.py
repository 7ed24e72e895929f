"""`getopt` and `getopt_long`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from studies.impact.generated.c.drawing.draft import Draft
from studies.impact.generated.c.drawing.homes import Home
from studies.impact.generated.c.drawing.reading.words import Conversions
from studies.impact.generated.c.making import INT, address, binary, call, declare, give, plain
from studies.impact.generated.c.nodes import (
    Array,
    Braces,
    Case,
    Declare,
    Expression,
    Letter,
    Name,
    Plain,
    Repeat,
    Statement,
    Switch,
    Text,
    Unary,
)
from studies.impact.generated.knobs import Kind

_END = Unary("-", plain(1))


def read_getopt(
    draft: Draft, homes: Sequence[Home], conversions: Conversions, arguments: tuple[Expression, ...]
) -> tuple[Statement, ...]:
    """A loop around `getopt` and a switch over letters."""
    letters = "".join(each.knob.letter + (":" if each.knob.kind is not Kind.SWITCH else "") for each in homes)
    told = call("getopt", Name("argc"), Name("argv"), Text(letters))
    cases = _cases(homes, conversions, arguments)
    return _loop(told, tuple(cases))


def read_getopt_long(
    draft: Draft, homes: Sequence[Home], conversions: Conversions, arguments: tuple[Expression, ...]
) -> tuple[Statement, ...]:
    """A table of long options; what is an `int` of main or a global may be set by the table itself."""
    by_table = {home.knob.name for home in homes if _can_be_pointed_at(home) and draft.rng.random() < 0.6}
    rows = [Braces(tuple(_row(home, home.knob.name in by_table))) for home in homes]
    rows.append(Braces((Name("NULL"), plain(0), Name("NULL"), plain(0))))
    type = Array(Plain("struct option"), None)
    table = Declare(type, "long_options", Braces(tuple(rows)))
    words = (Name("argc"), Name("argv"), Text(""), Name("long_options"), Name("NULL"))
    others = [home for home in homes if home.knob.name not in by_table]
    zero = Case((plain(0),), ()) if by_table else None
    cases = (*((zero,) if zero else ()), *_cases(others, conversions, arguments))
    return (table, *_loop(call("getopt_long", *words), cases))


def _can_be_pointed_at(home: Home) -> bool:
    return home.knob.kind is Kind.SWITCH and home.type == INT and not (home.bit or home.setter)


def _row(home: Home, is_by_table: bool) -> Iterator[Expression]:
    yield Text(home.knob.name)
    yield Name("no_argument" if home.knob.kind is Kind.SWITCH else "required_argument")
    yield address(home.place) if is_by_table else Name("NULL")
    yield plain(1) if is_by_table else Letter(home.knob.letter)


def _cases(
    homes: Sequence[Home], conversions: Conversions, arguments: tuple[Expression, ...]
) -> Iterator[Case]:
    for home in homes:
        if home.knob.kind is Kind.SWITCH:
            body = home.on(arguments)
        else:
            body = conversions.store(home, Name("optarg"), arguments)
        yield Case((Letter(home.knob.letter),), body)


def _loop(told: Expression, cases: tuple[Case, ...]) -> tuple[Statement, ...]:
    found = binary(binary(Name("letter"), "=", told), "!=", _END)
    usage = Case((), (give(plain(2)),))
    return (declare("letter", plain(0), INT), Repeat(found, (Switch(Name("letter"), (*cases, usage)),)))
