"""The literals of a space as numbers, for bookkeeping over many tuples of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from sonde.core.options import Configuration, Literal, OptionName, Value
from sonde.space.samplers.coverage import Lanes, lanes
from sonde.space.space import Space


@dataclass(frozen=True)
class Numbered:
    """The literals of a space as numbers, in the order of its options and their values."""

    space: Space

    @cached_property
    def literals(self) -> Sequence[Literal]:
        """The literal of each number."""
        return [Literal(option.name, value) for option in self.space.options for value in option.values]

    @cached_property
    def _number(self) -> dict[tuple[OptionName, Value], int]:
        return {(each.option, each.value): at for at, each in enumerate(self.literals)}

    def numbers(self, configuration: Configuration) -> list[int]:
        """The numbers of its literals, as far as the space has them."""
        return [self._number[pair] for pair in configuration.values if pair in self._number]

    def configuration(self, numbers: Collection[int]) -> Configuration:
        """The configuration with these literals, one of each option."""
        literals = [self.literals[number] for number in numbers]
        return Configuration.of({literal.option: literal.value for literal in literals})

    def is_possible(self, numbers: Collection[int]) -> bool:
        """Whether some valid configuration has these literals."""
        return self.space.solver.is_possible([self.literals[number] for number in numbers])

    def of_other_options(self) -> list[Lanes]:
        """For each literal, the literals of the other options."""
        everything = lanes(range(len(self.literals)))
        compatible: list[Lanes] = []
        for option in self.space.options:
            own = lanes(range(len(compatible), len(compatible) + len(option.values)))
            compatible += [everything & ~own] * len(option.values)
        return compatible
