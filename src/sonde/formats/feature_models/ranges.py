"""Sets of an option's values, as expressions."""

from __future__ import annotations

from collections.abc import Sequence, Set

from sonde.core.options import Option
from sonde.formats.feature_models.logic import either, is_on
from sonde.space.expressions import Comparator, Connective, Expression, Fact, Joined, Not

Places = Set[int]  # places in the values of an option


def among(option: Option, places: Places) -> Expression:
    """That the option has one of the values at `places`: some, but not all of them. Levels ascend."""
    if option.is_switch:
        (place,) = places
        on = is_on(option.name)
        return on if option.values[place] is True else Not(on)
    runs = _runs(sorted(places)) if option.is_numeric else []
    others = set(range(len(option.values))) - places
    if len(others) == 1 < len(places) and len(runs) != 1:
        return Fact(option.name, Comparator.UNEQUAL, option.values[others.pop()])
    if not option.is_numeric:
        return either([Fact(option.name, Comparator.EQUAL, option.values[place]) for place in sorted(places)])
    return either([_run(option, run[0], run[-1]) for run in runs])


def _runs(places: Sequence[int]) -> list[list[int]]:
    """Neighbours together."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _run(option: Option, first: int, last: int) -> Expression:
    if first == last:
        return Fact(option.name, Comparator.EQUAL, option.values[first])
    lowest = Fact(option.name, Comparator.AT_LEAST, option.values[first])
    highest = Fact(option.name, Comparator.AT_MOST, option.values[last])
    if first == 0:
        return highest
    return lowest if last == len(option.values) - 1 else Joined(Connective.AND, lowest, highest)
