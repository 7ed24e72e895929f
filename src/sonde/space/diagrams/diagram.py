"""A space as a decision diagram: exact counts, uniform samples, nearest configurations.

A path from the root to the end answers, at each node, whether one variable of the solver holds. The nodes are
plain lists here, children before their parents, so that nothing but building needs the package that builds
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import inf
from random import Random

from sonde.core.options import Configuration, Literal, OptionName
from sonde.space.variables import Variables

NO, YES = 0, 1  # the first two nodes: the ends of the paths to nothing and to a valid configuration

Node = tuple[int, int, int]  # its level; the node where its variable does not hold; the node where it does


class Diagram:
    """The valid configurations of a space, as paths from the last node to YES."""

    def __init__(self, variables: Variables, order: Sequence[int], nodes: Sequence[Node]) -> None:
        self._variables = variables
        self.order = order  # the variable of each level
        self.root = len(nodes) - 1
        self._nodes = nodes  # a path may skip levels whose variable is free

    @property
    def size(self) -> int:
        """How many nodes it has."""
        return len(self._nodes)

    @cached_property
    def count(self) -> int:
        """How many configurations are valid."""
        return self._counts[self.root] << self._level(self.root)

    def sample(self, rng: Random) -> Configuration:
        """A random valid configuration, each as probable as any other; there must be one."""
        free = rng.getrandbits(len(self.order) + 1)
        model = [
            variable if free >> variable & 1 else -variable for variable in range(1, len(self.order) + 1)
        ]
        at = self.root
        while at > YES:
            level, low, high = self._nodes[at]
            variable = self.order[level]
            # Python's integers are exact however large, so that no configuration is lost to rounding.
            holds = rng.randrange(self._counts[at]) >= self._through(level, low)
            model[variable - 1] = variable if holds else -variable
            at = high if holds else low
        return self._variables.configuration(model)

    def nearest(self, configuration: Configuration, fixed: Iterable[Literal] = ()) -> Configuration | None:
        """A valid configuration in which as few options as possible differ from `configuration`.

        None if the literals that are fixed hold in no valid configuration.
        """
        costs = self.costs(self._variables.values_of(configuration), self._variables.literals(fixed))
        skipped = [0.0]  # what the free variables of all levels before each one cost
        for pair in costs:
            skipped.append(skipped[-1] + min(pair))
        cheapest: list[float] = [inf, 0.0]
        choices = [False, False]
        for level, low, high in self._nodes[YES + 1 :]:
            without, having = (
                cost + skipped[self._level(child)] - skipped[level + 1] + cheapest[child]
                for cost, child in zip(costs[level], (low, high), strict=True)
            )
            cheapest.append(min(without, having))
            choices.append(having < without)
        if cheapest[self.root] + skipped[self._level(self.root)] == inf:
            return None
        holds = [having < without for without, having in costs]
        at = self.root
        while at > YES:
            level, low, high = self._nodes[at]
            holds[level] = choices[at]
            at = high if choices[at] else low
        return self.configuration(holds)

    def children(self, node: int, level: int) -> tuple[int, int]:
        """The nodes where the variable of `level` does not hold, and where it does; one if it is free."""
        if node > YES and self._nodes[node][0] == level:
            return self._nodes[node][1:]
        return node, node

    def configuration(self, holds: Sequence[bool]) -> Configuration:
        """The configuration in which the variable of each level holds or does not."""
        model = [0] * len(self.order)
        for variable, is_so in zip(self.order, holds, strict=True):
            model[variable - 1] = variable if is_so else -variable
        return self._variables.configuration(model)

    def costs(self, origin: Mapping[OptionName, int], given: Iterable[int]) -> list[tuple[float, float]]:
        """For each level, how many options differ from `origin` where its variable does not hold, and does.

        Only options that have a literal in `origin` are counted. It is infinite where a `given` literal is
        broken.
        """
        costs = [(0.0, 0.0)] * (len(self.order) + 1)
        for name, literal in origin.items():
            place = self._variables.places[name]
            if place.is_group:
                for other in place.literals:
                    costs[other] = (0.0, float(other != literal))
            else:
                costs[place.first] = (float(literal > 0), float(literal < 0))
        for literal in given:
            without, having = costs[abs(literal)]
            costs[abs(literal)] = (inf, having) if literal > 0 else (without, inf)
        return [costs[variable] for variable in self.order]

    @cached_property
    def _counts(self) -> list[int]:
        """How many paths lead from each node to YES; a skipped level counts twice."""
        counts = [0, 1]
        for level, low, high in self._nodes[YES + 1 :]:
            counts.append(
                (counts[low] << self._level(low) - level - 1)
                + (counts[high] << self._level(high) - level - 1)
            )
        return counts

    def _through(self, level: int, child: int) -> int:
        return self._counts[child] << self._level(child) - level - 1

    def _level(self, node: int) -> int:
        return len(self.order) if node <= YES else self._nodes[node][0]
