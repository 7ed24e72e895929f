"""From the boundaries of a sum, product or the like to those of the operand that is not known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from sonde.methods.impact.constants.boundaries import MOST_BITS, Boundaries, any_of, numbers_of, vague
from sonde.methods.impact.constants.operations import Operation
from sonde.methods.impact.constants.values import as_signed, as_unsigned

Rule = Callable[[Operation, int, int, Boundaries], Boundaries]


def before_arithmetic(operation: Operation, place: int, number: int, found: Boundaries) -> Boundaries:
    """Those of the operand at a place; the other one is a number, without a sign."""
    return _RULES[operation.name](operation, place, number, found)


def _moved(
    found: Boundaries, width: int, point: Callable[[int], int], edge: Callable[[int], int]
) -> Boundaries:
    """All numbers carried over one by one, in the same order or in the other one."""
    return Boundaries(
        width,
        numbers_of(width, map(point, found.points)),
        numbers_of(width, map(edge, found.edges)),
        numbers_of(width, map(edge, found.turns)),
        is_vague=bool(found.bits),
    )


def _add(operation: Operation, place: int, number: int, found: Boundaries) -> Boundaries:
    return _moved(found, operation.width, lambda n: n - number, lambda n: n - number)


def _sub(operation: Operation, place: int, number: int, found: Boundaries) -> Boundaries:
    if place == 0:
        return _moved(found, operation.width, lambda n: n + number, lambda n: n + number)
    return _moved(found, operation.width, lambda n: number - n, lambda n: number - n - 1)


def _xor(operation: Operation, place: int, number: int, found: Boundaries) -> Boundaries:
    width = operation.width
    low = (1 << width - 1) - 1
    if number & low in (0, low):  # it turns the order around, or exchanges the halves, or both
        is_turned = number & low == low
        moved = _moved(found, width, lambda n: n ^ number, lambda n: (n ^ number) - is_turned)
        return replace(moved, bits=found.bits, is_vague=False)
    points = frozenset(each ^ number for each in found.points)
    return Boundaries(width, points, bits=found.bits, is_vague=_is_ordered(found))


def _and(operation: Operation, place: int, number: int, found: Boundaries) -> Boundaries:
    width = operation.width
    if number.bit_count() <= MOST_BITS:
        return Boundaries(width, bits=number)
    if not number & (number + 1):  # it cuts off the upper bits
        return _repeated(found, 0, number, lambda each: as_unsigned(each, width))
    return vague(width)


def _or(operation: Operation, place: int, number: int, found: Boundaries) -> Boundaries:
    width = operation.width
    results = {each for each in found.points if each & number == number}
    candidates = (number, *(number | 1 << n for n in range(width)))
    beside = {next((each for each in candidates if each not in found.points), number)}
    samples = frozenset(results | {each & ~number for each in results} | beside)
    return Boundaries(width, bits=found.bits & ~number, samples=samples, is_vague=_is_ordered(found))


def _is_ordered(found: Boundaries) -> bool:
    return bool(found.edges or found.turns)


def _mul(operation: Operation, place: int, number: int, found: Boundaries) -> Boundaries:
    width = operation.width
    if not number:
        return Boundaries(width)
    if not operation.flags:
        return _mul_around(width, number, found)
    points = {one // by for each in found.points for one, by in _both(each, number, width) if not one % by}
    edges: set[int] = set()
    for each in found.edges | found.turns:
        for one, by in _both(each, number, width):
            edges |= {one // by, -(-one // by) - 1}
    return replace(any_of(width, points, edges), is_vague=bool(found.bits))


def _mul_around(width: int, number: int, found: Boundaries) -> Boundaries:
    """Of a product that may lose its upper bits."""
    shift = (number & -number).bit_length() - 1
    inverse = pow(number >> shift, -1, 1 << width)
    samples = {
        (form >> shift) * inverse
        for each in found.points
        if not each & ((1 << shift) - 1)
        for form in (each, as_signed(each, width))
    }
    candidates = range(len(found.points) + 1)
    samples.add(next((n for n in candidates if as_unsigned(n * number, width) not in found.points), 0))
    is_vague = _is_ordered(found) or bool(found.bits)
    return Boundaries(width, samples=numbers_of(width, samples), is_vague=is_vague)


def _both(a: int, b: int, width: int) -> set[tuple[int, int]]:
    """Two numbers, read without and with a sign."""
    return {(a, b), (as_signed(a, width), as_signed(b, width))}


def _shl(operation: Operation, place: int, number: int, found: Boundaries) -> Boundaries:
    if place == 1 or number >= operation.width:
        return vague(operation.width)
    return _mul(operation, place, as_unsigned(1 << number, operation.width), found)


def _shr(operation: Operation, place: int, number: int, found: Boundaries) -> Boundaries:
    width = operation.width
    if place == 1 or number >= width:
        return vague(width)
    is_signed = operation.name == "ashr"
    least, most = _range(width, is_signed)
    edges: set[int] = set()
    for each in _sides(found):
        result = as_signed(each, width) if is_signed else as_unsigned(each, width)
        if least >> number <= result < most >> number:
            edges.add((result + 1 << number) - 1)
    bits = as_unsigned(found.bits << number, width)
    is_cut = is_signed and bool(found.bits >> width - number - 1)
    return replace(any_of(width, edges=edges), turns=frozenset({most}), bits=bits, is_vague=is_cut)


def _div(operation: Operation, place: int, number: int, found: Boundaries) -> Boundaries:
    width = operation.width
    if place == 1 or not number or found.bits:
        return vague(width)
    is_signed = operation.name == "sdiv"
    by = as_signed(number, width) if is_signed else number
    least, most = _range(width, is_signed)
    edges: set[int] = set()
    for each in _sides(found):
        for result in (each, each + 1):
            quotient = as_signed(result, width) if is_signed else as_unsigned(result, width)
            for end in (quotient * by, quotient * by - abs(by), quotient * by + abs(by)):
                edges.update(edge for edge in (end - 1, end) if least <= edge < most)
    return replace(any_of(width, edges=edges), turns=frozenset({most}))


def _sides(found: Boundaries) -> Iterable[int]:
    """The numbers before all edges, and before and behind all points."""
    return found.edges | found.turns | found.points | {each - 1 for each in found.points}


def _range(width: int, is_signed: bool) -> tuple[int, int]:
    """The least and the greatest number."""
    return (-(1 << width - 1), (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)


def _rem(operation: Operation, place: int, number: int, found: Boundaries) -> Boundaries:
    width = operation.width
    if place == 1 or not number or found.bits:
        return vague(width)
    if operation.name == "urem":
        return _repeated(found, 0, number - 1, lambda each: as_unsigned(each, width))
    by = abs(as_signed(number, width))
    return _repeated(found, 1 - by, by - 1, lambda each: as_signed(each, width))


def _repeated(found: Boundaries, least: int, most: int, read: Callable[[int], int]) -> Boundaries:
    """Of what gives these results for the same numbers, and then again and again."""
    limited = found.joined(any_of(found.width, edges=[least - 1, most]))
    values = [read(each) for each in limited.values() if isinstance(each, int)]
    samples = numbers_of(found.width, (each for each in values if least <= each <= most))
    edges = [read(each) for each in found.edges | found.turns if least <= read(each) < most]
    made = any_of(found.width, edges=[*edges, least - 1, most])
    return replace(made, samples=samples, bits=found.bits & most, is_vague=limited.is_vague)


_RULES: Mapping[str, Rule] = {
    "add": _add,
    "sub": _sub,
    "xor": _xor,
    "and": _and,
    "or": _or,
    "mul": _mul,
    "shl": _shl,
    "lshr": _shr,
    "ashr": _shr,
    "udiv": _div,
    "sdiv": _div,
    "urem": _rem,
    "srem": _rem,
}
