"""Values that depend on the configuration: for each value the set of configurations in which it occurs.

A set of configurations is a number whose bits stand for them, so that sets of thousands are joined at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from sonde.methods.impact.constants import UNKNOWN, ConstantValue, fold

Table = Mapping[ConstantValue, int]  # UNKNOWN: it may have any value there
MOST_CONFIGURATIONS = 1 << 13
MOST_VALUES = 8  # of one table; with more of them, it is unknown


@dataclass(frozen=True)
class Domain:
    """Some options with the values of their variables that decisions tell apart.

    UNKNOWN among the values of an option stands for all others.
    """

    values: tuple[tuple[ConstantValue, ...], ...]  # of each option

    @cached_property
    def size(self) -> int:
        """How many configurations there are."""
        found = 1
        for each in self.values:
            found *= len(each)
        return found

    @cached_property
    def all(self) -> int:
        """The set of all configurations."""
        return (1 << self.size) - 1

    def stride(self, option: int) -> int:
        """How far apart configurations lie that differ in an option by one value only."""
        found = 1
        for each in self.values[:option]:
            found *= len(each)
        return found

    def having(self, option: int, value: int) -> int:
        """The configurations in which the option has its value with this number."""
        stride = self.stride(option)
        count = len(self.values[option])
        run = ((1 << stride) - 1) << (value * stride)
        period = stride * count
        found = run
        length = period
        while length < self.size:
            found |= found << length
            length *= 2
        return found & self.all

    def table(self, option: int) -> Table:
        """What the variable of an option holds."""
        return {value: self.having(option, n) for n, value in enumerate(self.values[option])}

    def depends(self, configurations: int, option: int, valid: int) -> bool:
        """Whether of two valid configurations that differ in this option alone just one is in the set."""
        stride = self.stride(option)
        count = len(self.values[option])
        first = self.having(option, 0)
        parts = [
            ((configurations >> (n * stride)) & first, (valid >> (n * stride)) & first) for n in range(count)
        ]
        return any(
            (a ^ b) & may_a & may_b
            for number, (a, may_a) in enumerate(parts)
            for b, may_b in parts[number + 1 :]
        )


def within(table: Table, configurations: int) -> dict[ConstantValue, int]:
    """A table for some configurations only."""
    return {value: mask & configurations for value, mask in table.items() if mask & configurations}


def joined(first: Table, second: Table) -> dict[ConstantValue, int]:
    """What is possible by one or the other; where any value is possible, none is told beside it."""
    found = dict(first)
    for value, mask in second.items():
        found[value] = found.get(value, 0) | mask
    if len(found) > MOST_VALUES:
        every = 0
        for mask in found.values():
            every |= mask
        return {UNKNOWN: every}
    anything = found.pop(UNKNOWN, 0)
    if not anything:
        return found
    told = {value: mask & ~anything for value, mask in found.items() if mask & ~anything}
    told[UNKNOWN] = anything
    return told


def tells_more(table: Table, known: Table, configurations: int) -> bool:
    """Whether a table has a value in some of the configurations that is not known to be possible there."""
    left = configurations & ~known.get(UNKNOWN, 0)
    if left:
        for value, mask in table.items():
            if mask & left & ~known.get(value, 0):
                return True
    return False


def computed(shape: str, tables: Sequence[Table], configurations: int) -> dict[ConstantValue, int]:
    """The table of what an instruction of this shape computes from these."""
    found: dict[ConstantValue, int] = {}
    for choice in product(*(each.items() for each in tables)):
        mask = configurations
        for _, each in choice:
            mask &= each
        if mask:
            value = fold(shape, [value for value, _ in choice])
            found[value] = found.get(value, 0) | mask
    return found
