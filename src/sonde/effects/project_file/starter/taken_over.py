"""The part of a first project file that comes from a feature model: its options and constraints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from sonde.core.options import Option, Value
from sonde.space.facts import text_of
from sonde.space.space import Space
from sonde.space.words import option_variable


def constraint_lines(space: Space) -> list[str]:
    """The constraints, one a line."""
    if not space.constraints:
        return []
    written = [f"  {toml_text(str(constraint))}," for constraint in space.constraints]
    return ["# Constraints that every configuration satisfies.", "constraints = [", *written, "]", ""]


def option_lines(space: Space) -> list[str]:
    """A table for each option that has a choice, after a remark."""
    lines = [
        "# Options from the model; {options} in a command is replaced by the words of all of them.",
        "# An option without words in the model is passed in an environment variable: write words instead.",
    ]
    for option in space.options:
        lines += ["", *_option(option)]
    return lines


def takes_words(space: Space) -> bool:
    """Whether a command has to name {options}."""
    return any(option.words for option in space.options)


def toml_text(text: str) -> str:
    """A text in quotes."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _option(option: Option) -> Iterator[str]:
    if len(option.values) == 1:
        yield f"# Option {option.name} is always {text_of(option.default)}: it cannot be varied."
        return
    name = option.name if re.fullmatch(r"[A-Za-z0-9_-]+", option.name) else toml_text(option.name)
    yield f"[options.{name}]"
    if not option.is_switch:
        values = ", ".join(_value(value) for value in option.values)
        yield f"{'levels' if option.is_numeric else 'values'} = [{values}]"
    if option.default != (False if option.is_switch else option.values[0]):
        yield f"default = {_value(option.default)}"
    if option.words:
        yield f"words = {toml_text(option.words)}"
    else:
        yield f"environment = {toml_text(option_variable(option.name).removeprefix('SONDE_'))}"
    if option.variables:
        yield f"variable = [{', '.join(map(toml_text, option.variables))}]"


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return toml_text(value) if isinstance(value, str) else repr(value)
