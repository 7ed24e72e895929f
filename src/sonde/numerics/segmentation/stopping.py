"""When a greedy segmentation ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Penalty:
    """A change stays if it lowers the cost by more than this."""

    cost: float

    def __post_init__(self) -> None:
        if not self.cost >= 0:
            raise ValueError(f"The penalty is {self.cost}, but it cannot be negative.")


@dataclass(frozen=True)
class NumberOfChanges:
    """So many changes, or as many as the lengths of segments allow."""

    number: int

    def __post_init__(self) -> None:
        if self.number < 0:
            raise ValueError(f"{self.number} changes are asked for, but the number cannot be negative.")


Stop: TypeAlias = Penalty | NumberOfChanges


@dataclass(frozen=True)
class Grid:
    """Where changes may lie: at multiples of `step`, with `shortest` values or more a segment.

    The defaults are those of ruptures, and so those of the paper's RQ3.
    """

    shortest: int = 2
    step: int = 5

    def __post_init__(self) -> None:
        if self.shortest < 1 or self.step < 1:
            raise ValueError(f"{self} does not work: segments and steps have a length of 1 at least.")
