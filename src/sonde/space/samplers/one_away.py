"""One option at a time: what option-wise and negative option-wise sampling share."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sonde.core.options import Configuration, Literal
from sonde.space.samplers.extremes import spread
from sonde.space.space import Space


def one_away(
    space: Space, origin: Configuration, sampled: Collection[Configuration], levels: int
) -> tuple[Configuration, ...]:
    """The valid configuration nearest to `origin`, and the nearest to `origin` with each value it lacks.

    Where several are as near, the one that is nearest to the first: it differs from that in one option and in
    what constraints force, and shows what that changes.
    """
    found = dict.fromkeys(_nearest_ones(space, origin, levels))
    known = frozenset(sampled)
    return tuple(configuration for configuration in found if configuration not in known)


def _nearest_ones(space: Space, origin: Configuration, levels: int) -> Iterator[Configuration]:
    solver = space.solver
    if not solver.is_possible(()):
        return
    base = solver.nearest(origin)
    yield base
    for option in space.options:
        for value in spread(option, levels):
            fixed = (Literal(option.name, value),)
            if value != base[option.name] and solver.is_possible(fixed):
                yield solver.nearest(origin, fixed, tie_break=base)
