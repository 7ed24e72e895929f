"""Whether the options fit together."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from sonde.effects.project_file.mistakes import Mistake
from sonde.effects.project_file.models import OptionPart
from sonde.effects.project_file.names import variable_mistakes
from sonde.effects.project_file.positions import KeyPath
from sonde.effects.project_file.structure import Structure
from sonde.space.expressions import NAME
from sonde.space.nearest import did_you_mean
from sonde.space.parser import RESERVED
from sonde.space.space import DEFAULT
from sonde.space.templates import lone_braces, sound_places
from sonde.space.words import BUILD_PLACE, OPTIONS_PLACE, VALUE_PLACE, option_variable

_TAKEN = frozenset([*RESERVED, DEFAULT, BUILD_PLACE, OPTIONS_PLACE])


def option_mistakes(structure: Structure) -> Iterator[Mistake]:
    """Mistakes within each option, and names that clash."""
    variables: dict[str, str] = {}
    for name, option in structure.part.options.items():
        path = ("options", name)
        yield from _name_mistakes(path, name)
        for variable in {option_variable(name), option.environment} - {""}:
            other = variables.setdefault(variable, name)
            if other != name:
                yield Mistake(path, f"and options.{other} would both be in {variable}. Rename one.")
        if structure.is_intact(path):
            yield from _value_mistakes(path, option)
            yield from _words_mistakes(path, option)
            yield from span_mistakes(path, option.since, option.until)
        if option.environment:
            yield from variable_mistakes((*path, "environment"), option.environment)


def span_mistakes(path: KeyPath, since: str, until: str) -> Iterator[Mistake]:
    """A span that covers no revision."""
    if since and since == until:
        yield Mistake(
            (*path, "until"),
            "is the same as since, so no revision is left. Write a later one, or remove it.",
        )


def _name_mistakes(path: KeyPath, name: str) -> Iterator[Mistake]:
    if name in _TAKEN:
        yield Mistake(path, f"cannot be an option's name: '{name}' is reserved. Rename it.")
    elif not NAME.fullmatch(name):
        yield Mistake(
            path,
            "cannot be an option's name. Start with a letter, continue with letters, digits, '_', "
            "'-' and '.'.",
        )


def _value_mistakes(path: KeyPath, option: OptionPart) -> Iterator[Mistake]:
    if option.values and option.levels:
        yield Mistake(
            (*path, "levels"),
            "cannot be combined with values. Keep levels for a number, or values for one of several.",
        )
        return
    key = "levels" if option.levels else "values"
    values: Sequence[object] = option.levels or option.values
    if len(values) == 1:
        yield Mistake((*path, key), "has a single value. Write at least two, or remove the option.")
    for at, value in enumerate(values):
        if value in values[:at]:
            yield Mistake((*path, key, at), "is listed twice. Write each value once.")
    yield from _default_mistakes(path, option, values)
    if values and option.off_words:
        yield Mistake((*path, "off_words"), "is for on/off options, but this one has values. Remove it.")


def _default_mistakes(path: KeyPath, option: OptionPart, values: Sequence[object]) -> Iterator[Mistake]:
    default = option.default
    if default is None:
        return
    if not values and not isinstance(default, bool):
        yield Mistake(
            (*path, "default"),
            "does not fit an on/off option. Write true or false, or give it values or levels.",
        )
    elif values and (isinstance(default, bool) or default not in values):
        texts = list(dict.fromkeys(str(value) for value in values))
        hint = did_you_mean(str(default), texts)
        yield Mistake((*path, "default"), f"is not one of its values.{hint} Write one of {', '.join(texts)}.")


def _words_mistakes(path: KeyPath, option: OptionPart) -> Iterator[Mistake]:
    for key, line in (("words", option.words), ("off_words", option.off_words)):
        where = (*path, key)
        try:
            shlex.split(line)
        except ValueError:
            yield Mistake(where, "has an unclosed quote. Close it, or write a backslash before it.")
        for brace in lone_braces(line):
            yield Mistake(where, f"has a stray brace: {brace}")
        for name in (place.name for place in sound_places(line)):
            if name != VALUE_PLACE:
                yield Mistake(
                    where, f"has {{{name}}}. Write {{value}} for its value, {{{{{name}}}}} for braces."
                )
