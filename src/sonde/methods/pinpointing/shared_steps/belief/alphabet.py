"""Configurations as rows of numbers, and the literals that hold in them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from sonde.core.options import Configuration, Literal, Option, Term
from sonde.methods.pinpointing.shared_steps.belief.arrays import Flags, Integers
from sonde.space.space import Space

LiteralIndex = int
DENIABLE = 3  # values of an option from which on one of them can be denied

TermKey = tuple[LiteralIndex, ...]  # in increasing order; empty: the core


class Alphabet:
    """All literals of a space, numbered option by option.

    A row holds the index of the value of each option, in the order of the options. After the literals come
    denials: that an option with three values or more does not have a certain one.
    """

    def __init__(self, space: Space) -> None:
        self.options: tuple[Option, ...] = space.options
        self.literals = tuple(
            Literal(option.name, value) for option in self.options for value in option.values
        )
        sizes = np.array([len(option.values) for option in self.options], dtype=np.int64)
        self.first: Integers = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        of_literals = np.repeat(np.arange(len(sizes)), sizes)
        self.denied: Integers = np.nonzero(sizes[of_literals] >= DENIABLE)[0]  # literals, one a denial
        self.option_of: Integers = np.concatenate([of_literals, of_literals[self.denied]])

    @property
    def size(self) -> int:
        """How many literals and denials there are."""
        return len(self.option_of)

    @cached_property
    def is_off(self) -> Flags:
        """The literals that say that an option is off, or not what it might be."""
        off = [literal.value is False for literal in self.literals]
        return np.array(off + [True] * len(self.denied), dtype=bool)

    def denies(self, index: LiteralIndex) -> LiteralIndex | None:
        """The literal that a denial denies, or None if it is none."""
        return int(self.denied[index - len(self.literals)]) if index >= len(self.literals) else None

    def grounded(self, lowest: Integers) -> Integers:
        """What does not count as something further than the lowest row has: its literals, and all denials."""
        return np.concatenate([self.literal_indices(lowest), np.arange(len(self.literals), self.size)])

    def row(self, configuration: Configuration) -> Integers:
        """The values of a configuration, by their index."""
        chosen = configuration.chosen
        return np.array([option.values.index(chosen[option.name]) for option in self.options], dtype=np.int64)

    def configuration(self, row: Integers) -> Configuration:
        """The configuration of a row."""
        pairs = zip(self.options, row.tolist(), strict=True)
        return Configuration.of({option.name: option.values[value] for option, value in pairs})

    def literal_indices(self, row: Integers) -> Integers:
        """The literals that hold in a row, one an option."""
        return self.first + row

    def holds(self, rows: Integers) -> Flags:
        """Which literals and denials hold in which rows: one line a row."""
        held = np.zeros((len(rows), len(self.literals)), dtype=bool)
        np.put_along_axis(held, self.first + rows, True, axis=1)
        return np.concatenate([held, ~held[:, self.denied]], axis=1)

    def with_literals(self, row: Integers, literals: Iterable[LiteralIndex]) -> Integers:
        """The row in which these literals hold too."""
        changed, wanted = row.copy(), tuple(literals)
        all_denied = {self.denies(literal) for literal in wanted}
        for literal in wanted:
            option, denied = self.option_of[literal], self.denies(literal)
            first = int(self.first[option])
            if denied is None:
                changed[option] = literal - first
            elif changed[option] == denied - first:
                others = (each for each in range(len(self.options[option].values)) if each != denied - first)
                changed[option] = min(others, key=lambda each: first + each in all_denied)
        return changed

    def term(self, key: TermKey) -> Term:
        """The term of a key."""
        return frozenset(self.literals[literal] for literal in key)


def term_holds(held: Flags, key: TermKey) -> Flags:
    """In which configurations all literals of a term hold."""
    return np.asarray(held[:, list(key)].all(axis=1)) if key else np.ones(len(held), dtype=bool)
