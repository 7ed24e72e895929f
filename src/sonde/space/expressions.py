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

from sonde.core.options import Option, OptionName, Value

WORD = re.compile(r"[A-Za-z0-9_.+](?:[A-Za-z0-9_.+/:]|-(?!>))*|-[A-Za-z0-9_.](?:[A-Za-z0-9_.+/:]|-(?!>))*")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[.-]+[A-Za-z0-9_]+)*")


class Comparator(Enum):
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
    relation: Comparator
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
        return f"not {_within(self.operand, _UNARY)}"


@dataclass(frozen=True)
class Joined:
    """Two expressions and what holds between them."""

    connective: Connective
    left: Expression
    right: Expression

    def __str__(self) -> str:
        # `and` and `or` are read from left to right; the others need parentheses around their like.
        level = max(_level(self) + 1, _EITHER)
        return f" {self.connective.value} ".join(_within(part, level) for part in chain(self))


@dataclass(frozen=True)
class Counted:
    """How many of `operands` hold."""

    quantity: Quantity
    operands: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"{self.quantity.value} {', '.join(_within(operand, _UNARY) for operand in self.operands)}"


Expression = Fact | Not | Joined | Counted

_COMPARE: Mapping[Comparator, Callable[[Value, Value], bool]] = {
    Comparator.EQUAL: operator.eq,
    Comparator.UNEQUAL: operator.ne,
    Comparator.LESS: lambda left, right: cast(float, left) < cast(float, right),
    Comparator.AT_MOST: lambda left, right: cast(float, left) <= cast(float, right),
    Comparator.MORE: lambda left, right: cast(float, left) > cast(float, right),
    Comparator.AT_LEAST: lambda left, right: cast(float, left) >= cast(float, right),
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
        case Joined(Connective.AND):
            return all(holds(part, chosen) for part in chain(expression))
        case Joined(Connective.OR):
            return any(holds(part, chosen) for part in chain(expression))
        case Joined(connective, left, right):
            return _JOIN[connective](holds(left, chosen), holds(right, chosen))
        case Counted(quantity, operands):
            return _COUNT[quantity](sum(holds(operand, chosen) for operand in operands))


def chain(joined: Joined) -> list[Expression]:
    """The parts of `a and b and c` or `a or b or c`, however many; both sides of any other connective."""
    if joined.connective not in (Connective.AND, Connective.OR):
        return [joined.left, joined.right]
    parts: list[Expression] = []
    rest: Expression = joined
    while isinstance(rest, Joined) and rest.connective is joined.connective:
        parts.append(rest.right)
        rest = rest.left
    return [rest, *reversed(parts)]


def satisfying(fact: Fact, option: Option) -> tuple[bool, ...]:
    """Whether `fact` is true of each value of its option, in their order."""
    return tuple(_COMPARE[fact.relation](value, fact.value) for value in option.values)


def options_of(expression: Expression) -> Iterator[OptionName]:
    """The option of every fact in `expression`, from left to right."""
    match expression:
        case Fact(option, _, _):
            yield option
        case Not(operand):
            yield from options_of(operand)
        case Joined():
            for part in chain(expression):
                yield from options_of(part)
        case Counted(_, operands):
            for operand in operands:
                yield from options_of(operand)


# What binds how strongly, as in the grammar of the parser.
_CONSTRAINT, _EITHER, _BOTH, _UNARY = range(4)


def _level(expression: Expression) -> int:
    match expression:
        case Fact() | Not():
            return _UNARY
        case Joined(Connective.AND):
            return _BOTH
        case Joined(Connective.OR):
            return _EITHER
        case _:
            return _CONSTRAINT


def _within(expression: Expression, level: int) -> str:
    """The expression, in parentheses unless it binds at least as strongly as `level`."""
    return str(expression) if _level(expression) >= level else f"({expression})"


def _written(value: Value) -> str:
    text = str(value)
    return text if WORD.fullmatch(text) else json.dumps(text, ensure_ascii=False)
