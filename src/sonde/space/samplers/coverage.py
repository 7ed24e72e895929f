"""Which t-tuples of literals are still to be covered: the bookkeeping of t-wise sampling.

Literals are numbers here. A set of literals is a Python integer with a lane of 32 bits for each of them, the
lowest bit of which tells membership: adding such integers counts for all literals at once how often each is a
member.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from struct import unpack

LANE = 32  # bits; a count is at most the number of (t - 1)-subsets of the options

Lanes = int


def lane(literal: int) -> Lanes:
    """The set of one literal."""
    return 1 << (LANE * literal)


def lanes(literals: Iterable[int]) -> Lanes:
    """The set of these literals."""
    return sum(map(lane, literals))


def members(of: Lanes) -> Iterator[int]:
    """The literals of a set, lowest first."""
    while of:
        lowest = of & -of
        yield lowest.bit_length() // LANE
        of ^= lowest


def counts(of: Lanes, literals: int) -> Sequence[int]:
    """The number in each lane."""
    return unpack(f"<{literals}I", of.to_bytes(literals * LANE // 8, "little"))


class TupleCoverage:
    """The tuples of `strength` literals that are not covered yet; at first all of compatible literals."""

    def __init__(self, compatible: Sequence[Lanes], strength: int) -> None:
        self.strength = strength
        self.forbidden: list[tuple[int, ...]] = []
        self._open: dict[
            tuple[int, ...], Lanes
        ] = {}  # by its other literals, ascending: what completes a tuple
        everything = lanes(range(len(compatible)))
        self._begin(compatible, (), everything)

    def _begin(self, compatible: Sequence[Lanes], chosen: tuple[int, ...], completing: Lanes) -> None:
        if len(chosen) == self.strength - 1:
            if completing:
                self._open[chosen] = completing
            return
        for literal in members(completing):
            if not chosen or literal > chosen[-1]:
                self._begin(compatible, (*chosen, literal), completing & compatible[literal])

    def fullest(self) -> tuple[int, ...] | None:
        """An uncovered tuple, all but one of whose literals are part of the most; None: all are covered."""
        if not self._open:
            return None
        others = max(self._open, key=lambda key: self._open[key].bit_count())
        return (*others, next(members(self._open[others])))

    @property
    def alone(self) -> Lanes:
        """The literals that are uncovered by themselves; none but at strength 1."""
        return self._open.get((), 0)

    def gains(self, chosen: Sequence[int], literal: int) -> Lanes:
        """How many uncovered tuples each further literal completes with `literal` and some of `chosen`."""
        if self.strength == 1:
            return 0
        rests = combinations(chosen, self.strength - 2)
        return sum(self._open.get(tuple(sorted((literal, *rest))), 0) for rest in rests)

    def cover(self, configuration: Iterable[int]) -> None:
        """All tuples of these literals are covered."""
        literals = sorted(configuration)
        rest = ~lanes(literals)
        for others in combinations(literals, self.strength - 1):
            self._keep(others, rest)

    def forbid(self, tuple_: tuple[int, ...]) -> None:
        """No valid configuration has this tuple, so it need not be covered."""
        self.forbidden.append(tuple_)
        self.cover(tuple_)

    def _keep(self, others: tuple[int, ...], of: Lanes) -> None:
        if others in self._open:
            self._open[others] &= of
            if not self._open[others]:
                del self._open[others]
