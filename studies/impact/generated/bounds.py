"""Exact bounds of a share (Clopper and Pearson)."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.numerics.shares import most_share

ONE_SIDE = 0.975  # both sides together miss 5 %


@dataclass(frozen=True)
class Share:
    """So many of so many, with an interval that holds the true share with 95 % confidence."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        """The share."""
        return self.part / self.whole

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return 1 - most_share(self.whole - self.part, self.whole, ONE_SIDE)

    @property
    def high(self) -> float:
        """The upper end."""
        return most_share(self.part, self.whole, ONE_SIDE)

    def __str__(self) -> str:
        if not self.whole:
            return "–"
        return f"{self.value:.2%} ({self.part:,} of {self.whole:,}; {self.low:.2%} to {self.high:.2%})"
