"""How well a selection tells benchmarks that changed from those that did not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """A share of things that were counted, with its 95 % interval."""

    part: int
    whole: int
    low: float = 0.0
    high: float = 1.0

    @property
    def value(self) -> float | None:
        """The share; None where there is nothing to take a share of."""
        return self.part / self.whole if self.whole else None


@dataclass(frozen=True)
class SelectionRates:
    """What became of tuples of a revision, an ancestor and a benchmark."""

    hit: Rate  # hits, and how many of them were run
    dismiss: Rate  # tuples that are no hits, and how many of them were skipped
    proven: int  # tuples that were skipped because of a proof
    proven_hits: int  # hits among them: the proof was wrong, or what counts as a hit is
    seconds: float  # that all runs take
    seconds_saved: float  # by those that were skipped

    @property
    def tuples(self) -> int:
        """How many there are."""
        return self.hit.whole + self.dismiss.whole

    @property
    def skipped(self) -> int:
        """Tuples that were not run, hits included."""
        return self.dismiss.part + self.hit.whole - self.hit.part

    @property
    def time_saved(self) -> float | None:
        """The share of the time of all runs; None where they take none."""
        return self.seconds_saved / self.seconds if self.seconds else None


@dataclass(frozen=True)
class ReplayedSelection:
    """What a learner made of recorded tuples."""

    recording: str
    learner: str
    scope: str
    indicators: str
    folds: int  # parts that there were, at most as many as revisions
    seed: int
    threshold: float  # the relative change from which on a tuple is a hit
    revisions: int
    benchmarks: int
    rates: SelectionRates  # of the cross-validation
    on_all: SelectionRates  # trained and tested on all tuples
    rules: Mapping[str, str]  # a benchmark, or "" for all -> the predictor trained on all tuples, in words
    warnings: tuple[str, ...]
