"""Stores that put the number there which is there already: `n = 0; if (fast) n *= 2;` sets nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from sonde.core.code import Constant, Kind, Routine
from sonde.methods.impact.calls import constant_number
from sonde.methods.impact.option_evaluation import compute
from sonde.methods.impact.reaching_definitions import Definitions

MOST_NUMBERS = 4  # that a value may be, and stores that a load may see
MOST_STORES = 4  # one after the other
SCALING = ("mul", "shl")  # of 0, whatever by


class IdleStores:
    """Answers for one routine, about variables that nobody else knows of."""

    def __init__(self, code: Routine, definitions: Definitions) -> None:
        self.code, self._reaching = code, definitions.reaching

    def has(self, position: int) -> bool:
        """Whether a STORE leaves what was there: one number, before and after, in every run."""
        address, value = self.code.instructions[position].operands
        loads = self._loads(value, address)
        if not loads:
            return False
        before = [self._numbers(each, frozenset({position})) for each in loads]
        after = self._numbers(value, frozenset({position}))
        return after is not None and len(after) == 1 and all(each == after for each in before)

    def _loads(self, operand: int, address: int) -> list[int]:
        """The values that a value is computed from, of those that lay at an address."""
        found = []
        waiting = [operand]
        while waiting:
            value = waiting.pop()
            if value < self.code.parameters:
                continue
            each = self.code.instructions[value - self.code.parameters]
            if each.kind is Kind.LOAD and each.operands[0] == address:
                found.append(value)
            elif each.kind is Kind.COMPUTE:
                waiting += each.operands
        return found

    def _numbers(self, operand: int, seen: frozenset[int]) -> frozenset[int] | None:
        """The numbers that a value may be, beside what STOREs in `seen` give; None if that is not known."""
        if operand < 0:
            outside = self.code.outside[~operand]
            number = constant_number(outside.text) if isinstance(outside, Constant) else None
            return None if number is None else frozenset({number})
        position = operand - self.code.parameters
        if position < 0 or len(seen) > MOST_STORES:
            return None
        each = self.code.instructions[position]
        if each.kind is Kind.LOAD:
            stores = self._reaching.get(position)
            if not stores or len(stores) > MOST_NUMBERS:
                return None
            values = [
                self._numbers(self.code.instructions[store].operands[1], seen | {store})
                for store in stores
                if store not in seen
            ]
            return self._united(values)
        if each.kind is not Kind.COMPUTE:
            return None
        operands = [self._numbers(value, seen) for value in each.operands]
        if any(numbers is None for numbers in operands):
            return None
        known = [numbers for numbers in operands if numbers is not None]
        return self._united(_given(each.shape, numbers) for numbers in product(*known))

    @staticmethod
    def _united(several: Iterable[frozenset[int] | None]) -> frozenset[int] | None:
        found: set[int] = set()
        for each in several:
            if each is None:
                return None
            found |= each
        return frozenset(found) if len(found) <= MOST_NUMBERS else None


def _given(shape: str, numbers: Sequence[int]) -> frozenset[int] | None:
    if shape.partition(" ")[0] in SCALING and numbers[0] == 0:
        return frozenset({0})
    number = compute(shape, numbers)
    return None if number is None else frozenset({number})
