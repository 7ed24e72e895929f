"""An order of options in which those that constraints join stand close together.

FORCE: Aloul, Markov and Sakallah, "FORCE: a fast and easy-to-implement variable-ordering heuristic", 2003.
The size of a decision diagram depends on the order of its variables, by orders of magnitude.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from sonde.core.options import OptionName

_PATIENCE = 10  # rounds without gain
_ROUNDS = 100

Joins = Sequence[tuple[OptionName, ...]]  # the options of each constraint


def close_order(
    options: Sequence[OptionName], constraints: Iterable[Iterable[OptionName]]
) -> list[OptionName]:
    """The options in an order in which the constraints span few positions."""
    together = (tuple(dict.fromkeys(names)) for names in constraints)
    joins = list(dict.fromkeys(names for names in together if len(names) > 1))
    joins_of: dict[OptionName, list[int]] = {option: [] for option in options}
    for at, names in enumerate(joins):
        for name in names:
            joins_of[name].append(at)
    starts = (list(options), _outwards(joins, joins_of))
    orders = [_force(start, joins, joins_of) for start in starts]
    return min(orders, key=lambda order: _waiting(order, joins))


def _force(
    start: list[OptionName], joins: Joins, joins_of: Mapping[OptionName, list[int]]
) -> list[OptionName]:
    """Move every option to the mean of its constraints' centres, again and again; the best order seen."""
    order = best = start
    least = _span(start, joins)
    idle = 0
    for _ in range(_ROUNDS):
        position = {option: float(at) for at, option in enumerate(order)}
        centres = [sum(map(position.__getitem__, names)) / len(names) for names in joins]
        wanted = {
            option: sum(centres[at] for at in own) / len(own) if own else position[option]
            for option, own in joins_of.items()
        }
        order = sorted(order, key=wanted.__getitem__)
        span = _span(order, joins)
        idle = 0 if span < least else idle + 1
        if span < least:
            least, best = span, order
        if idle > _PATIENCE:
            break
    return best


def _outwards(joins: Joins, joins_of: Mapping[OptionName, list[int]]) -> list[OptionName]:
    """The options in the order in which constraints lead from one to the next, breadth first."""
    seen: dict[OptionName, None] = {}
    for first in joins_of:
        waiting = deque([first])
        while waiting:
            option = waiting.popleft()
            if option in seen:
                continue
            seen[option] = None
            for at in joins_of[option]:
                waiting.extend(name for name in joins[at] if name not in seen)
    return list(seen)


def _waiting(order: list[OptionName], joins: Joins) -> int:
    """How many options wait for the last of those that they are joined with, summed over all positions.

    A diagram has to remember these. One option with many constraints costs a long span for each, but waits
    once.
    """
    position = {option: at for at, option in enumerate(order)}
    last = dict(position)
    for names in joins:
        end = max(position[name] for name in names)
        for name in names:
            last[name] = max(last[name], end)
    return sum(last[option] - at for option, at in position.items())


def _span(order: list[OptionName], joins: Joins) -> int:
    position = {option: at for at, option in enumerate(order)}
    places = ([position[name] for name in names] for names in joins)
    return sum(max(place) - min(place) for place in places)
