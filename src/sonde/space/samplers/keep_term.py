"""Exploitation of a term that may lack options: keep its literals, select at most half of the other options.

Section 3.4.2 of change-points-across-variants-and-versions (ASE'20), under-approximation: "we require that
all associated options keep enabled and that 50 % of all not-associated options can be selected".
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from sonde.core.options import Configuration, Term
from sonde.space.samplers.extremes import lowest_values
from sonde.space.samplers.over_distances import over_distances
from sonde.space.space import Space


def keep_term(
    space: Space, term: Term, count: int, rng: Random, sampled: Collection[Configuration] = ()
) -> tuple[Configuration, ...]:
    """Up to `count` random configurations with all of `term`, and at most half of the other options selected.

    Literals of the term may also be off or a value. An option counts as selected where it differs from the
    smallest configuration that has the term, so that what constraints demand beside the term does not use up
    the half. The number of selected options is uniform, as in distance-based sampling.
    """
    kept = sorted(term, key=str)
    if not space.solver.is_possible(kept):
        return ()
    origin = space.solver.nearest(lowest_values(space), kept)
    own = {literal.option for literal in term}
    others = [option.name for option in space.options if option.name not in own]
    return over_distances(space, origin, count, rng, sampled, others, kept, len(others) // 2)
