"""Which idiom a program uses to read its options, and what users write for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from sonde.core.options import Option, Value
from studies.impact.generated.c.drawing.draft import Draft
from studies.impact.generated.c.drawing.homes import Home
from studies.impact.generated.c.drawing.reading.chains import read_chain
from studies.impact.generated.c.drawing.reading.environment import read_environment
from studies.impact.generated.c.drawing.reading.getopts import read_getopt, read_getopt_long
from studies.impact.generated.c.drawing.reading.letters import read_letters
from studies.impact.generated.c.drawing.reading.tables import can_be_read_by_table, read_table
from studies.impact.generated.c.drawing.reading.words import Conversions
from studies.impact.generated.c.making import INT, binary, call, give, plain, pointer
from studies.impact.generated.c.nodes import (
    Expression,
    Function,
    If,
    Name,
    Parameter,
    Pointer,
    Statement,
)
from studies.impact.generated.knobs import Kind, Knob


class Idiom(Enum):
    """How the words of a command line are told apart."""

    GETOPT = "getopt"
    GETOPT_LONG = "getopt_long"
    CHAIN = "comparisons of each word"
    TABLE = "a table of words"
    LETTERS = "the letter behind the dash"


Code = Callable[[Draft, Sequence[Home], Conversions, tuple[Expression, ...]], tuple[Statement, ...]]

_CODE: dict[Idiom, Code] = {
    Idiom.GETOPT: read_getopt,
    Idiom.GETOPT_LONG: read_getopt_long,
    Idiom.CHAIN: read_chain,
    Idiom.TABLE: read_table,
    Idiom.LETTERS: read_letters,
}


@dataclass(frozen=True)
class Reading:
    """Statements of main that read all options, and the options as the project file names them."""

    statements: tuple[Statement, ...]
    options: tuple[Option, ...]


def draw_reading(draft: Draft, homes: Sequence[Home]) -> Reading:
    """Code for all options; some of them may come from the environment."""
    rng = draft.rng
    outside = [home for home in homes if rng.random() < 0.12]
    inside = [home for home in homes if home not in outside]
    ways = [each for each in Idiom if each is not Idiom.TABLE or can_be_read_by_table(inside)]
    idiom = rng.choice(ways)
    names_variables = rng.random() < 0.7
    options = tuple(_option(home, idiom, home in outside, names_variables) for home in homes)
    is_apart = rng.random() < 0.3 and not any(home.is_private for home in homes)
    file = rng.choice(list(draft.files)) if is_apart else "main.c"
    conversions = Conversions(draft, file)
    statements: tuple[Statement, ...] = ()
    if inside:
        statements += _CODE[idiom](draft, inside, conversions, draft.config_arguments)
    statements += read_environment(outside, conversions, draft.config_arguments)
    if not is_apart:
        return Reading(statements, options)
    name = draft.names.fresh("read_options")
    words = (Parameter(INT, "argc"), Parameter(Pointer(pointer("char")), "argv"))
    parameters = (*draft.config_parameters, *words)
    body = (*statements, give(plain(0)))
    draft.files[file].append(Function(INT, name, parameters, body, is_static=file == "main.c"))
    told = call(name, *draft.config_arguments, Name("argc"), Name("argv"))
    return Reading((If(binary(told, "!=", plain(0)), (give(plain(2)),)),), options)


def _option(home: Home, idiom: Idiom, is_outside: bool, names_variables: bool) -> Option:
    knob = home.knob
    values: tuple[Value, ...] = knob.levels or knob.words or (False, True)
    default: Value = knob.default if knob.kind is Kind.LEVEL else values[0]
    variables = (home.variable,) if names_variables else ()
    if is_outside:
        return Option(knob.name, values, default, environment=environment_name(knob), variables=variables)
    return Option(knob.name, values, default, words=_words(knob, idiom), variables=variables)


def environment_name(knob: Knob) -> str:
    """The variable of the environment."""
    return f"APP_{knob.name.upper()}"


def _words(knob: Knob, idiom: Idiom) -> str:
    if idiom in (Idiom.GETOPT, Idiom.LETTERS):
        between = " " if idiom is Idiom.GETOPT else ""
        return f"-{knob.letter}" + ("" if knob.kind is Kind.SWITCH else f"{between}{{value}}")
    return f"--{knob.name}" + ("" if knob.kind is Kind.SWITCH else "={value}")
