"""When to look at the pairs of a case, and how sure a look has to be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sonde.methods.comparison.rules import ComparisonRules
from sonde.numerics.group_sequential import Spending

GROWTH = 1.6  # of the pairs, from one look to the next
POWER = 1.3  # of the share of pairs: early looks spend little, yet ten pairs on one side are an answer


@dataclass(frozen=True)
class Look:
    """One of the moments at which a verdict may be given."""

    number: int  # from 0
    pairs: int


@lru_cache(maxsize=64)
def look_sizes(least: int, most: int) -> tuple[int, ...]:
    """The pairs at each look: the least number, then more and more, then the cap.

    There is no look shortly before the cap: it would cost error and spare little.
    """
    if most <= least:
        return (most,)
    sizes, size = [], float(least)
    while size * (1 + (GROWTH - 1) / 2) <= most:
        sizes.append(round(size))
        size *= GROWTH
    return (*sizes, most)


def looks(rules: ComparisonRules) -> tuple[Look, ...]:
    """All of them, in order."""
    return tuple(Look(*each) for each in enumerate(look_sizes(rules.least_pairs, rules.most_pairs)))


def last_look(rules: ComparisonRules, pairs: int) -> Look | None:
    """The last look for which there are enough pairs, or None before the first one.

    Pairs beyond a look wait for the next one, for looks at freely chosen moments have no level.
    """
    enough = [look for look in looks(rules) if look.pairs <= pairs]
    return enough[-1] if enough else None


def next_look(rules: ComparisonRules, pairs: int) -> Look | None:
    """The first look that needs more pairs, or None after the last one."""
    return next((look for look in looks(rules) if look.pairs > pairs), None)


def spending(rules: ComparisonRules) -> Spending:
    """How the error is spent over the looks."""
    return _spending(rules.least_pairs, rules.most_pairs, rules.error, rules.false_discoveries)


@lru_cache(maxsize=16)
def _spending(least: int, most: int, error: float, false_discoveries: float) -> Spending:
    shares = [size / most for size in look_sizes(least, most)]
    return Spending(shares, POWER, exact=(error, false_discoveries))
