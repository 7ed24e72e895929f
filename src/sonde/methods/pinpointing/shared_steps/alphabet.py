"""Configurations as rows of numbers, and the literals that hold in them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from sonde.core.options import Configuration, Literal, Option, Term
from sonde.methods.pinpointing.shared_steps.arrays import Flags, Integers
from sonde.space.space import Space

LiteralIndex = int
TermKey = tuple[LiteralIndex, ...]  # in increasing order; empty: the core


class Alphabet:
    """All literals of a space, numbered option by option.

    A row holds the index of the value of each option, in the order of the options.
    """

    def __init__(self, space: Space) -> None:
        self.options: tuple[Option, ...] = space.options
        self.literals = tuple(
            Literal(option.name, value) for option in self.options for value in option.values
        )
        sizes = np.array([len(option.values) for option in self.options], dtype=np.int64)
        self.first: Integers = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        self.option_of: Integers = np.repeat(np.arange(len(sizes)), sizes)

    @cached_property
    def is_off(self) -> Flags:
        """The literals that say that an option is off."""
        return np.array([literal.value is False for literal in self.literals])

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
        """Which literals hold in which rows: one line a row."""
        held = np.zeros((len(rows), len(self.literals)), dtype=bool)
        np.put_along_axis(held, self.first + rows, True, axis=1)
        return held

    def with_literals(self, row: Integers, literals: Iterable[LiteralIndex]) -> Integers:
        """The row in which these literals hold too."""
        changed = row.copy()
        for literal in literals:
            option = self.option_of[literal]
            changed[option] = literal - self.first[option]
        return changed

    def term(self, key: TermKey) -> Term:
        """The term of a key."""
        return frozenset(self.literals[literal] for literal in key)


def term_holds(held: Flags, key: TermKey) -> Flags:
    """In which configurations all literals of a term hold."""
    return np.asarray(held[:, list(key)].all(axis=1)) if key else np.ones(len(held), dtype=bool)
