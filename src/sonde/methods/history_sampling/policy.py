"""What a policy promises. To try another one, write these two methods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sonde.methods.history_sampling.facts import Array, Facts, Pick, SeriesFacts


@dataclass(frozen=True)
class Shift:
    """A change of level: at step `step`, or at least from step `earliest` to `latest`."""

    step: int
    earliest: int
    latest: int
    before: float  # levels, as logs
    after: float
    deviation: float  # standard deviation of after - before


@dataclass(frozen=True, eq=False)
class Inferred:
    """What a policy makes of one series: a 90 % band for every step, as logs, and where the level changes."""

    mean: Array
    low: Array
    high: Array
    shifts: tuple[Shift, ...]
    noise: float = 0.0  # of measuring, as far as the band includes it: a relative deviation


class Policy(Protocol):
    """Says what to measure next, and what to make of what was measured.

    Both are functions of the facts alone, so that the same facts give the same plan, in whatever order they
    came. Every pick is an open step of a series whose allowance it does not exceed, or a measured one that
    may have more runs.
    """

    def choose(self, facts: Facts, at_most: int) -> Sequence[Pick]:
        """Up to `at_most` picks, the best first; none if results must come first, or nothing is worth it."""

    def infer(self, facts: Facts) -> Sequence[Inferred | None]:
        """What is believed of each series; None of one without any value."""


def nothing_open(series: SeriesFacts) -> bool:
    """Whether nothing of a series can be asked for."""
    return series.allowance <= 0 or not series.is_open.any()
