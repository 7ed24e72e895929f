"""Sets of small numbers as the bits of an integer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_FEW = 12  # up to so many bits, one after the other is faster than an array
_WIDE_BYTES = 4096  # from here on, it pays to look at those bytes only that are not zero


def positions_of_bits(bits: int) -> list[int]:
    """The numbers in a set, in order."""
    found: list[int] = []
    if bits.bit_count() <= _FEW:
        while bits:
            low = bits & -bits
            found.append(low.bit_length() - 1)
            bits ^= low
        return found
    raw = np.frombuffer(bits.to_bytes((bits.bit_length() + 7) // 8, "little"), dtype=np.uint8)
    if len(raw) < _WIDE_BYTES:
        found += np.flatnonzero(np.unpackbits(raw, bitorder="little")).tolist()
        return found
    used = np.flatnonzero(raw)
    rows, columns = np.nonzero(np.unpackbits(raw[used, None], axis=1, bitorder="little"))
    found += (used[rows] * 8 + columns).tolist()
    return found


def bits_of(positions: Sequence[int]) -> int:
    """The set of these numbers."""
    found = 0
    if len(positions) <= _FEW:
        for each in positions:
            found |= 1 << each
        return found
    marks = np.zeros(max(positions) + 1, dtype=np.uint8)
    marks[positions] = 1
    return int.from_bytes(np.packbits(marks, bitorder="little").tobytes(), "little")
