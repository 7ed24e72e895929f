"""Further steps of configurations that are sampled already: section 3.4.1.

The paper gives a number of steps to each configuration. A budget seldom is a multiple of the configurations,
so they take turns, one step each, until it is spent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import numpy as np

from sonde.core.options import Configuration
from sonde.methods.pinpointing.likelihoods.batch import Batch
from sonde.methods.pinpointing.likelihoods.likelihood import Floats
from sonde.methods.pinpointing.likelihoods.peaks import average, deviation
from sonde.methods.pinpointing.likelihoods.samples import Flags


def explore_steps(batch: Batch, configurations: Sequence[Configuration], budget: int) -> None:
    """Wish for the steps farthest from all that were tried.

    In each turn those configurations are first that have the farthest. What failed counts as tried, else a
    stretch that does not build would be tried as a whole.
    """
    left = budget
    is_left = True
    while is_left and left > 0:
        offers = [(*farthest(batch.is_open(each), batch.taken(each)), each) for each in configurations]
        offers = [offer for offer in offers if offer[0] > 0]
        is_left = False
        for _, step, configuration in sorted(offers, key=lambda offer: -offer[0])[:left]:
            if batch.add(configuration, step):
                left -= 1
                is_left = True


def farthest(is_open: Flags, taken: Flags) -> tuple[int, int]:
    """The largest distance of an open step to what is taken, and this step, the middle one of several.

    The distance is 0 if no step is open, and the number of steps if none is taken.
    """
    candidates = np.flatnonzero(is_open)
    if not len(candidates):
        return 0, 0
    known = np.flatnonzero(taken)
    if not len(known):
        return len(is_open), int(candidates[len(candidates) // 2])
    after = np.searchsorted(known, candidates)
    to_next = np.abs(known[np.minimum(after, len(known) - 1)] - candidates)
    to_last = np.abs(candidates - known[np.maximum(after - 1, 0)])
    distances = np.minimum(to_next, to_last)
    tops = candidates[distances == distances.max()]
    return int(distances.max()), int(tops[len(tops) // 2])


def exploit_steps(
    batch: Batch, likelihood_of: Mapping[Configuration, tuple[int, Floats]], budget: int, rng: Random
) -> None:
    """Wish for random steps that may be change points, but are not sure to be.

    `likelihood_of` has the first step of a configuration and the likelihoods from there on.
    """
    pools: list[tuple[Configuration, list[int]]] = []
    for configuration, (first, likelihood) in likelihood_of.items():
        is_open = batch.is_open(configuration)[first : first + len(likelihood)]
        steps = (first + np.flatnonzero(is_open & is_unsure(likelihood))).tolist()
        rng.shuffle(steps)
        pools.append((configuration, steps))
    rng.shuffle(pools)
    left = budget
    while pools and left > 0 and batch.room > 0:
        pools = [pool for pool in pools if pool[1]]
        for configuration, steps in pools[:left]:
            left -= batch.add(configuration, steps.pop())


def is_unsure(likelihood: Floats) -> Flags:
    """For each step, whether its likelihood lies between the average and a deviation above it."""
    low = average(likelihood)
    return (likelihood > low) & (likelihood < low + deviation(likelihood))
