"""All valid configurations, one at a time."""

from __future__ import annotations

from collections.abc import Iterator

from pysat.solvers import Minisat22

from sonde.core.options import Configuration, OptionName, Value
from sonde.space.expressions import options_of
from sonde.space.solver.deciding import is_satisfiable
from sonde.space.solver.encoding import Encoding
from sonde.space.variables import OptionVariables


def enumerate_valid(encoding: Encoding, first: Configuration) -> Iterator[Configuration]:
    """Every valid configuration, beginning with `first`, which is valid; the last option varies fastest.

    A walk over the tree of values, those of `first` before all others, into branches only in which a solver
    finds a valid configuration. It keeps its place in lists, so that thousands of options are no deeper than
    ten.
    """
    with Minisat22(bootstrap_with=encoding.clauses) as solver:
        walk = _Walk(encoding, first, solver)
        position = 0
        while True:
            found = walk.first_possible(position)
            if found is not None:
                walk.descend(found)
                position = 0
                continue
            if walk.is_at_end:
                yield walk.configuration()
            if not walk.chosen:
                return
            position = walk.ascend() + 1


class _Walk:
    """A place in the tree of values; at each depth one option is chosen."""

    def __init__(self, encoding: Encoding, first: Configuration, solver: Minisat22) -> None:
        constrained = {name for constraint in encoding.constraints for name in options_of(constraint)}
        places = list(encoding.variables.places.values())
        self.chosen: list[int] = []  # the position of the value at each depth
        self._solver = solver
        self._orders = [_values_in_order(place, first) for place in places]
        self._is_free = [place.option.name not in constrained for place in places]
        self._by_name = sorted(range(len(places)), key=lambda at: places[at].option.name)
        self._prefix: list[int] = []  # the literals of the options so far that are in constraints
        self._model: set[int] = set()  # the last model found; it has all of the prefix
        solver.set_phases(
            [
                phase
                for place, order in zip(places, self._orders, strict=True)
                for phase in _phases(place, order)
            ]
        )

    @property
    def is_at_end(self) -> bool:
        return len(self.chosen) == len(self._orders)

    def first_possible(self, position: int) -> int | None:
        """The first value of the next option, from `position` on, that a valid configuration has; or None."""
        if self.is_at_end:
            return None
        order = self._orders[len(self.chosen)]
        for at in range(position, len(order)):
            literal = order[at][0]
            if self._is_free[len(self.chosen)] or literal in self._model:
                return at
            if is_satisfiable(self._solver, [*self._prefix, literal]):
                self._model = set(self._solver.get_model())
                return at
        return None

    def descend(self, position: int) -> None:
        """Give the next option its value at `position`."""
        if not self._is_free[len(self.chosen)]:
            self._prefix.append(self._orders[len(self.chosen)][position][0])
        self.chosen.append(position)

    def ascend(self) -> int:
        """Take its value from the last option; gives the position that it had."""
        position = self.chosen.pop()
        if not self._is_free[len(self.chosen)]:
            self._prefix.pop()
        return position

    def configuration(self) -> Configuration:
        return Configuration(tuple(self._orders[at][self.chosen[at]][1] for at in self._by_name))


Order = tuple[tuple[int, tuple[OptionName, Value]], ...]  # the literal of each value, and its name and value


def _values_in_order(place: OptionVariables, first: Configuration) -> Order:
    """The values of an option, that of `first` before the others."""
    values = zip(place.literals, place.pairs, strict=True)
    return tuple(sorted(values, key=lambda value: value[1][1] != first[place.option.name]))


def _phases(place: OptionVariables, order: Order) -> tuple[int, ...]:
    return place.phases[place.literals.index(order[0][0])]
