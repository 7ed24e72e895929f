"""Constraints as small trees: what they say, whether they hold, and how they are written.

    Fact       checksum, level >= 5
    Not        not checksum
    Joined     a and b, a or b, a implies b, a requires b, a excludes b, a iff b
    Counted    exactly one of a, b, c; at most one of ...; at least one of ...

`sonde.space.parser` reads them.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import cast

from sonde.core.options import OptionName, Value

WORD = re.compile(r"[A-Za-z0-9_.+](?:[A-Za-z0-9_.+/:]|-(?!>))*|-[A-Za-z0-9_.](?:[A-Za-z0-9_.+/:]|-(?!>))*")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[.-]+[A-Za-z0-9_]+)*")


class Relation(Enum):
    """How an option's value is compared."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="


class Connective(Enum):
    """How two expressions are joined."""

    AND = "and"
    OR = "or"
    IMPLIES = "implies"
    REQUIRES = "requires"  # the same as implies, as people say it of options
    EXCLUDES = "excludes"
    IFF = "iff"


class Quantity(Enum):
    """How many of several expressions hold."""

    EXACTLY_ONE = "exactly one of"
    AT_MOST_ONE = "at most one of"
    AT_LEAST_ONE = "at least one of"


@dataclass(frozen=True)
class Fact:
    """That an option's value stands in `relation` to `value`; a switch is compared with True only."""

    option: OptionName
    relation: Relation
    value: Value

    def __str__(self) -> str:
        if self.value is True:
            return self.option
        return f"{self.option} {self.relation.value} {_written(self.value)}"


@dataclass(frozen=True)
class Not:
    """That `operand` does not hold."""

    operand: Expression

    def __str__(self) -> str:
        return f"not {_enclosed(self.operand)}"


@dataclass(frozen=True)
class Joined:
    """Two expressions and what holds between them."""

    connective: Connective
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return f"{_enclosed(self.left)} {self.connective.value} {_enclosed(self.right)}"


@dataclass(frozen=True)
class Counted:
    """How many of `operands` hold."""

    quantity: Quantity
    operands: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"{self.quantity.value} {', '.join(_enclosed(operand) for operand in self.operands)}"


Expression = Fact | Not | Joined | Counted

_COMPARE: Mapping[Relation, Callable[[Value, Value], bool]] = {
    Relation.EQUAL: operator.eq,
    Relation.UNEQUAL: operator.ne,
    Relation.LESS: lambda left, right: cast(float, left) < cast(float, right),
    Relation.AT_MOST: lambda left, right: cast(float, left) <= cast(float, right),
    Relation.MORE: lambda left, right: cast(float, left) > cast(float, right),
    Relation.AT_LEAST: lambda left, right: cast(float, left) >= cast(float, right),
}

_JOIN: Mapping[Connective, Callable[[bool, bool], bool]] = {
    Connective.AND: lambda left, right: left and right,
    Connective.OR: lambda left, right: left or right,
    Connective.IMPLIES: lambda left, right: not left or right,
    Connective.REQUIRES: lambda left, right: not left or right,
    Connective.EXCLUDES: lambda left, right: not (left and right),
    Connective.IFF: lambda left, right: left == right,
}

_COUNT: Mapping[Quantity, Callable[[int], bool]] = {
    Quantity.EXACTLY_ONE: lambda count: count == 1,
    Quantity.AT_MOST_ONE: lambda count: count <= 1,
    Quantity.AT_LEAST_ONE: lambda count: count >= 1,
}


def holds(expression: Expression, chosen: Mapping[OptionName, Value]) -> bool:
    """Whether `expression` is true of these values."""
    match expression:
        case Fact(option, relation, value):
            return _COMPARE[relation](chosen[option], value)
        case Not(operand):
            return not holds(operand, chosen)
        case Joined(connective, left, right):
            return _JOIN[connective](holds(left, chosen), holds(right, chosen))
        case Counted(quantity, operands):
            return _COUNT[quantity](sum(holds(operand, chosen) for operand in operands))


def options_of(expression: Expression) -> Iterator[OptionName]:
    """The option of every fact in `expression`, from left to right."""
    match expression:
        case Fact(option, _, _):
            yield option
        case Not(operand):
            yield from options_of(operand)
        case Joined(_, left, right):
            yield from options_of(left)
            yield from options_of(right)
        case Counted(_, operands):
            for operand in operands:
                yield from options_of(operand)


def _enclosed(expression: Expression) -> str:
    return str(expression) if isinstance(expression, Fact) else f"({expression})"


def _written(value: Value) -> str:
    text = str(value)
    return text if WORD.fullmatch(text) else json.dumps(text, ensure_ascii=False)
