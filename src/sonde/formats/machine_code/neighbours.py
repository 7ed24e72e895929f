"""Data that code may mean although the address in it lies elsewhere.

Compilers fold a constant part of an index into an address: a loop over `table[i - 10]` may begin at
`table - 40`, which lies in whatever comes before the table; one that runs backwards, behind its end.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sonde.formats.elf.extents import Extents, Integers

_AHEAD = 1024  # bytes
_AHEAD_OF_TEXT, _AHEAD_OF_OBJECT = (
    256,
    16,
)  # an address at the beginning of something is seldom meant otherwise
_MOST_AHEAD = 16  # objects
_BEHIND = 64  # bytes


def neighbours(
    owners: Integers, targets: Integers, are_texts: NDArray[np.bool_], objects: Extents
) -> tuple[Integers, Integers]:
    """(owner, object) for the objects around each address that is taken, beside the one that it lies in."""
    count = len(objects)
    if not count:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    following = np.searchsorted(objects.starts, targets, side="right")
    begins = objects.starts[np.maximum(following - 1, 0)] == targets
    ahead = np.where(begins, _AHEAD_OF_OBJECT, np.where(are_texts, _AHEAD_OF_TEXT, _AHEAD))
    found = []
    for step in range(_MOST_AHEAD):
        number = following + step
        place = np.minimum(number, count - 1)
        found.append((place, (number < count) & (objects.starts[place] - targets <= ahead)))
    for step in (1, 2):
        number = following - step
        place = np.maximum(number, 0)
        distance = targets - objects.ends[place]
        found.append((place, (number >= 0) & (distance >= 0) & (distance <= _BEHIND)))
    return (
        np.concatenate([owners[chosen] for _, chosen in found]),
        np.concatenate([place[chosen] for place, chosen in found]),
    )
