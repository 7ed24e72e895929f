"""Spaces in which some options do not exist, so that they are as good as at their default."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.options import Option
from sonde.space.expressions import Comparator, Expression, Fact, Not
from sonde.space.space import Space


def at_default(space: Space, options: Sequence[Option]) -> Space:
    """The configurations of a space in which these options have their default."""
    return Space(space.options, (*space.constraints, *map(_is_default, options))) if options else space


def _is_default(option: Option) -> Expression:
    if option.is_switch:
        is_on = Fact(option.name, Comparator.EQUAL, True)
        return is_on if option.default else Not(is_on)
    return Fact(option.name, Comparator.EQUAL, option.default)
