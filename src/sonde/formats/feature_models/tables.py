"""Constraints from a truth table: what is forbidden, in few and short expressions that a greedy search finds.

A *box* is a set of values for each option; all combinations of them are forbidden. Boxes are widened as far
as they stay forbidden, so that `a * (b + 10 * c) = a` becomes `a implies b` and `a excludes c`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from sonde.core.options import Option, Value
from sonde.formats.feature_models.errors import UnreadableModelText
from sonde.formats.feature_models.logic import both, implies, negated
from sonde.formats.feature_models.ranges import among
from sonde.space.expressions import Connective, Expression, Fact, Joined

_MOST_TESTS = 5_000_000

Combination = tuple[int, ...]  # the place of a value, for each option
Box = tuple[frozenset[int], ...]


def constraints_that(
    options: Sequence[Option],
    holds: Callable[[Sequence[Value]], bool],
    premise: Sequence[Expression],
    most: int,
) -> tuple[Expression, ...]:
    """What forbids exactly the values of `options` for which `holds` is false, wherever `premise` holds.

    Raises Unreadable if there are more than `most` combinations, or if it never holds.
    """
    combinations = prod(len(option.values) for option in options)
    if combinations > most:
        raise UnreadableModelText(
            f"it compares options with {combinations:,} combinations of values, too many to try"
        )
    places = [range(len(option.values)) for option in options]
    forbidden = {
        combination
        for combination in product(*places)
        if not holds([option.values[at] for option, at in zip(options, combination, strict=True)])
    }
    return tuple(_forbidding(options, box, premise) for box in _boxes(options, forbidden))


def _boxes(options: Sequence[Option], forbidden: set[Combination]) -> list[Box]:
    boxes = sorted(_split(options, forbidden, ()), key=lambda box: [sorted(places) for places in box])
    if len(boxes) * prod(len(option.values) for option in options) > _MOST_TESTS:
        return boxes
    widened = list(dict.fromkeys(_widened(options, box, forbidden) for box in boxes))
    return [box for box in widened if not any(_is_within(box, other) for other in widened if other != box)]


def _split(options: Sequence[Option], forbidden: set[Combination], chosen: Combination) -> frozenset[Box]:
    """Boxes without overlap for what is forbidden after `chosen`; values with the same rest share them."""
    if len(chosen) == len(options):
        return frozenset([()]) if chosen in forbidden else frozenset()
    by_rest: dict[frozenset[Box], set[int]] = {}
    for place in range(len(options[len(chosen)].values)):
        by_rest.setdefault(_split(options, forbidden, (*chosen, place)), set()).add(place)
    return frozenset((frozenset(places), *box) for rest, places in by_rest.items() for box in rest)


def _widened(options: Sequence[Option], box: Box, forbidden: set[Combination]) -> Box:
    for at, option in enumerate(options):
        for place in range(len(option.values)):
            slab = (*box[:at], frozenset([place]), *box[at + 1 :])
            if place not in box[at] and all(combination in forbidden for combination in product(*slab)):
                box = (*box[:at], box[at] | {place}, *box[at + 1 :])
    return box


def _is_within(box: Box, other: Box) -> bool:
    return all(places <= others for places, others in zip(box, other, strict=True))


@dataclass(frozen=True)
class _Part:
    """A part of what is forbidden, and its opposite."""

    rank: int  # what is concluded stands last: a number if there is one, else an option that has to be on
    says: Expression
    opposite: Expression


def _forbidding(options: Sequence[Option], box: Box, premise: Sequence[Expression]) -> Expression:
    parts = [*(_Part(0, each, negated(each)) for each in premise), *_parts(options, box)]
    if not parts:
        raise UnreadableModelText("it never holds")
    *conditions, last = sorted(parts, key=lambda part: part.rank)
    if not conditions:
        return last.opposite
    if len(conditions) == 1 and last.rank == 0:
        return Joined(Connective.EXCLUDES, conditions[0].says, last.says)
    return implies(both([condition.says for condition in conditions]), last.opposite)


def _parts(options: Sequence[Option], box: Box) -> Iterator[_Part]:
    for option, places in zip(options, box, strict=True):
        others = set(range(len(option.values))) - places
        if others:
            says = among(option, places)
            rank = 2 if not option.is_switch else 0 if isinstance(says, Fact) else 1
            yield _Part(rank, says, among(option, others))
