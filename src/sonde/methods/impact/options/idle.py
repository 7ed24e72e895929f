"""Stores that put the number there which is there already: `n = 0; if (fast) n *= 2;` sets nothing."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from sonde.core.code import Kind, Routine
from sonde.methods.impact.constants import UNKNOWN, ConstantValue, fold, number_of
from sonde.methods.impact.program.reaching_definitions import ReachingDefinitions

MOST_NUMBERS = 4  # that a value may be, and stores that a load may see
MOST_STORES = 4  # one after the other
ANYTHING: frozenset[ConstantValue] = frozenset({UNKNOWN})


class IdleStores:
    """Answers for one routine, about variables that nobody else knows of."""

    def __init__(self, code: Routine, definitions: ReachingDefinitions) -> None:
        self.code, self._reaching = code, definitions.reaching

    def has(self, position: int) -> bool:
        """Whether a STORE leaves what was there: one number, before and after, in every run."""
        address, value = self.code.instructions[position].operands
        loads = self._loads(value, address)
        if not loads:
            return False
        before = [self._numbers(each, frozenset({position})) for each in loads]
        after = self._numbers(value, frozenset({position}))
        return after != ANYTHING and len(after) == 1 and all(each == after for each in before)

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

    def _numbers(self, operand: int, seen: frozenset[int]) -> frozenset[ConstantValue]:
        """What a value may be, beside what STOREs in `seen` give; UNKNOWN alone if it may be anything."""
        if operand < 0:
            return frozenset({number_of(self.code, operand)})
        position = operand - self.code.parameters
        if position < 0 or len(seen) > MOST_STORES:
            return ANYTHING
        each = self.code.instructions[position]
        if each.kind is Kind.LOAD:
            stores = self._reaching.get(position)
            if not stores or len(stores) > MOST_NUMBERS:
                return ANYTHING
            others = [self.code.instructions[store] for store in stores]
            if any(store.size != each.size for store in others):
                return ANYTHING
            values = [
                self._numbers(self.code.instructions[store].operands[1], seen | {store})
                for store in stores
                if store not in seen
            ]
            return _united(values)
        if each.kind is not Kind.COMPUTE:
            return ANYTHING
        operands = [self._numbers(value, seen) for value in each.operands]
        return _united([frozenset(fold(each.shape, numbers) for numbers in product(*operands))])


def _united(several: Iterable[frozenset[ConstantValue]]) -> frozenset[ConstantValue]:
    found = frozenset[ConstantValue]().union(*several)
    return found if UNKNOWN not in found and len(found) <= MOST_NUMBERS else ANYTHING
