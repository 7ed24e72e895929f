"""The order of runs: never one point after the other, but all of them in turn, anew in each round."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


def interleave(missing: Mapping[T, Sequence[int]], rng: random.Random) -> list[tuple[T, int]]:
    """Each thing with each of its run numbers: a round runs everything once, in random order.

    A machine that gets slower by and by then slows all of them alike.
    """
    order: list[tuple[T, int]] = []
    for turn in range(max(map(len, missing.values()), default=0)):
        turns = [(thing, numbers[turn]) for thing, numbers in missing.items() if turn < len(numbers)]
        rng.shuffle(turns)
        order += turns
    return order
