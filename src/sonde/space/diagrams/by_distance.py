"""How many valid configurations there are at each distance from one, and random ones at a distance.

Every node of the diagram gets a polynomial: the coefficient of x^d counts the paths below it on which d
options differ. A polynomial is one large integer with a field of bits for each coefficient (Kronecker
substitution), so that adding and shifting integers does all the work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from random import Random

from sonde.core.options import Configuration, OptionName
from sonde.space.diagrams.diagram import NO, YES, Diagram

_LIMIT_BITS = 1 << 30  # of all polynomials together: 128 MB

_FORBIDDEN = -1

Factors = tuple[int, int]  # how many options differ where a variable does not hold, and where it does


class DistanceCounts:
    """Counts and samples by the number of options that differ from an origin; made by `count_distances`."""

    def __init__(
        self, diagram: Diagram, factors: Sequence[Factors], reached: Sequence[Iterable[int]]
    ) -> None:
        self._diagram = diagram
        self._factors = factors
        self._bits = diagram.count.bit_length() + 1  # no coefficient needs more
        self._polynomials: list[dict[int, int]] = [{} for _ in factors] + [{YES: 1}]
        for level in reversed(range(len(factors))):
            below = self._polynomials[level + 1]
            for node in reached[level]:
                self._polynomials[level][node] = sum(
                    below[child] << self._bits * factor
                    for factor, child in zip(factors[level], diagram.children(node, level), strict=True)
                    if factor != _FORBIDDEN and child != NO
                )

    def count(self, distance: int) -> int:
        """How many valid configurations differ in exactly `distance` options."""
        return self._coefficient(0, self._diagram.root, distance)

    def each(self, distance: int, rng: Random) -> Iterator[Configuration]:
        """All of these, each once, in random order: the first is as likely to be one as any other."""
        number = self.count(distance)
        drawn: set[int] = set()
        while 2 * len(drawn) < number:
            rank = rng.randrange(number)
            if rank not in drawn:
                drawn.add(rank)
                yield self.at(distance, rank)
        rest = [rank for rank in range(number) if rank not in drawn]
        rng.shuffle(rest)
        yield from (self.at(distance, rank) for rank in rest)

    def at(self, distance: int, rank: int) -> Configuration:
        """The one of these that has so many before it, in an order that the diagram gives them."""
        node, left = self._diagram.root, distance
        holds: list[bool] = []
        for level, (without, having) in enumerate(self._factors):
            low, high = self._diagram.children(node, level)
            lower = self._coefficient(level + 1, low, left - without) if without != _FORBIDDEN else 0
            is_so = rank >= lower
            holds.append(is_so)
            if is_so:
                rank -= lower
            node, left = (high, left - having) if is_so else (low, left - without)
        return self._diagram.configuration(holds)

    def _coefficient(self, level: int, node: int, distance: int) -> int:
        if distance < 0 or node == NO:
            return 0
        return self._polynomials[level][node] >> self._bits * distance & (1 << self._bits) - 1


def count_distances(
    diagram: Diagram, origin: Mapping[OptionName, int], given: Sequence[int]
) -> DistanceCounts | None:
    """The counts of the options in `origin`, which has their literals; None if they need too much memory.

    Only configurations in which the `given` literals hold are counted.
    """
    if not diagram.count:
        return None
    reached: list[list[int]] = [[diagram.root]]
    for level in range(len(diagram.order) - 1):
        children = (child for node in reached[level] for child in diagram.children(node, level))
        reached.append(list(dict.fromkeys(child for child in children if child != NO)))
    bits = sum(map(len, reached)) * (diagram.count.bit_length() + 1) * (len(origin) + 1)
    if bits > _LIMIT_BITS:
        return None
    costs = diagram.costs(origin, given)
    factors = [(_whole(without), _whole(having)) for without, having in costs]
    return DistanceCounts(diagram, factors, reached)


def _whole(cost: float) -> int:
    return _FORBIDDEN if cost == inf else int(cost)
