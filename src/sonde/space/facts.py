"""What can be said of one option, and of the values that it can have."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sonde.core.options import Option, Value
from sonde.space.expressions import Comparator, Fact
from sonde.space.nearest import did_you_mean

_WHOLE = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

_LONGEST = 300  # letters; Python reads no number of thousands of digits

SWITCHED_ON = ("on", "true")
SWITCHED_OFF = ("off", "false")


class NotAFact(ValueError):
    """What is said does not fit the option; `in_value` tells whether the value or the rest is wrong."""

    def __init__(self, message: str, in_value: bool) -> None:
        super().__init__(message)
        self.in_value = in_value


def read_fact(option: Option, relation: Comparator | None, text: str) -> Fact:
    """The fact that `option` stands in `relation` to what `text` writes; no relation: that it is on."""
    if relation is None:
        if not option.is_switch:
            raise NotAFact(
                f"'{option.name}' is not an on/off option: "
                f"write '{option.name} = {text_of(option.default)}', or another of {allowed(option)}.",
                in_value=False,
            )
        return Fact(option.name, Comparator.EQUAL, True)
    if option.is_switch:
        raise NotAFact(
            f"'{option.name}' is on or off and has no value {text}: "
            f"write '{option.name}' or 'not {option.name}'.",
            in_value=True,
        )
    if relation in (Comparator.EQUAL, Comparator.UNEQUAL):
        return Fact(option.name, relation, _known_value(option, text))
    if not option.is_numeric:
        raise NotAFact(
            f"'{option.name}' has strings as values, which have no order. Write = or != instead of "
            f"{relation.value}.",
            in_value=True,
        )
    number = number_of(text)
    if number is None:
        raise NotAFact(f"'{option.name}' is a number, and '{text}' is not.", in_value=True)
    return Fact(option.name, relation, number)


def value_of(option: Option, text: str) -> Value | None:
    """The value of `option` that is written as `text`, or None if it has no such value."""
    if option.is_switch:
        lower = text.lower()
        return True if lower in SWITCHED_ON else False if lower in SWITCHED_OFF else None
    if option.is_numeric:
        number = number_of(text)
        return next((value for value in option.values if value == number), None)
    return next((value for value in option.values if value == text), None)


def number_of(text: str) -> int | float | None:
    """The number that `text` writes, or None."""
    if len(text) > _LONGEST:
        return None
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else None


def text_of(value: Value) -> str:
    """A value as commands, variables and messages write it; on is 1 and off is 0."""
    return str(int(value)) if isinstance(value, bool) else str(value)


def allowed(option: Option) -> str:
    """The values of an option, as a message lists them."""
    return "on, off" if option.is_switch else ", ".join(text_of(value) for value in option.values)


@dataclass(frozen=True)
class Suggestions:
    """What to write instead of a name that no option has."""

    options: tuple[Option, ...]

    def for_unknown(self, name: str) -> str:
        """The whole message for an unknown option."""
        names = [option.name for option in self.options]
        owners = [option.name for option in self.options if name in option.values]
        hint = f" Did you mean '{owners[0]} = {name}'?" if owners else did_you_mean(name, names)
        known = ", ".join(names) if names else "none"
        return f"option '{name}' is not in the space.{hint} Known options: {known}."


def _known_value(option: Option, text: str) -> Value:
    value = value_of(option, text)
    if value is None:
        hint = did_you_mean(text, [text_of(known) for known in option.values])
        raise NotAFact(
            f"'{option.name}' has no value '{text}'.{hint} It has {allowed(option)}.", in_value=True
        )
    return value
