"""Random configurations, as many with few options on as with many.

C. Kaltenecker, A. Grebhahn, N. Siegmund, J. Guo, S. Apel: Distance-based sampling of software configuration
spaces. ICSE 2019. The initial sample and the exploration of section 3.1 of
change-points-across-variants-and-versions.
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from sonde.core.options import Configuration
from sonde.space.samplers.extremes import lowest_values
from sonde.space.samplers.over_distances import over_distances
from sonde.space.space import Space


def distance_based(
    space: Space, count: int, rng: Random, sampled: Collection[Configuration] = ()
) -> tuple[Configuration, ...]:
    """Up to `count` random configurations; how many options they select is uniform over what exists.

    `sonde.space.samplers.extremes` says when an option is selected: a number counts once at any level above
    its lowest, as one of several does at any value but its default. The distances are taken from the lowest
    values even where constraints forbid these.
    """
    return over_distances(space, lowest_values(space), count, rng, sampled)
