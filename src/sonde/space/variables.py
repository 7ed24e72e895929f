"""The variables of a solver: which of them say that an option has a value.

An option with two values is one variable; one with more is a group of variables of which exactly one holds.
So a value is always one literal of the solver, a number: `7` says that variable 7 holds, `-7` that it does
not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from sonde.core.errors import InvalidConfiguration, UnknownOption
from sonde.core.options import Configuration, Literal, Option, OptionName, Value
from sonde.space.facts import Suggestions, allowed, text_of


@dataclass(frozen=True)
class OptionVariables:
    """The variables of one option."""

    option: Option
    first: int  # the first variable of the option

    @cached_property
    def literals(self) -> tuple[int, ...]:
        """The solver's literal of each value, in the order of the values."""
        if len(self.option.values) == 2:
            return (-self.first, self.first)
        return tuple(range(self.first, self.first + len(self.option.values)))

    @property
    def is_group(self) -> bool:
        """Whether it has a variable for each value."""
        return len(self.option.values) != 2

    @cached_property
    def phases(self) -> tuple[tuple[int, ...], ...]:
        """For each value, what all variables of the option are then."""
        if not self.is_group:
            return ((-self.first,), (self.first,))
        return tuple(
            tuple(other if other == one else -other for other in self.literals) for one in self.literals
        )

    @cached_property
    def pairs(self) -> tuple[tuple[OptionName, Value], ...]:
        """The name with each value; shared by all configurations, which makes them quick to compare."""
        return tuple((self.option.name, value) for value in self.option.values)


class Variables:
    """The variables of all options, numbered from 1 in their order."""

    def __init__(self, options: Sequence[Option]) -> None:
        self.options = tuple(options)
        self.places: dict[OptionName, OptionVariables] = {}
        self.last = 0
        for option in self.options:
            self.places[option.name] = OptionVariables(option, self.last + 1)
            self.last += 1 if len(option.values) == 2 else len(option.values)
        self._literals: Mapping[tuple[OptionName, Value], int] = {
            pair: literal
            for place in self.places.values()
            for pair, literal in zip(place.pairs, place.literals, strict=True)
        }
        by_name = sorted(self.places.values(), key=lambda place: place.option.name)
        self._in_order = tuple((place.first - 1, place.is_group, place.pairs) for place in by_name)

    def literal(self, name: OptionName, value: Value) -> int:
        """The solver's literal of an option that has a value; raises a UsageError if it has no such value."""
        try:
            return self._literals[name, value]
        except KeyError:
            raise self._mistake(name, value) from None

    def literals(self, given: Iterable[Literal]) -> list[int]:
        """The solver's literals for these literals, in an order that does not depend on theirs.

        They may come as a set, whose order differs from process to process and would change answers.
        """
        return sorted(self.literal(literal.option, literal.value) for literal in given)

    def values_of(self, configuration: Configuration) -> dict[OptionName, int]:
        """The solver's literal of each option, in the order of the options."""
        chosen = configuration.chosen
        missing = [option.name for option in self.options if option.name not in chosen]
        if missing:
            raise InvalidConfiguration(
                f"a configuration has no value for {', '.join(missing)}: give every option a value."
            )
        return {name: self.literal(name, chosen[name]) for name in self.places}

    def configuration(self, model: Sequence[int]) -> Configuration:
        """The configuration that a model of the solver stands for."""
        chosen = []
        for at, is_group, pairs in self._in_order:
            if not is_group:
                chosen.append(pairs[model[at] > 0])
            else:
                chosen.append(next(pair for ahead, pair in enumerate(pairs) if model[at + ahead] > 0))
        return Configuration(tuple(chosen))

    def default_phases(self) -> list[int]:
        """What all variables are where every option has its default."""
        phases: list[int] = []
        for place in self.places.values():
            phases += place.phases[place.option.values.index(place.option.default)]
        return phases

    def random_phases(self, rng: Random) -> list[int]:
        """What all variables are where every option has a random value."""
        phases: list[int] = []
        for place in self.places.values():
            phases += place.phases[int(rng.random() * len(place.phases))]
        return phases

    def phases_at(self, origin: Mapping[OptionName, int], distance: int, rng: Random) -> list[int]:
        """What all variables are where `distance` random options differ from `origin`, and others are random.

        `origin` has the options that are counted, each of more than one value, with their literals.
        """
        differing = set(rng.sample(list(origin), distance))
        phases: list[int] = []
        for name, place in self.places.items():
            among: Sequence[int] = range(len(place.phases))
            if name in origin:
                at = place.literals.index(origin[name])
                among = [other for other in among if other != at] if name in differing else [at]
            phases += place.phases[among[int(rng.random() * len(among))]]
        return phases

    def _mistake(self, name: OptionName, value: Value) -> UnknownOption | InvalidConfiguration:
        if name not in self.places:
            return UnknownOption(Suggestions(self.options).for_unknown(name))
        option = self.places[name].option
        return InvalidConfiguration(
            f"option '{name}' has no value '{text_of(value)}': write one of {allowed(option)}."
        )
