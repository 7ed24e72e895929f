"""From the boundaries of a result to those of what it is computed of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sonde.methods.impact.constants.boundaries import Boundaries, any_of, numbers_of, truth, vague
from sonde.methods.impact.constants.boundaries_of_sums import before_arithmetic
from sonde.methods.impact.constants.operations import ARITHMETIC, POINTER, NotFolded, Operation, operation_of
from sonde.methods.impact.constants.values import UNKNOWN, ConstantValue, as_signed, as_unsigned


def boundaries_before(
    shape: str, operands: Sequence[ConstantValue], found: Boundaries
) -> dict[int, Boundaries]:
    """By the place of each operand that is not known: its boundaries, from those of the result."""
    operation = operation_of(shape)
    open_ones = [place for place, value in enumerate(operands) if value is UNKNOWN]
    if isinstance(operation, NotFolded):
        return {}  # nothing is known of the result
    if operation.name == "select":
        return {place: found if place else truth() for place in open_ones}
    is_arithmetic = operation.name in ARITHMETIC
    if is_arithmetic and operation.width == 1:
        return dict.fromkeys(open_ones, truth())
    if len(open_ones) != 1 or found.is_vague or (found.samples and is_arithmetic):
        return dict.fromkeys(open_ones, vague(operation.width))
    (place,) = open_ones
    if not is_arithmetic and operation.name != "icmp":
        return {place: _before_conversion(operation, found)}
    other = operands[1 - place] if len(operands) == 2 else UNKNOWN
    if not isinstance(other, int):
        return {place: vague(operation.width)}
    if operation.name == "icmp":
        return {place: _compared(operation, place, other)}
    return {place: before_arithmetic(operation, place, as_unsigned(other, operation.width), found)}


def _compared(operation: Operation, place: int, number: int) -> Boundaries:
    width, order = operation.width, operation.predicate[-2:]
    if width == POINTER:
        return (
            Boundaries(POINTER, frozenset({0})) if number == 0 and order in ("eq", "ne") else vague(POINTER)
        )
    if order in ("eq", "ne"):
        return any_of(width, [number])
    # `x <= n` and `n < x` change behind n, `x < n` and `n <= x` before it.
    is_behind = order in ("le", "gt") if place == 0 else order in ("lt", "ge")
    turn = (1 << width - 1) - 1 if operation.predicate[0] == "s" else (1 << width) - 1
    return replace(any_of(width, edges=[number if is_behind else number - 1]), turns=frozenset({turn}))


def _before_conversion(operation: Operation, found: Boundaries) -> Boundaries:
    width, result = operation.width, operation.result
    if width == result:
        return found
    if POINTER in (width, result):
        is_plain = found == Boundaries(result, frozenset({0}))
        return Boundaries(width, frozenset({0})) if is_plain else vague(width)
    if width == 1:
        return truth()
    if operation.name == "trunc":
        return _before_cut(width, result, found)
    if operation.name == "zext":
        return _before_extension(width, found, lambda n: n, 0, (1 << width) - 1)
    high = found.bits >> width - 1 and 1 << width - 1
    made = _before_extension(
        width, found, lambda n: as_signed(n, result), -(1 << width - 1), (1 << width - 1) - 1
    )
    return replace(made, bits=found.bits & ((1 << width - 1) - 1) | high)


def _before_cut(width: int, result: int, found: Boundaries) -> Boundaries:
    """Numbers whose lower bits count repeat them; those are taken that are cut without loss."""
    values = [each for each in found.values() if isinstance(each, int)]
    samples = [form for each in values for form in (each, as_unsigned(each, result))]
    edges = [form for each in found.edges | found.turns for form in (each, as_signed(each, result))]
    return replace(any_of(width, edges=edges), samples=numbers_of(width, samples), bits=found.bits)


def _before_extension(
    width: int, found: Boundaries, read: Callable[[int], int], least: int, most: int
) -> Boundaries:
    """Those of the numbers that something narrower has, between `least` and `most` as it is read."""
    points = [read(each) for each in found.points if least <= read(each) <= most]
    samples = [read(each) for each in found.samples if least <= read(each) <= most]
    # An edge at one end of the narrower numbers comes to lie between both ends of them.
    edges = [read(each) for each in found.edges if least - 1 <= read(each) <= most]
    turns = [read(each) for each in found.turns if least <= read(each) < most]
    return replace(
        any_of(width, points, edges),
        turns=numbers_of(width, [*turns, most]),
        bits=as_unsigned(found.bits, width),
        samples=numbers_of(width, samples),
        is_vague=len(samples) < len(found.samples),
    )
