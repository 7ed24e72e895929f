"""Some of given configurations, in which every combination of a few values meets that meets in any of them.

Greedy, as in D. Cohen, S. Dalal, M. Fredman, G. Patton: The AETG System (TSE 1997), but the candidates are
given, so that nothing has to be solved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from sonde.core.options import Configuration, Literal, OptionName

Meeting = tuple[Literal, ...]

NEARLY_ALL = 1.5  # times as many as a few that stand for them


def covering(
    configurations: Sequence[Configuration], options: Iterable[OptionName], strength: int
) -> tuple[Configuration, ...]:
    """Few of them that have every combination of `strength` values of these options that any of them has.

    In the given order, the first one always among them; ties go to the earlier one.
    """
    wanted = frozenset(options)
    open_ones = {each: _meetings(each, wanted, strength) for each in configurations}
    left = set().union(*open_ones.values()) if open_ones else set()
    chosen: set[Configuration] = set()
    best = configurations[0] if configurations else None
    while best is not None:
        chosen.add(best)
        left -= open_ones.pop(best)
        best = max(open_ones, key=lambda each: len(open_ones[each] & left), default=None) if left else None
    return tuple(each for each in configurations if each in chosen)


def _meetings(configuration: Configuration, options: frozenset[OptionName], strength: int) -> set[Meeting]:
    literals = [literal for literal in configuration if literal.option in options]
    return set(combinations(literals, min(strength, len(literals))))


def all_if_hardly_more(
    everything: tuple[Configuration, ...], few: tuple[Configuration, ...]
) -> tuple[Configuration, ...]:
    """All configurations where they are at most half as many again as a few that stand for them.

    An effect of more options than a sample covers stays unseen, and in small spaces all cost hardly more.
    """
    return everything if len(few) <= len(everything) <= NEARLY_ALL * len(few) else few
