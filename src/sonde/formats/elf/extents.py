"""Named stretches of memory, and which of them an address lies in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

NOWHERE = -1
_DEEPEST = 64  # stretches inside each other; only a damaged file has more


@dataclass(frozen=True)
class Extents:
    """Stretches by ascending start, no two with the same; one may lie inside another."""

    starts: Integers
    ends: Integers

    @classmethod
    def of(cls, pairs: Sequence[tuple[int, int]]) -> Extents:
        """From (start, end), already in order."""
        table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return cls(table[:, 0].copy(), table[:, 1].copy())

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def _around(self) -> Integers:
        """For each stretch, the nearest earlier one that reaches behind its start."""
        around = np.full(len(self), NOWHERE, dtype=np.int64)
        if len(self) < 2 or bool(np.all(self.ends[:-1] <= self.starts[1:])):
            return around
        ends = self.ends.tolist()
        open_ones: list[int] = []
        for number, start in enumerate(self.starts.tolist()):
            while open_ones and ends[open_ones[-1]] <= start:
                open_ones.pop()
            around[number] = open_ones[-1] if open_ones else NOWHERE
            open_ones.append(number)
        return around

    def find(self, addresses: Integers) -> Integers:
        """The innermost stretch that each address lies in, or NOWHERE."""
        if not len(self):
            return np.full(len(addresses), NOWHERE, dtype=np.int64)
        found = np.searchsorted(self.starts, addresses, side="right") - 1
        for _ in range(_DEEPEST):
            missed = (found >= 0) & (addresses >= self.ends[found])
            if not missed.any():
                break
            found[missed] = self._around[found[missed]]
        else:
            found[(found >= 0) & (addresses >= self.ends[found])] = NOWHERE
        return np.asarray(found)

    @cached_property
    def _lists(self) -> tuple[list[int], list[int]]:
        return self.starts.tolist(), self.ends.tolist()

    def find_one(self, address: int) -> int:
        """The innermost stretch that an address lies in, or NOWHERE."""
        starts, ends = self._lists
        number = bisect_right(starts, address) - 1
        for _ in range(_DEEPEST):
            if number < 0 or address < ends[number]:
                return number
            number = int(self._around[number])
        return NOWHERE
