"""A boundary: a place in the history at which some configurations step."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sonde.methods.pinpointing.shared_steps.belief.alphabet import TermKey, term_holds
from sonde.methods.pinpointing.shared_steps.belief.arrays import Array, Flags
from sonde.methods.pinpointing.shared_steps.belief.table import SumTable


@dataclass(eq=False)
class Boundary:
    """It lies at a step from `earliest` to `latest`; what is not attributed may affect any configuration."""

    earliest: int
    latest: int
    origin: tuple[int, int] = (-1, -1)  # where it was first suspected
    likeliest: int = -1
    middle: int = -1  # half of its probability lies before this step
    term: TermKey | None = None  # None: not attributed yet
    guess: TermKey = ()  # the likeliest term so far
    terms: list[tuple[TermKey, float]] = field(default_factory=list)  # with their probability
    log_odds: float = 0.0  # that there is a change at all
    questions: int = 0  # that were asked about its term
    question_runs: int = 0
    verifications: int = 0
    shown: TermKey | None = None  # the term that was last measured where it should show best
    location_runs: int = 0
    reopened: int = 0

    def __post_init__(self) -> None:
        if self.origin == (-1, -1):
            self.origin = (self.earliest, self.latest)

    @property
    def is_exact(self) -> bool:
        """Whether it can lie at one step only."""
        return self.earliest == self.latest

    @property
    def confidence(self) -> float:
        """The probability of its likeliest term."""
        return self.terms[0][1] if self.terms else 0.0

    def affects(self, table: SumTable) -> Flags:
        """The configurations whose level it may change."""
        if self.term is None:
            return np.ones(len(table.held), dtype=bool)
        return term_holds(table.held, self.term)

    def is_before(self, other: Boundary) -> bool:
        """Whether it lies before another one."""
        return self.earliest + self.latest <= other.earliest + other.latest

    def overlaps(self, other: Boundary) -> bool:
        """Whether both may lie at the same step."""
        return self.earliest <= other.latest and other.earliest <= self.latest


@dataclass(frozen=True, eq=False)
class StepHeights:
    """Heights of steps as log ratios, and their variances; infinite where a side was not measured."""

    height: Array
    variance: Array

    @property
    def is_known(self) -> Flags:
        """Where both sides were measured."""
        return np.isfinite(self.variance)
