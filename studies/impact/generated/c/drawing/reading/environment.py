"""Options that come from the environment: `getenv`."""

from __future__ import annotations

from collections.abc import Sequence

from studies.impact.generated.c.drawing.homes import Home
from studies.impact.generated.c.drawing.reading.words import WORD, Conversions
from studies.impact.generated.c.making import binary, call, declare
from studies.impact.generated.c.nodes import Expression, If, Name, Statement, Text


def read_environment(
    homes: Sequence[Home], conversions: Conversions, arguments: tuple[Expression, ...]
) -> tuple[Statement, ...]:
    """Each variable, if it is set."""
    found: list[Statement] = []
    for home in homes:
        name = f"{home.knob.name}_text"
        found.append(declare(name, call("getenv", Text(environment_name(home.knob.name))), WORD))
        stored = conversions.store(home, Name(name), arguments)
        found.append(If(binary(Name(name), "!=", Name("NULL")), stored))
    return tuple(found)


def environment_name(option: str) -> str:
    """The variable of the environment for an option."""
    return f"APP_{option.upper()}"
