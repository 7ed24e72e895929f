"""Random configurations whose distances from an origin are uniform."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random

from sonde.core.options import Configuration, Literal, OptionName
from sonde.space.samplers.walking import ConfigurationWalk
from sonde.space.space import Space

WALKS = 4  # a walk takes a tenth of the time of a search, but does not always arrive at the rarest distances
SEARCHES = 20  # that are kept, so as not to find the same again; each takes megabytes at hundreds of options


def over_distances(
    space: Space,
    origin: Configuration,
    count: int,
    rng: Random,
    sampled: Collection[Configuration] = (),
    among: Collection[OptionName] | None = None,
    fixed: Collection[Literal] = (),
    at_most: int | None = None,
) -> tuple[Configuration, ...]:
    """Up to `count` new configurations with the literals `fixed`, at random distances from `origin`.

    The distance counts the options `among` (None: all) that have another value than in `origin`, and is at
    most `at_most`. A distance at which there is nothing, or nothing new, is drawn no more.
    """
    solver = space.solver
    reach = solver.distances(origin, among, fixed)
    if reach is None:
        return ()
    nearest, farthest = reach
    distances = list(range(nearest, (farthest if at_most is None else min(farthest, at_most)) + 1))
    walk = ConfigurationWalk(space, origin, among, [literal.option for literal in fixed])
    known = set(sampled)
    searches: dict[int, Iterator[Configuration]] = {}
    found: list[Configuration] = []
    while len(found) < count and distances:
        distance = rng.choice(distances)
        new = None
        for attempt in range(WALKS):
            if attempt == 0:
                start = solver.complete(fixed, rng)
            else:  # slower, but it starts near enough to arrive at the rarer distances too
                start = solver.about_distance(origin, distance, rng, among, fixed)
            new = None if start is None else walk.to(distance, start, rng)
            if new is not None and new not in known:
                break
        else:
            if distance not in searches:
                if len(searches) == SEARCHES:
                    del searches[next(iter(searches))]  # the oldest
                searches[distance] = solver.each_at_distance(origin, distance, rng, among, fixed)
            new = next((each for each in searches[distance] if each not in known), None)
        if new is None:
            distances.remove(distance)
        else:
            known.add(new)
            found.append(new)
    return tuple(found)
