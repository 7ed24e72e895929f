"""The two ends of a space: everything off, and everything on.

An option is *selected* where its value is not its lowest: a switch that is on, a number above its lowest
level, one of several that is not its default. So the number of selected options is the Hamming distance from
the lowest values; a number or one of several counts once, however far it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.options import Configuration, Option, Value
from sonde.space.space import Space


def lowest(option: Option) -> Value:
    """Off, the lowest level of a number, the default of one of several."""
    if option.is_switch or option.is_numeric:
        return min(option.values)
    return option.default


def highest(option: Option) -> Value:
    """On, the highest level of a number, the default of one of several."""
    if option.is_switch or option.is_numeric:
        return max(option.values)
    return option.default


def lowest_values(space: Space) -> Configuration:
    """Every option at its lowest; the constraints may forbid it."""
    return Configuration.of({option.name: lowest(option) for option in space.options})


def highest_values(space: Space) -> Configuration:
    """Every option at its highest; the constraints may forbid it."""
    return Configuration.of({option.name: highest(option) for option in space.options})


def spread(option: Option, count: int) -> Sequence[Value]:
    """At most `count` levels of a number, evenly over its sorted levels with both ends; all values of others.

    The position of the j-th of n among m levels is j (m - 1) / (n - 1), rounded half up.
    """
    if not option.is_numeric:
        return option.values
    levels = sorted(option.values, key=float)
    return list(dict.fromkeys(levels[position(j, count, len(levels))] for j in range(count)))


def position(level: int, levels: int, among: int) -> int:
    """Where the level-th of `levels` levels lies `among` the positions 0, 1, ... when both ends meet."""
    if levels == 1:
        return 0
    return (2 * level * (among - 1) + levels - 1) // (2 * (levels - 1))
