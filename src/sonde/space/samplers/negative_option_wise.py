"""All options on but one.

N. Siegmund, A. Grebhahn, S. Apel, C. Kästner: Performance-influence models for highly configurable systems.
ESEC/FSE 2015.
"""

from __future__ import annotations

from collections.abc import Collection

from sonde.core.options import Configuration
from sonde.space.samplers.extremes import highest_values
from sonde.space.samplers.one_away import one_away
from sonde.space.space import Space


def negative_option_wise(
    space: Space, sampled: Collection[Configuration] = (), levels: int = 2
) -> tuple[Configuration, ...]:
    """As much as possible, and then each other value of each option with as much as possible beside it.

    A number takes so many `levels`, evenly spread; two are its lowest and its highest. What a constraint
    forbids beside a value is left out. A value that no configuration has is passed over.
    """
    return one_away(space, highest_values(space), sampled, levels)
