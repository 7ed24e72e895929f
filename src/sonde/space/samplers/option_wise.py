"""Each option on, alone.

N. Siegmund, S. S. Kolesnikov, C. Kästner, S. Apel, D. Batory, M. Rosenmüller, G. Saake: Predicting
performance via automated feature-interaction detection. ICSE 2012 ("feature-wise").
"""

from __future__ import annotations

from collections.abc import Collection

from sonde.core.options import Configuration
from sonde.space.samplers.extremes import lowest_values
from sonde.space.samplers.one_away import one_away
from sonde.space.space import Space


def option_wise(
    space: Space, sampled: Collection[Configuration] = (), levels: int = 2
) -> tuple[Configuration, ...]:
    """As little as possible, and then each other value of each option with as little as possible beside it.

    A number takes so many `levels`, evenly spread; two are its lowest and its highest. What a constraint
    demands beside a value comes with it. A value that no configuration has is passed over.
    """
    return one_away(space, lowest_values(space), sampled, levels)
