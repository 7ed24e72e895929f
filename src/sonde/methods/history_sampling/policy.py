"""What a policy promises. To try another one, write these two methods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from sonde.methods.history_sampling.facts import Array, Pick, SeriesFacts, SubjectFacts


@dataclass(frozen=True)
class Shift:
    """A change of level: at step `step`, or at least from step `earliest` to `latest`."""

    step: int
    earliest: int
    latest: int
    before: float  # the last value before it and the first behind it, as logs
    after: float
    low: float  # of the 90 % interval of after - before
    high: float
    is_single: bool = False  # a side of it has one run only, and may have more
    is_rough: bool = False  # further runs of both sides would narrow its interval

    @property
    def is_located(self) -> bool:
        """Whether it can lie at one step only: the steps on both sides of it are measured."""
        return self.earliest == self.latest

    @property
    def is_clear(self) -> bool:
        """Whether the values on both sides of it differ by more than their noise, and not by one run."""
        return not self.is_single and (self.low > 0 or self.high < 0)


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

    def choose(self, facts: SubjectFacts, at_most: int) -> Sequence[Pick]:
        """Up to `at_most` picks, the best first; none if results must come first, or nothing is worth it."""

    def infer(self, facts: SubjectFacts) -> Sequence[Inferred | None]:
        """What is believed of each series; None of one without any value."""


def nothing_open(series: SeriesFacts) -> bool:
    """Whether nothing of a series can be asked for."""
    return series.allowance <= 0 or not series.is_open.any()


def with_exact_bands(series: SeriesFacts, inferred: Inferred | None) -> Inferred | None:
    """The same, but bands that reach no further than the samples where repeats agree."""
    if inferred is None or series.exact is None:
        return inferred
    mean, low, high = inferred.mean.copy(), inferred.low.copy(), inferred.high.copy()
    at, exact = series.measured, series.exact
    mean[at], low[at], high[at] = exact.logs, exact.lowest, exact.highest
    return replace(inferred, mean=mean, low=low, high=high)
