"""Random expressions: values, conditions, and bounds of loops."""

from __future__ import annotations

import random

from studies.impact.generated.c.drawing.scopes import Buffer, Callable, Scope, Sized
from studies.impact.generated.c.making import binary, call, element, fixed, free, masked
from studies.impact.generated.c.nodes import Conditional, Expression, Unary

MIXING = ("+", "+", "^", "*", "-", "|", "&")


def value(rng: random.Random, scope: Scope, depth: int = 2) -> Expression:
    """Some number; it may be anything."""
    if depth == 0 or rng.random() < 0.25:
        return _leaf(rng, scope)
    left = value(rng, scope, depth - 1)
    if rng.random() < 0.2:
        return binary(left, rng.choice(("<<", ">>")), fixed(rng.randint(1, 7)))
    if rng.random() < 0.1:
        return Conditional(condition(rng, scope), left, _leaf(rng, scope))
    right = value(rng, scope, depth - 1)
    if right == left:
        right = free(rng.randint(1, 99))
    return binary(left, rng.choice(MIXING), right)


def _leaf(rng: random.Random, scope: Scope) -> Expression:
    found: list[Expression] = [*scope.values, *scope.values]
    if scope.sizes:
        found.append(rng.choice(scope.sizes).read)
    if scope.buffers and scope.values:
        found.append(entry(rng, rng.choice(scope.buffers), rng.choice(scope.values)))
    found.append(free(rng.randint(1, 99)))
    return rng.choice(found)


def entry(rng: random.Random, buffer: Buffer, index: Expression) -> Expression:
    """An element of an array."""
    if rng.random() < 0.3:
        index = binary(index, "+", free(rng.randint(1, 9)))
    return element(buffer.name, masked(index, buffer.size))


def condition(rng: random.Random, scope: Scope, about_settings: float = 0.6) -> Expression:
    """A condition, about a setting or about data."""
    settings = [each for each in scope.sizes if each.is_setting]
    if settings and rng.random() < about_settings:
        first = about(rng, rng.choice(settings))
        if len(settings) > 1 and rng.random() < 0.2:
            return binary(first, rng.choice(("&&", "||")), about(rng, rng.choice(settings)))
        return first
    if not scope.values:
        return binary(free(rng.randint(1, 3)), "<", free(2))
    mask = rng.choice((1, 3, 7, 7, 15))
    left = binary(rng.choice(scope.values), "&", fixed(mask))
    return binary(left, rng.choice(("==", "!=", "<", ">")), free(rng.randint(0, mask), 0, mask))


def about(rng: random.Random, size: Sized) -> Expression:
    """A condition about a number of a known range, which holds for some of its values only."""
    if size.highest == 1:
        return rng.choice((size.read, Unary("!", size.read), binary(size.read, "!=", fixed(0))))
    edge = rng.randint(1, size.highest)
    operator = rng.choice(("<", ">=", "==", "!=", ">"))
    if operator == ">":
        edge -= 1
    return binary(size.read, operator, free(edge, 0, size.highest))


def bound(rng: random.Random, scope: Scope, most: int) -> tuple[Expression, int]:
    """How often a loop turns, and a number that this never exceeds."""
    most = max(most, 1)
    fitting = [each for each in scope.sizes if each.highest <= most]
    if fitting and rng.random() < 0.7:
        return of_size(rng, rng.choice(fitting), most)
    turns = rng.randint(max(1, most // 3), most)
    return free(turns, 0, 2 * most), turns


def of_size(rng: random.Random, size: Sized, most: int) -> tuple[Expression, int]:
    """A bound that a number of a known range decides."""
    if size.highest <= 1 or rng.random() < 0.2:
        few = rng.randint(0, max(1, most // 3))
        many = rng.randint(max(1, most // 2), max(1, most))
        high, low = free(many, 0, 2 * most), free(few, 0, 2 * most)
        yes, no = rng.choice(((high, low), (low, high)))
        return Conditional(about(rng, size), yes, no), many
    factor = max(1, most // size.highest)
    factor = rng.randint(max(1, factor // 2), factor)
    expression, highest = size.read, size.highest
    if factor > 1:
        expression, highest = binary(size.read, "*", free(factor, 0, 2 * factor)), highest * factor
    if rng.random() < 0.3 and most > highest:
        more = rng.randint(1, max(1, most - highest))
        expression, highest = binary(expression, "+", free(more, 0, 2 * more)), highest + more
    return expression, highest


def called(rng: random.Random, scope: Scope, function: Callable) -> Expression:
    """A call with some arguments."""
    return call(function.function, *(value(rng, scope, 1) for _ in range(function.parameters)))
