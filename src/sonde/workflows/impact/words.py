"""The words of a command line, by which a program knows its configuration."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from sonde.core.options import Configuration, Option, Phase
from sonde.core.subject import BenchmarkRecipe
from sonde.methods.impact.options.variables import Choice
from sonde.space.templates import places
from sonde.space.words import BUILD_PLACE, OPTIONS_PLACE, spell


def choices_of(option: Option) -> tuple[Choice, ...]:
    """The values of an option, each with its words."""
    return tuple(
        Choice(
            value,
            spell([option], Configuration.of({option.name: value}), Phase.LOAD, lambda _: True).words,
        )
        for value in option.values
    )


def fixed_words(benchmarks: Iterable[BenchmarkRecipe]) -> tuple[str, ...] | None:
    """The words of every call beside those of options; None if it is not plain what the program is given.

    It is plain if a command calls a program of the build itself, and not a shell or a script.
    """
    found: dict[str, None] = {}
    for benchmark in benchmarks:
        for command in benchmark.commands:
            words = shlex.split(command.line)
            if benchmark.shell or not words or not words[0].startswith(f"{{{BUILD_PLACE}}}"):
                return None
            for word in words[1:]:
                named = {place.name for place in places(word)}
                if named - {BUILD_PLACE, OPTIONS_PLACE}:
                    return None
                if not named:
                    found[word] = None
    return tuple(found)
