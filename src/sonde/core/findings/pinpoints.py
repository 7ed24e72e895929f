"""Which revision changed which option: a change point, and the term in which it shows; and influences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from sonde.core.options import Configuration, Term
from sonde.core.points import BenchmarkName
from sonde.core.results import Cost, Metric, Result
from sonde.core.revisions import History, RevisionId


@dataclass(frozen=True)
class TermChange:
    """From `position` on, configurations in which `term` holds perform differently; there may be exceptions.

    Positions count in the history, from 0; it may lie anywhere from `earliest` to `latest`. The effect is the
    log ratio of the revisions `after` and `before` in the configuration `shown_in`, in which both of them are
    measured or proven, and it lies within its interval with 90 %.
    """

    position: int
    earliest: int
    latest: int
    term: Term  # empty: every configuration changes
    effect: float
    effect_low: float
    effect_high: float
    probability: float  # that there is such a change, in just this term
    shown_in: Configuration
    configurations: int  # in which both sides of it were measured
    before: int
    after: int
    unless: Term = frozenset()  # alternatives, of which any keeps the change from showing
    least_effect: float | None = None  # where it shows least, of the configurations in which the term holds

    @property
    def is_exact(self) -> bool:
        """Whether it can lie at one position only."""
        return self.earliest == self.latest

    @property
    def revisions_apart(self) -> int:
        """How many revisions lie in what the effect was measured over; 1: it is that of neighbours."""
        return self.after - self.before


@dataclass(frozen=True)
class Influence:
    """What a term adds to the value of every configuration in which it holds, in the metric's unit.

    With exceptions it is what a change added that has them, and 0 before.
    """

    term: Term  # empty: the core, what a configuration takes in which no other term holds
    over_time: tuple[tuple[int, float], ...]  # from which position on it is how large; the first: it exists
    gone_at: int | None = None  # the position from which on its options do not exist; None: they stay
    unless: Term = frozenset()  # alternatives, of which any keeps it from being added

    @property
    def is_core(self) -> bool:
        """Whether it is what all configurations have in common, to which all else is added."""
        return not self.term and not self.unless

    def at(self, position: int) -> float | None:
        """How large it is at a position, or None where its options do not exist."""
        if self.gone_at is not None and position >= self.gone_at:
            return None
        return next((value for since, value in reversed(self.over_time) if since <= position), None)


@dataclass(frozen=True)
class PredictionRequest:
    """A configuration whose value at a position is asked for, and how the user wrote it."""

    written: str
    configuration: Configuration
    position: int


@dataclass(frozen=True)
class Prediction:
    """The value that a configuration should have by the influences of its terms."""

    request: PredictionRequest
    value: float


@dataclass(frozen=True)
class Influences:
    """A performance-influence model: values are the sum of the influences of the terms that hold."""

    terms: tuple[Influence, ...]  # the core first, then by the number of literals
    relative_error: float | None  # mean, in configurations left out of the fit; None: too few to tell
    points: int  # that it was fitted to; 0: there is no model
    typical: float  # the median of their values
    predictions: tuple[Prediction, ...] = ()


NO_INFLUENCES = Influences((), None, 0, 0.0)


class Stop(Enum):
    """How a search came to its end."""

    FINISHED = "finished"  # by itself
    BUDGET = "budget"  # the budget was spent before
    STUCK = "stuck"  # it waits for what nobody can measure


@dataclass(frozen=True)
class Pinpointed:
    """What a planner found in one benchmark: the changes in order, and what it measured."""

    benchmark: BenchmarkName
    metric: Metric
    findings: tuple[TermChange, ...]
    noise: float | None  # relative deviation of a run, if it could be told
    points: int  # distinct ones that have a usable value
    configurations: int  # distinct ones that have a usable value
    failed: int  # points that do not build or run, or whose value is not positive or not finite
    ending: str
    influences: Influences | None = None  # None: nobody asked for them
    stop: Stop = Stop.FINISHED
    references: tuple[RevisionId, ...] = ()  # that ran beside its runs, by configuration; none: it ran alone


@dataclass(frozen=True)
class Ground:
    """All that there is to look at in one benchmark; twins count, too."""

    revisions: int  # that have the benchmark
    steps: int  # those of them that can differ from the one before
    configurations: int  # valid ones whose options exist somewhere in these revisions
    points: int  # revisions x configurations whose options exist there
    is_counted: bool = True  # False: the space is too intricate, and numbers are upper bounds


@dataclass(frozen=True)
class Pinpoints:
    """The answer of `sonde pinpoint`: one a benchmark, and what all of it cost."""

    history: History
    default: Configuration
    benchmarks: tuple[Pinpointed, ...]
    grounds: Mapping[BenchmarkName, Ground]
    planner: str
    threshold: float  # relative size from which on a change is told
    failures: tuple[Result, ...]  # in the order in which they came
    most_samples: Mapping[tuple[BenchmarkName, Configuration], int]  # of any of their points
    spent: Cost
    unusable: tuple[Result, ...] = ()  # points that were measured, as failures that say why it does not count

    @property
    def has_answer(self) -> bool:
        """Whether anything was measured, or nothing had to be."""
        return any(one.points for one in self.benchmarks) or not (self.failures or self.unusable)


@dataclass(frozen=True)
class ReplayedPinpoints:
    """The answer of `sonde replay pinpoint`. Positions are turned into the revisions' own numbers."""

    name: str  # of the recording or the oracle
    planner: str
    threshold: float
    revisions: tuple[int, ...]  # the number of each position
    found: Pinpointed
    runs: int  # repeats counted
    planner_seconds: float
