"""Configurations as people write them: `level=9,checksum,!filter`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sonde.core.errors import InvalidConfiguration, UnknownOption
from sonde.core.options import Option, OptionName, Value
from sonde.space.facts import Suggestions, allowed, text_of, value_of
from sonde.space.nearest import did_you_mean

DEFAULT = "default"


def read_values(text: str, options: Sequence[Option]) -> Mapping[OptionName, Value]:
    """The values that `text` names; the word `default` names none."""
    known = {option.name: option for option in options}
    chosen: dict[OptionName, Value] = {}
    rest = text.strip()
    while rest:
        name, value, rest = _first_literal(rest, known)
        if name in chosen:
            raise InvalidConfiguration(
                f"configuration '{text}': option '{name}' is given twice; give it once."
            )
        if name != DEFAULT:
            chosen[name] = value
    return chosen


def _first_literal(text: str, known: Mapping[OptionName, Option]) -> tuple[OptionName, Value, str]:
    """The name and value of the first literal of `text`, and what follows its comma."""
    head, _, tail = text.partition(",")
    written, is_given, _ = head.partition("=")
    name = written.strip().removeprefix("!").strip()
    if name == DEFAULT and not is_given:
        return DEFAULT, True, tail.strip()
    if name not in known:
        raise UnknownOption(Suggestions(tuple(known.values())).for_unknown(name))
    option = known[name]
    is_negated = written.strip().startswith("!")
    if not is_given:
        if not option.is_switch:
            raise _unreadable(option, head.strip(), "it needs a value")
        return name, not is_negated, tail.strip()
    if is_negated:
        raise _unreadable(option, head.strip(), "a value and '!' do not go together")
    given = text.partition("=")[2]
    value, rest = _longest_value(option, given)
    if value is None:
        shown = given.partition(",")[0].strip()
        hint = did_you_mean(shown, [text_of(known) for known in option.values])
        raise _unreadable(option, head.strip(), f"'{shown}' is not one of its values", hint)
    return name, value, rest


def _longest_value(option: Option, text: str) -> tuple[Value | None, str]:
    """The value that `text` begins with, and what follows its comma; values may have commas themselves."""
    commas = [at for at, letter in enumerate(text) if letter == ","]
    for end in (len(text), *reversed(commas)):
        for written in (text[:end], text[:end].strip()):
            value = value_of(option, written)
            if value is not None:
                return value, text[end + 1 :].strip()
    return None, ""


def _unreadable(option: Option, written: str, reason: str, hint: str = "") -> InvalidConfiguration:
    what = f"'{option.name}' or '!{option.name}'" if option.is_switch else f"{option.name}=VALUE"
    return InvalidConfiguration(
        f"'{written}' does not fit option '{option.name}': {reason}.{hint} "
        f"Write {what}; its values are {allowed(option)}."
    )
