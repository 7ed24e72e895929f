"""Constraints that allow the configurations of a list, and no others.

A list is often a product: each level with each algorithm. So options that vary independently of each other
are told apart, and each such block gets a constraint of its own. A block that is long is split by the values
of the option that most others depend on, and its parts are looked at in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import prod

from sonde.core.options import Configuration, Option, Value
from sonde.formats.feature_models.logic import both, either, implies, is_on
from sonde.space.expressions import Comparator, Counted, Expression, Fact, Not, Quantity

SHORT = 8  # rows that are listed as they are

Row = tuple[Value, ...]  # a value of each option, in their order
Pair = tuple[int, int]  # two columns, the smaller first


def listed(options: Sequence[Option], configurations: Iterable[Configuration]) -> tuple[Expression, ...]:
    """What exactly these configurations keep."""
    names = [option.name for option in options]
    rows = list(dict.fromkeys(tuple(each[name] for name in names) for each in configurations))
    return tuple(_constraints(list(options), rows, ()))


def _constraints(
    options: list[Option], rows: list[Row], premise: tuple[Expression, ...]
) -> Iterator[Expression]:
    """What allows these rows and no others where `premise` holds."""
    related = _related(rows)
    for block in _blocks(len(options), rows, related):
        parts = [options[at] for at in block]
        table = _projected(rows, block)
        if len(table) == prod(len(option.values) for option in parts):
            continue
        simple = _one_of(parts, table)
        if simple is None and len(table) > SHORT:
            yield from _split(
                parts, table, premise, [block.index(at) for at in _by_relations(block, related)]
            )
        else:
            whole = simple or either([both(_facts(parts, row)) for row in table])
            yield implies(both(premise), whole) if premise else whole


def _split(
    options: list[Option], rows: list[Row], premise: tuple[Expression, ...], order: Sequence[int]
) -> Iterator[Expression]:
    """A part for each value of the first column in `order` that varies."""
    chosen = next(at for at in order if len({row[at] for row in rows}) > 1)
    option = options[chosen]
    rest = options[:chosen] + options[chosen + 1 :]
    values = [value for value in option.values if any(row[chosen] == value for row in rows)]
    if len(values) < len(option.values):
        possible = either([_fact(option, value) for value in values])
        yield implies(both(premise), possible) if premise else possible
    for value in values:
        below = [row[:chosen] + row[chosen + 1 :] for row in rows if row[chosen] == value]
        yield from _constraints(rest, below, (*premise, _fact(option, value)))


def _related(rows: Sequence[Row]) -> set[Pair]:
    """The pairs of columns that do not have all combinations of their values."""
    columns = list(zip(*rows, strict=True))
    counts = [len(set(column)) for column in columns]
    varying = [at for at, count in enumerate(counts) if count > 1]
    return {
        (one, other)
        for one, other in combinations(varying, 2)
        if len(set(zip(columns[one], columns[other], strict=True))) < counts[one] * counts[other]
    }


def _blocks(columns: int, rows: Sequence[Row], related: set[Pair]) -> list[list[int]]:
    """Columns that depend on each other, together; all in one block if that does not give the rows back."""
    blocks = {column: [column] for column in range(columns)}  # by each of its columns
    for one, other in related:
        if blocks[one] is not blocks[other]:
            joined = sorted(blocks[one] + blocks[other])
            blocks.update(dict.fromkeys(joined, joined))
    distinct = sorted({tuple(block) for block in blocks.values()})
    is_product = prod(len(_projected(rows, block)) for block in distinct) == len(rows)
    return [list(block) for block in distinct] if is_product else [list(range(columns))]


def _by_relations(block: Sequence[int], related: set[Pair]) -> list[int]:
    """Its columns, those that most others depend on first."""
    counts = dict.fromkeys(block, 0)
    for pair in related:
        for column in pair:
            if column in counts:
                counts[column] += 1
    return sorted(block, key=lambda column: -counts[column])


def _projected(rows: Iterable[Row], columns: Sequence[int]) -> list[Row]:
    return list(dict.fromkeys(tuple(row[column] for column in columns) for row in rows))


def _one_of(options: Sequence[Option], rows: Sequence[Row]) -> Expression | None:
    """`exactly one of ...`, if that is what the rows say."""
    is_one = len(rows) == len(options) > 1 and all(option.is_switch for option in options)
    if not is_one or any(sum(map(bool, row)) != 1 for row in rows):
        return None
    return Counted(Quantity.EXACTLY_ONE, tuple(is_on(option.name) for option in options))


def _facts(options: Sequence[Option], row: Row) -> list[Expression]:
    pairs = list(zip(options, row, strict=True))
    return [_fact(option, value) for option, value in pairs if len(option.values) > 1 or len(pairs) == 1]


def _fact(option: Option, value: Value) -> Expression:
    if option.is_switch:
        return is_on(option.name) if value else Not(is_on(option.name))
    return Fact(option.name, Comparator.EQUAL, value)
