"""Levels of numbers from an orthogonal design.

R. L. Plackett, J. P. Burman: The design of optimum multifactorial experiments. Biometrika 33(4), 1946.
N. Siegmund, A. Grebhahn, S. Apel, C. Kästner: Performance-influence models for highly configurable systems.
ESEC/FSE 2015, who choose the levels of numeric options with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sonde.core.errors import UsageError
from sonde.core.options import Configuration, Literal, Option
from sonde.space.samplers.designs import Design, is_prime, orthogonal_design
from sonde.space.samplers.extremes import position
from sonde.space.space import Space

MOST_LEVELS = 31


def plackett_burman(
    space: Space,
    sampled: Collection[Configuration] = (),
    levels: int = 3,
    runs: int = 0,
    bases: Collection[Configuration] = (),
) -> tuple[Configuration, ...]:
    """The rows of the smallest design of at least `runs` rows; what is no number has its default.

    With `bases`, such as an option-wise sample, the other options have the values of each base in turn. A
    number with more than `levels` levels takes some that are evenly spread; with fewer, some more often. A
    row that breaks a constraint becomes the nearest valid configuration: with the same numbers if there is
    one.
    """
    if not is_prime(levels) or levels > MOST_LEVELS:
        raise UsageError(
            f"a Plackett-Burman design needs a prime number of levels, not {levels}: take 2, 3, 5, 7 or 11."
        )
    found = dict.fromkeys(_rows(space, levels, runs, sorted(bases, key=str) or [space.every_default]))
    known = frozenset(sampled)
    return tuple(configuration for configuration in found if configuration not in known)


def _rows(space: Space, levels: int, runs: int, bases: list[Configuration]) -> Iterator[Configuration]:
    numbers = [option for option in space.options if option.is_numeric]
    if not space.solver.is_possible(()):
        return
    design: Design = orthogonal_design(levels, len(numbers), runs) if numbers else ((),)
    for base in bases:
        for row in design:
            literals = [_literal(option, at, levels) for option, at in zip(numbers, row, strict=True)]
            wanted = Configuration.of({**base.chosen, **{each.option: each.value for each in literals}})
            fixed = literals if space.solver.is_possible(literals) else ()
            yield wanted if space.is_valid(wanted) else space.solver.nearest(wanted, fixed)


def _literal(option: Option, level: int, levels: int) -> Literal:
    values = sorted(option.values, key=float)
    return Literal(option.name, values[position(level, levels, len(values))])
