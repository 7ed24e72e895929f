"""Comparisons of sums over options, as constraints on the values that make them true."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from sonde.core.options import Option, Value
from sonde.formats.feature_models.arithmetic import read_sum
from sonde.formats.feature_models.errors import UnreadableModelText
from sonde.formats.feature_models.logic import is_on
from sonde.formats.feature_models.tables import constraints_that
from sonde.space.expressions import Expression

_SIGN = re.compile(r">=|<=|!=|==|=|>|<")
_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "!=": operator.ne,
    "==": operator.eq,
    "=": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}


@dataclass(frozen=True)
class ComparisonDemand:
    """What a comparison demands, and how many combinations of values were tried to know it."""

    constraints: tuple[Expression, ...]
    tried: int


def read_comparison(
    text: str, resolve: Callable[[str], Option], needs_all: bool, is_negated: bool, most: int
) -> ComparisonDemand:
    """What a comparison such as `level * 2 + checksum <= 9` demands; on counts as 1, off as 0.

    With `needs_all` it only counts where all on/off options in it are on; with `is_negated` its opposite
    holds. Raises Unreadable, also where more than `most` combinations would have to be tried.
    """
    signs = _SIGN.findall(text)
    if len(signs) != 1:
        raise UnreadableModelText("it needs one sign of =, !=, <, <=, > and >=")
    compare = _COMPARE[signs[0]]
    left, right = (read_sum(side) for side in _SIGN.split(text))
    names = tuple(dict.fromkeys([*left.names, *right.names]))
    options = {name: resolve(name) for name in names}
    switches = [name for name in names if options[name].is_switch]
    varied = [name for name in names if not (needs_all and options[name].is_switch)]

    def holds(values: Sequence[Value]) -> bool:
        numbers = dict.fromkeys(switches, 1.0) | {
            name: float(value) for name, value in zip(varied, values, strict=True)
        }
        return compare(left.value(numbers), right.value(numbers)) is not is_negated

    premise = [is_on(options[name].name) for name in switches] if needs_all else []
    tried = [options[name] for name in varied]
    return ComparisonDemand(
        constraints_that(tried, holds, premise, most), prod(len(option.values) for option in tried)
    )
