"""Values of some options beside those of given configurations, so that each pair of values meets.

Greedy, as in D. Cohen, S. Dalal, M. Fredman, G. Patton: The AETG System (TSE 1997). Each new
configuration is one of the given ones with other values of some options. Numbers count at both ends of their
levels only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from sonde.core.options import Configuration, Literal, OptionName
from sonde.space.samplers.extremes import spread
from sonde.space.space import Space

Pair = frozenset[Literal]


def beside(
    space: Space,
    given: Sequence[Configuration],
    fixed: Collection[OptionName],
    names: Collection[OptionName],
    near: Configuration | None = None,
) -> tuple[Configuration, ...]:
    """Configurations that have, with those `given`, each valid pair of values of which one is of `names`.

    The other value is of `names` or one of the `fixed` that the given ones have. All other options are as
    `near` to this configuration as constraints allow; None is the default.
    """
    bases = list(dict.fromkeys(_literals(each, fixed) for each in given))
    ends = {one.name: [Literal(one.name, each) for each in spread(one, 2)] for one in space.options}
    others = {literal for base in bases for literal in base if literal in ends[literal.option]}
    own = [ends[option.name] for option in space.options if option.name in names]
    rows = _Rows(space, near, bases, others, own)
    left = rows.pairs() - {pair for each in given for pair in _pairs(_literals(each, {*fixed, *names}))}
    found: list[Configuration] = []
    while left:
        row = rows.next(left)
        if row is None:
            break
        found.append(row)
        left -= _pairs(_literals(row, {*fixed, *names}))
    return tuple(found)


@dataclass(frozen=True)
class _Rows:
    """Configurations that are built from one of several bases."""

    space: Space
    near: Configuration | None
    bases: Sequence[tuple[Literal, ...]]
    others: Collection[Literal]  # of the bases, whose pairs count
    own: Sequence[Sequence[Literal]]  # those to choose from, of each option

    def pairs(self) -> set[Pair]:
        """All that may meet, be it valid or not."""
        if len(self.own) == 1 and not self.others:
            return {frozenset({each}) for each in self.own[0]}
        groups = [*self.own, self.others]
        return {
            frozenset({each, other})
            for own, group in combinations(groups, 2)
            for each in own
            for other in group
        }

    def next(self, left: set[Pair]) -> Configuration | None:
        """One in which some pairs meet that are left; pairs that are impossible are taken out."""
        for pair in sorted(left, key=lambda each: sorted(map(_key, each))):
            for chosen in self._beginnings(pair):
                if self.space.solver.is_possible(chosen):
                    literals = self._filled(chosen, left)
                    usual = self.space.default if self.near else None
                    return self.space.solver.nearest(self.near or self.space.default, literals, usual)
            left.discard(pair)
        return None

    def _beginnings(self, pair: Pair) -> Iterator[tuple[Literal, ...]]:
        """The bases that a pair agrees with, with the pair."""
        for base in self.bases:
            values = {each.option: each.value for each in base}
            if all(values.get(each.option, each.value) == each.value for each in pair):
                yield tuple(dict.fromkeys((*base, *sorted(pair, key=_key))))

    def _filled(self, chosen: tuple[Literal, ...], left: Collection[Pair]) -> tuple[Literal, ...]:
        """With a value of each option that still has a pair to meet."""
        known = {each.option for each in chosen}
        for literals in self.own:
            if literals[0].option in known:
                continue
            gains = {each: sum(frozenset({each, other}) in left for other in chosen) for each in literals}
            for literal in sorted(literals, key=gains.__getitem__, reverse=True):
                if gains[literal] and self.space.solver.is_possible((*chosen, literal)):
                    chosen = (*chosen, literal)
                    break
        return chosen


def _literals(configuration: Configuration, names: Collection[OptionName]) -> tuple[Literal, ...]:
    return tuple(literal for literal in configuration if literal.option in names)


def _pairs(literals: Sequence[Literal]) -> set[Pair]:
    return {frozenset(pair) for pair in combinations(literals, 2)} or {frozenset(literals)}


def _key(literal: Literal) -> tuple[str, str]:
    return literal.option, repr(literal.value)
