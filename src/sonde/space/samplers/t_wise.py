"""Every valid combination of t values at least once.

M. F. Johansen, Ø. Haugen, F. Fleurey: An algorithm for generating t-wise covering arrays from large feature
models. SPLC 2012, who ask a SAT solver which tuples are valid; the values of a configuration are chosen one
at a time, the most gainful first, after D. M. Cohen, S. R. Dalal, M. L. Fredman, G. C. Patton: The AETG
system. IEEE TSE 23(7), 1997.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from sonde.core.options import Configuration
from sonde.space.samplers.coverage import Lanes, TupleCoverage, counts, lane, lanes, members
from sonde.space.samplers.numbered import Numbered
from sonde.space.space import Space


def pair_wise(space: Space, sampled: Collection[Configuration] = ()) -> tuple[Configuration, ...]:
    """Configurations that have, with those `sampled`, every valid pair of values of two options."""
    return t_wise(space, 2, sampled)


def t_wise(space: Space, strength: int, sampled: Collection[Configuration] = ()) -> tuple[Configuration, ...]:
    """Configurations that have, with those `sampled`, all valid combinations of `strength` values.

    Numbers are covered at each of their levels. A space with fewer options is covered as a whole.
    """
    numbered = Numbered(space)
    strength = max(1, min(strength, len(space.options)))
    compatible = numbered.of_other_options()
    for lower in range(
        1, min(strength, 3)
    ):  # what single literals and pairs rule out need not be asked again
        coverage = TupleCoverage(compatible, lower)
        _cover(numbered, coverage, compatible)
        compatible = _without(compatible, coverage.forbidden)
    coverage = TupleCoverage(compatible, strength)
    for configuration in sampled:
        coverage.cover(numbered.numbers(configuration))
    return tuple(map(numbered.configuration, _cover(numbered, coverage, compatible)))


def _cover(numbered: Numbered, coverage: TupleCoverage, compatible: Sequence[Lanes]) -> list[list[int]]:
    """Valid configurations that cover all that is open; invalid tuples become forbidden on the way."""
    beside = [frozenset(members(of)) for of in compatible]
    used = [0] * len(compatible)
    found = []
    while (wanted := coverage.fullest()) is not None:
        if not numbered.is_possible(wanted):
            coverage.forbid(wanted)
            continue
        seldom_first = sorted(range(len(compatible)), key=used.__getitem__)
        chosen = _fill(numbered, coverage, beside, wanted, seldom_first)
        coverage.cover(chosen)
        for literal in chosen:
            used[literal] += 1
        found.append(chosen)
    return found


def _fill(
    numbered: Numbered,
    coverage: TupleCoverage,
    beside: Sequence[Collection[int]],
    wanted: Iterable[int],
    candidates: Sequence[int],
) -> list[int]:
    """A valid configuration that begins with `wanted` and covers much.

    Each next literal is the first of the candidates that completes the most uncovered tuples. What is invalid
    is never chosen, so tuples that are open only because nobody has asked the solver yet mislead no choice.
    """
    chosen: list[int] = []
    gains = coverage.alone
    following = list(wanted)
    while candidates:
        if following:
            literal = following.pop()
        else:
            literal = max(candidates, key=counts(gains, len(beside)).__getitem__)
            if not numbered.is_possible((*chosen, literal)):
                candidates = [each for each in candidates if each != literal]
                continue
        gains += coverage.gains(chosen, literal)
        candidates = [each for each in candidates if each in beside[literal]]
        chosen.append(literal)
    return chosen


def _without(compatible: Sequence[Lanes], forbidden: Collection[tuple[int, ...]]) -> list[Lanes]:
    """The compatible literals but for those that are forbidden alone or beside each other."""
    kept = list(compatible)
    for tuple_ in forbidden:
        for literal in tuple_:
            kept[literal] &= ~lanes(tuple_)
    dead = lanes(tuple_[0] for tuple_ in forbidden if len(tuple_) == 1)
    return [0 if dead & lane(literal) else of & ~dead for literal, of in enumerate(kept)]
