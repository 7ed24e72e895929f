"""Boundary values: the few numbers of a variable that are enough to see all that decisions do for it.

`level > 5` changes between 5 and 6, and `(unsigned) level < 3` between 2 and 3 and between -1 and 0. See
`boundaries_before` for how a decision is followed back to the variables that it is computed of.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from sonde.methods.impact.constants.operations import POINTER
from sonde.methods.impact.constants.values import SOME_ADDRESS, KnownConstant, as_unsigned, in_order, kept

Node = TypeVar("Node", bound=Hashable)
MOST = 24  # boundaries of one value; with more of them, they are vague
MOST_BITS = 3  # of which all combinations are taken


@dataclass(frozen=True)
class Boundaries:
    """Where what is made of a number of some width changes; numbers are without a sign."""

    width: int  # in bits; or POINTER
    points: frozenset[int] = frozenset()  # for each of these alone something else comes of it
    edges: frozenset[int] = frozenset()  # between each and the next number; behind the largest one comes 0
    turns: frozenset[int] = frozenset()  # edges where an order ends and begins: 0 and the largest number, say
    bits: int = 0  # that are asked for one by one
    samples: frozenset[int] = frozenset()  # enough where the same comes of other numbers again
    is_vague: bool = False  # no few numbers are enough

    def joined(self, other: Boundaries) -> Boundaries:
        """Where one or the other changes; vague if that is at too many numbers."""
        joined = Boundaries(
            self.width,
            self.points | other.points,
            self.edges | other.edges,
            self.turns | other.turns,
            self.bits | other.bits,
            self.samples | other.samples,
            self.is_vague or other.is_vague,
        )
        count = sum(map(len, (joined.points, joined.edges, joined.turns, joined.samples)))
        if count > MOST or joined.bits.bit_count() > MOST_BITS or self.width != other.width:
            return replace(self, is_vague=True)
        return joined

    def values(self) -> tuple[KnownConstant, ...]:
        """Numbers that are enough, in the form of constants of this width."""
        if self.width == POINTER:
            return (0, SOME_ADDRESS) if self.points else ()
        found = {*self.points, *self.samples, *_combinations(self.bits)}
        for edge in self.edges:
            found |= {edge, as_unsigned(edge + 1, self.width)}
        found.update(_others(self, frozenset(found)))
        return in_order(kept(each, self.width) for each in found)


def any_of(width: int, points: Iterable[int] = (), edges: Iterable[int] = ()) -> Boundaries:
    """Boundaries at these points and edges."""
    return Boundaries(width, numbers_of(width, points), numbers_of(width, edges))


def numbers_of(width: int, numbers: Iterable[int]) -> frozenset[int]:
    """Numbers of a width, without a sign."""
    return frozenset(as_unsigned(each, width) for each in numbers)


def truth() -> Boundaries:
    """Of what is 0 or 1."""
    return Boundaries(1, bits=1)


def vague(width: int) -> Boundaries:
    """Of something that no few numbers are enough for."""
    return Boundaries(width, is_vague=True)


def all_boundaries(
    first: Iterable[tuple[Node, Boundaries]],
    before: Callable[[Node, Boundaries], Iterable[tuple[Node, Boundaries]]],
) -> dict[Node, Boundaries]:
    """The boundaries of everything that some values are computed of, from those of these values."""
    found: dict[Node, Boundaries] = {}
    waiting = list(first)
    while waiting:
        node, own = waiting.pop()
        known = found.get(node)
        joined = own if known is None else known.joined(own)
        if joined != known:
            found[node] = joined
            waiting += before(node, joined)
    return found


def _combinations(bits: int) -> Iterator[int]:
    """All combinations of some bits."""
    part = bits
    while bits:
        yield part
        if not part:
            break
        part = (part - 1) & bits


def _others(found: Boundaries, known: frozenset[int]) -> Iterator[int]:
    """A number beside the points, in each range between edges and turns in which none is known."""
    size = 1 << found.width
    seen = known - found.points
    ends = sorted(found.edges | found.turns)
    if not ends and found.points and not seen:
        yield from _beside(found.points, 0, size, size)
    for number, end in enumerate(ends):
        start = (ends[number - 1] + 1) % size
        length = (end - start) % size + 1
        if not any((each - start) % size < length for each in seen):
            yield from _beside(found.points, start, length, size)


def _beside(points: frozenset[int], start: int, length: int, size: int) -> Iterator[int]:
    """The first number of a range that is no point, if there is one."""
    for step in range(min(length, len(points) + 1)):
        if (start + step) % size not in points:
            yield (start + step) % size
            return
