"""Which configurations there are to choose from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from random import Random

import numpy as np

from sonde.core.options import Literal, Option, Value
from sonde.methods.pinpointing.shared_steps.belief.alphabet import Alphabet, TermKey
from sonde.methods.pinpointing.shared_steps.belief.arrays import Flags, Integers
from sonde.space.samplers.uniform import uniform
from sonde.space.solver.conflicts import NoValidConfiguration
from sonde.space.space import Space


class Variants:
    """Valid rows: all of them where they are few, and those that a solver finds where they are many."""

    def __init__(self, space: Space, alphabet: Alphabet, most: int) -> None:
        self._space = space
        self._alphabet = alphabet
        self._is_free = not space.constraints
        self.listed: Integers | None = None
        if not self._is_free or _combinations(alphabet) <= most:
            some = list(islice(space.configurations(), most + 1))
            if len(some) <= most:
                self.listed = np.array([alphabet.row(each) for each in some], dtype=np.int64)
        self._known: dict[bytes, Integers] = {}

    def lowest(self) -> Integers:
        """All switches off and everything else at its default, or the nearest to that."""
        values = [
            option.values.index(False) if option.is_switch and False in option.values else _default(option)
            for option in self._alphabet.options
        ]
        return self.nearest(np.array(values, dtype=np.int64))

    def highest(self) -> Integers:
        """All switches on, and everything else at its last value, or the nearest to that."""
        values = [
            option.values.index(True)
            if option.is_switch and True in option.values
            else len(option.values) - 1
            for option in self._alphabet.options
        ]
        return self.nearest(np.array(values, dtype=np.int64))

    def always(self) -> Flags:
        """Which literals hold in every valid row, as far as they are listed."""
        if self.listed is not None and len(self.listed):
            return np.asarray(self._alphabet.holds(self.listed).all(axis=0))
        sizes = np.array([len(option.values) for option in self._alphabet.options], dtype=np.int64)
        return np.asarray(sizes[self._alphabet.option_of] == 1)

    def nearest(self, row: Integers) -> Integers:
        """The valid row in which as few options as possible differ."""
        if self.listed is not None:
            return np.asarray(self.listed[int(np.argmin((self.listed != row).sum(axis=1)))])
        if self._is_free:
            return row
        return self._solved(row, ())

    def nearest_with(self, row: Integers, literal: int) -> Integers | None:
        """The valid row nearest to `row` in which a literal holds, or None if it holds in none."""
        wanted = self._alphabet.with_literals(row, [literal])
        if self.listed is not None:
            option = self._alphabet.option_of[literal]
            having = self.listed[self.listed[:, option] == wanted[option]]
            if not len(having):
                return None
            return np.asarray(having[int(np.argmin((having != row).sum(axis=1)))])
        if self._is_free:
            return wanted
        try:
            return self._solved(wanted, [self._alphabet.literals[literal]])
        except NoValidConfiguration:
            return None

    def is_valid(self, row: Integers) -> bool:
        """Whether a row keeps the constraints."""
        return self._is_free or self._space.is_valid(self._alphabet.configuration(row))

    def at_random(self, count: int, rng: Random) -> Sequence[Integers]:
        """Random valid rows; those of a space without constraints come as opposites of each other."""
        if not self._is_free and self.listed is not None:
            chosen = rng.sample(range(len(self.listed)), min(count, len(self.listed)))
            return [np.asarray(self.listed[index]) for index in chosen]
        if not self._is_free:
            return [self._alphabet.row(each) for each in uniform(self._space, count, rng)]
        rows: list[Integers] = []
        sizes = [len(option.values) for option in self._alphabet.options]
        while len(rows) < count:
            order = rng.sample(range(len(sizes)), len(sizes))
            row = np.array([rng.randrange(size) for size in sizes], dtype=np.int64)
            for place, option in enumerate(order):
                if sizes[option] == 2:
                    row[option] = place % 2
            rows += [row, (row + 1) % np.array(sizes)]
        return rows[:count]

    def with_exceptions(self, term: TermKey) -> tuple[TermKey, TermKey]:
        """A term without what it denies, and without the alternatives that must be off: these are exceptions.

        Of alternatives, options of which one at most is on, a term can only say that some are off; that the
        change does not show with those is easier to read.
        """
        exceptions: dict[int, int] = {}
        for each in term:
            denied = self._alphabet.denies(each)
            if denied is not None:
                exceptions[each] = denied
            elif self._is_alternative(each):
                exceptions[each] = self._on(each)
        kept = tuple(each for each in term if each not in exceptions)
        return kept, tuple(sorted(exceptions.values()))

    def _on(self, literal: int) -> int:
        """The literal that its option is on."""
        option = self._alphabet.option_of[literal]
        values: tuple[Value, ...] = self._alphabet.options[option].values
        return int(self._alphabet.first[option]) + values.index(True)

    def _is_alternative(self, literal: int) -> bool:
        """Whether a literal says that an option is off which cannot be on together with some other one."""
        option = int(self._alphabet.option_of[literal])
        switches = [
            index
            for index, each in enumerate(self._alphabet.options)
            if each.is_switch and len(each.values) == 2
        ]
        if self._is_free or not self._alphabet.is_off[literal] or option not in switches:
            return False
        others = (index for index in switches if index != option)
        return any(not self._is_possible(self._on(literal), other) for other in others)

    def _is_possible(self, literal: int, option: int) -> bool:
        """Whether a literal holds anywhere together with an option that is on, if that is on at all."""
        other = self._on(int(self._alphabet.first[option]))
        if self.listed is not None:
            held = self._alphabet.holds(self.listed)
            return bool((held[:, literal] & held[:, other]).any()) or not held[:, other].any()
        wanted, is_on = self._alphabet.literals[literal], self._alphabet.literals[other]
        solver = self._space.solver
        return solver.is_possible([wanted, is_on]) or not solver.is_possible([is_on])

    def _solved(self, row: Integers, fixed: Iterable[Literal]) -> Integers:
        key = row.tobytes() + repr(tuple(str(each) for each in fixed)).encode()
        if key not in self._known:
            wanted = self._alphabet.configuration(row)
            self._known[key] = self._alphabet.row(self._space.solver.nearest(wanted, fixed))
        return self._known[key]


def _combinations(alphabet: Alphabet) -> float:
    return float(np.prod([float(len(option.values)) for option in alphabet.options]))


def _default(option: Option) -> int:
    return option.values.index(option.default)
