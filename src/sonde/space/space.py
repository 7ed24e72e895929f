"""The space: all configurations that the constraints allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from sonde.core.errors import InvalidConfiguration, UnknownOption
from sonde.core.options import Configuration, Option, OptionName, Value
from sonde.space.expressions import Expression, holds, options_of
from sonde.space.facts import Suggestions, allowed, text_of, value_of
from sonde.space.nearest import did_you_mean
from sonde.space.parser import parse

DEFAULT = "default"


@dataclass(frozen=True)
class Space:
    """Options, and the constraints that tell which of their configurations are valid."""

    options: tuple[Option, ...]
    constraints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise a ConstraintError for a constraint that cannot be read."""
        _ = self.expressions

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """What each constraint says."""
        return tuple(parse(constraint, self.options) for constraint in self.constraints)

    @cached_property
    def option(self) -> Mapping[OptionName, Option]:
        """Each option by its name."""
        return {option.name: option for option in self.options}

    @cached_property
    def default(self) -> Configuration:
        """The configuration in which every option has its default."""
        return Configuration.of({option.name: option.default for option in self.options})

    def broken(self, configuration: Configuration) -> tuple[str, ...]:
        """The constraints that `configuration` does not keep; none: it is valid."""
        pairs = zip(self.constraints, self.expressions, strict=True)
        return tuple(text for text, expression in pairs if not holds(expression, configuration.chosen))

    def configurations(self) -> Iterator[Configuration]:
        """Every valid configuration, one at a time, always in the same order.

        The default comes first; the last option varies fastest. A constraint is tested as soon as its options
        have values, so that what it forbids is not enumerated.
        """
        for chosen in self._extensions({}, 0):
            yield Configuration.of(chosen)

    def parse(self, text: str) -> Configuration:
        """The configuration written as `level=9,checksum,!filter`; what is not named has its default.

        The word `default` names nothing, so that it is the default configuration when it stands alone.
        """
        chosen: dict[OptionName, Value] = {}
        rest = text.strip()
        while rest:
            name, value, rest = self._first_literal(rest)
            if name in chosen:
                raise InvalidConfiguration(
                    f"configuration '{text}': option '{name}' is given twice; give it once."
                )
            if name != DEFAULT:
                chosen[name] = value
        configuration = Configuration.of({**self.default.chosen, **chosen})
        broken = self.broken(configuration)
        if broken:
            raise InvalidConfiguration(
                f"configuration '{text}' is not valid, because it breaks "
                + " and ".join(f"the constraint '{constraint}'" for constraint in broken)
                + f". In full it is {configuration}."
            )
        return configuration

    def _extensions(self, chosen: dict[OptionName, Value], depth: int) -> Iterator[dict[OptionName, Value]]:
        if depth == len(self.options):
            yield chosen
            return
        option = self.options[depth]
        others = [value for value in option.values if value != option.default]
        for value in (option.default, *others):
            longer = {**chosen, option.name: value}
            if all(holds(expression, longer) for expression in self._decided[depth]):
                yield from self._extensions(longer, depth + 1)

    @cached_property
    def _decided(self) -> tuple[tuple[Expression, ...], ...]:
        """The constraints that can be tested once the option at each position has a value."""
        position = {option.name: at for at, option in enumerate(self.options)}
        last = [max(position[name] for name in options_of(expression)) for expression in self.expressions]
        return tuple(
            tuple(expression for expression, at in zip(self.expressions, last, strict=True) if at == depth)
            for depth in range(len(self.options))
        )

    def _first_literal(self, text: str) -> tuple[OptionName, Value, str]:
        """The name and value of the first literal of `text`, and what follows its comma."""
        head, _, tail = text.partition(",")
        written, is_given, _ = head.partition("=")
        name = written.strip().removeprefix("!").strip()
        if name == DEFAULT and not is_given:
            return DEFAULT, True, tail.strip()
        if name not in self.option:
            raise UnknownOption(Suggestions(self.options).for_unknown(name))
        option = self.option[name]
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
            raise _unreadable(option, head.strip(), f"'{shown}' is none of its values", hint)
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
