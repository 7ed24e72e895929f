"""How a configuration becomes words of a command, and environment variables."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from sonde.core.options import Configuration, Option, OptionName, Phase
from sonde.space.facts import text_of
from sonde.space.templates import fill_command, fill_text

BUILD_PLACE = "build"
OPTIONS_PLACE = "options"
VALUE_PLACE = "value"

_UNQUOTED = re.compile(r"[\w \t@%+=:,./-]*", re.ASCII)


@dataclass(frozen=True)
class Spelling:
    """What a command and its environment say of a configuration."""

    words: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def spell(
    options: Iterable[Option],
    configuration: Configuration,
    phase: Phase,
    exists: Callable[[Option], bool],
) -> Spelling:
    """The words and variables of the options of `phase`, in the order of the options.

    An option that does not exist at the revision gives nothing. An on/off option that has a variable holds 1
    or 0 in it.
    """
    words: list[str] = []
    variables: dict[str, str] = {}
    for option in options:
        if option.phase is not phase or not exists(option):
            continue
        value = configuration[option.name]
        line = option.off_words if value is False else option.words
        words += [fill_text(word, {VALUE_PLACE: text_of(value)}) for word in _split(line)]
        if option.environment:
            variables[option.environment] = text_of(value)
    return Spelling(tuple(words), MappingProxyType(variables))


@cache
def _split(line: str) -> tuple[str, ...]:
    """The words of an option's text: there are few texts, and many configurations spell them."""
    return split_words(line)


def fill(line: str, build: str, spelling: Spelling, configuration: Configuration) -> str:
    """The command line with its places filled, quoted for a shell and for `shlex.split` alike.

    `{build}` is the folder of the build's outputs, `{options}` all words of `spelling`, `{NAME}` the value of
    one option: 1 or 0 for an on/off option. `{{` and `}}` become single braces.
    """
    if "{" not in line and "}" not in line:
        return line
    values: dict[str, str | tuple[str, ...]] = {
        option: text_of(value) for option, value in configuration.values
    }
    values |= {BUILD_PLACE: build, OPTIONS_PLACE: spelling.words}
    return fill_command(line, values)


def split_words(line: str) -> tuple[str, ...]:
    """What `shlex.split` makes of a line, in a fraction of its time where nothing is quoted."""
    return tuple(line.split() if _UNQUOTED.fullmatch(line) else shlex.split(line))


def option_variable(option: OptionName) -> str:
    """The environment variable that holds the value of an option: SONDE_OPT_<NAME>."""
    return "SONDE_OPT_" + re.sub(r"[^A-Z0-9]", "_", option.upper())


def variables_of(configuration: Configuration) -> Mapping[str, str]:
    """What scripts of the subject see of a configuration: SONDE_CONFIGURATION and SONDE_OPT_<NAME>."""
    each = {option_variable(literal.option): text_of(literal.value) for literal in configuration}
    return {"SONDE_CONFIGURATION": str(configuration), **each}
