"""Exploitation of a term that may have too many options: vary at most half of them, and nothing else.

Section 3.4.2 of change-points-across-variants-and-versions (ASE'20), over-approximation: "we require that
variation only occurs among 50 % of the options associated with the change point. That is, we can remove up to
50 % of configuration options".
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from sonde.core.options import Configuration, Term
from sonde.space.samplers.extremes import lowest_values
from sonde.space.space import Space


def vary_term(
    space: Space, term: Term, count: int, rng: Random, sampled: Collection[Configuration] = ()
) -> tuple[Configuration, ...]:
    """Up to `count` configurations that change at most half of `term` in the smallest one that has it.

    How many differ is drawn uniformly: at least one, and one also where the term has a single literal. A
    literal that is off becomes on, a value becomes another. Other options move only where a constraint
    demands it.
    """
    solver = space.solver
    kept = sorted(term, key=str)
    if not solver.is_possible(kept):
        return ()
    origin = solver.nearest(lowest_values(space), kept)
    own = [literal.option for literal in kept]
    changes = list(range(1, max(1, len(own) // 2) + 1)) if own else []
    seen: dict[int, list[Term]] = {change: [] for change in changes}
    known = set(sampled)
    found: list[Configuration] = []
    while len(found) < count and changes:
        change = rng.choice(changes)
        varied = solver.at_distance(origin, change, rng, own, forbidden=seen[change])
        if varied is None:
            changes.remove(change)
            continue
        literals = [literal for literal in varied if literal.option in own]
        seen[change].append(frozenset(literals))
        wanted = Configuration.of({**origin.chosen, **{each.option: each.value for each in literals}})
        new = solver.nearest(wanted, literals)
        if new not in known:
            known.add(new)
            found.append(new)
    return tuple(found)
