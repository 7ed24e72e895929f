"""Random configurations, each valid one as probable as any other.

J. Oh, D. Batory, M. Myers, N. Siegmund: Finding near-optimal configurations in product lines by random
sampling. ESEC/FSE 2017, who count the valid configurations with a decision diagram and draw from that count.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from random import Random

from sonde.core.options import Configuration
from sonde.space.space import Space

MISSES = 100  # repetitions in a row, after which random values are given up


def uniform(
    space: Space, count: int, rng: Random, sampled: Collection[Configuration] = ()
) -> tuple[Configuration, ...]:
    """Up to `count` random configurations; every set of so many new ones is as probable as any other.

    Only where the space has a diagram; elsewhere they are those of `by_random_values`.
    """
    diagram = space.diagram
    if diagram is None:
        return by_random_values(space, count, rng, sampled)
    known = set(sampled)
    if diagram.count <= 2 * (count + len(known)):
        left = [each for each in space.configurations() if each not in known] if diagram.count else []
        return tuple(rng.sample(left, min(count, len(left))))
    found: list[Configuration] = []
    while len(found) < count:
        new = diagram.sample(rng)
        if new not in known:
            known.add(new)
            found.append(new)
    return tuple(found)


def by_random_values(
    space: Space, count: int, rng: Random, sampled: Collection[Configuration] = ()
) -> tuple[Configuration, ...]:
    """Up to `count` random configurations, of which some are likelier than others.

    The solver begins with random values and mends what breaks a constraint. Where that only repeats itself,
    the rest are the first new ones in the order of the space.
    """
    if not space.solver.is_possible():
        return ()
    known = set(sampled)
    found: list[Configuration] = []
    misses = 0
    while len(found) < count and misses < MISSES:
        new = space.solver.complete((), rng)
        if new is None or new in known:
            misses += 1
            continue
        misses = 0
        known.add(new)
        found.append(new)
    rest = (each for each in space.configurations() if each not in known)
    return (*found, *islice(rest, count - len(found)))
