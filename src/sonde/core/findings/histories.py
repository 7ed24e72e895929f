"""How performance evolved: an estimate for every revision, and the revisions that changed it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName
from sonde.core.results import Cost, Metric
from sonde.core.revisions import History, RevisionId


class Known(Enum):
    """How a value came to be known."""

    MEASURED = "measured"
    PROVEN = "proven equal"  # to a revision that was measured
    ESTIMATED = "estimated"


@dataclass(frozen=True, slots=True)  # slots: one a revision and series
class Estimate:
    """The value of one revision: with a probability of 90 % it lies between `low` and `high`."""

    value: float
    low: float
    high: float
    known: Known = Known.ESTIMATED


@dataclass(frozen=True)
class ChangePoint:
    """The value differs before and from `position` on. Positions count in the history, from 0.

    It is the difference between two revisions that are measured or proven: the one before `earliest`, and
    `latest`. Where others lie between them, the change may be at any of the positions from `earliest` to
    `latest`, or divided among them; `position` is the most likely one.
    """

    position: int
    earliest: int
    latest: int
    before: float  # the value of these two, in the unit of the metric
    after: float
    effect: float  # log ratio, after / before
    effect_low: float  # of the 90 % interval
    effect_high: float
    is_single: bool = False  # one of the two was run once only, though its runs differ

    @property
    def is_exact(self) -> bool:
        """Whether it is at one position, and its size is clear of noise."""
        return self.earliest == self.latest and self.is_clear

    @property
    def is_clear(self) -> bool:
        """Whether the two revisions differ by more than their noise, and not by one run."""
        return not self.is_single and (self.effect_low > 0 or self.effect_high < 0)

    @property
    def revisions_apart(self) -> int:
        """How many revisions it takes to get from the one to the other."""
        return self.latest - self.earliest + 1


@dataclass(frozen=True)
class SeriesHistory:
    """The estimated history of one series, and where it changed.

    An estimate is None where the series does not exist: the revision lacks an option of the configuration.
    """

    configuration: Configuration
    benchmark: BenchmarkName
    metric: Metric
    estimates: tuple[Estimate | None, ...]  # one a revision
    changes: tuple[ChangePoint, ...]  # in order
    measured: int  # revisions that were measured
    proven: int  # revisions that are proven equal to a measured one
    failed: tuple[int, ...]  # positions that do not build or run
    reference: RevisionId | None = (
        None  # that ran beside each run; values are in seconds of it. None: nothing
    )


@dataclass(frozen=True)
class Histories:
    """The answer of `sonde history`: why it ended, and what it cost."""

    history: History
    series: tuple[SeriesHistory, ...]
    default: Configuration
    planner: str
    ending: str
    spent: Cost


@dataclass(frozen=True)
class Replayed:
    """The answer of `sonde replay history`: what a planner made of a recording, and of itself."""

    recording: str
    left_out: int  # values that were missing, zero, negative or no number
    planner: str
    series: tuple[SeriesHistory, ...]
    measured_share: float  # of the revisions of a series, on average
    builds: int  # distinct revisions that any series measured
    runs: int
    planner_seconds: float
