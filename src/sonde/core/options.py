"""Options of the subject, configurations, and literals over them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from sonde.core.revisions import ALWAYS, Span

Value = bool | int | float | str

OptionName = str


class Phase(Enum):
    """When an option takes effect."""

    BUILD = "build"
    LOAD = "load"


@dataclass(frozen=True)
class Option:
    """What a user of the subject can choose: on/off, one of several, or a number with levels.

    An on/off option has the values False and True. `words` is added to the command when the option is
    on (or has any value: `{value}` stands for it), `off_words` when it is off; `environment` names an
    environment variable that holds the value instead. `variables` are where the program keeps it.
    """

    name: OptionName
    values: tuple[Value, ...]
    default: Value
    words: str = ""
    off_words: str = ""
    environment: str = ""
    phase: Phase = Phase.LOAD
    span: Span = ALWAYS
    variables: tuple[str, ...] = ()  # `verbose`, `opts.level`; with a file: `src/main.c:verbose`

    @property
    def is_switch(self) -> bool:
        """Whether it is either on or off."""
        return all(isinstance(value, bool) for value in self.values)

    @property
    def is_numeric(self) -> bool:
        """Whether its values are numbers."""
        return not any(isinstance(value, bool | str) for value in self.values)


@dataclass(frozen=True)
class Literal:
    """An option that has a value: `X` (on), `!X` (off) or `X=v`."""

    option: OptionName
    value: Value

    def __str__(self) -> str:
        if self.value is True:
            return self.option
        if self.value is False:
            return f"!{self.option}"
        return f"{self.option}={self.value}"


Term = frozenset[Literal]  # literals whose joint truth matters; the empty term is the core


@dataclass(frozen=True)
class Configuration:
    """A value for every option, in the order of the options' names."""

    values: tuple[tuple[OptionName, Value], ...]

    @classmethod
    def of(cls, values: Mapping[OptionName, Value]) -> Configuration:
        """The configuration with these values."""
        return cls(tuple(sorted(values.items())))

    @cached_property
    def chosen(self) -> Mapping[OptionName, Value]:
        """The value of each option."""
        return dict(self.values)

    @cached_property
    def key(self) -> str:
        """A text that only equal configurations share."""
        return json.dumps(self.values)

    def __getitem__(self, option: OptionName) -> Value:
        return self.chosen[option]

    def __iter__(self) -> Iterator[Literal]:
        return (Literal(option, value) for option, value in self.values)

    def __str__(self) -> str:
        return ",".join(str(literal) for literal in self)
