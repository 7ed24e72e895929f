"""What the page shows, as values. Texts from outside are made harmless when these become JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from sonde.core.findings.histories import SeriesHistory
from sonde.core.options import OptionName
from sonde.core.points import BenchmarkName
from sonde.core.revisions import History, Revision


class ChangeEvidence(Enum):
    """How well a change is known."""

    EXACT = "exact"  # at one revision, and its size is clear of noise
    RANGE = "range"  # at one of several revisions
    UNCLEAR = "within noise"  # its interval includes no change, or it rests on one run
    ESTIMATED = "estimated"  # the search inferred it from other configurations
    PAIRED = "paired"  # base and head were measured in pairs
    COUNTED = "counted"  # the instructions of base and head were counted


@dataclass(frozen=True)
class ShownEffect:
    """Logarithms of after / before, with the 90 % interval."""

    log: float
    low: float
    high: float

    @property
    def certain(self) -> float:
        """The part of the size that the interval leaves no doubt about; 0 if it includes no change."""
        if self.low > 0:
            return self.low
        return max(0.0, -self.high)


@dataclass(frozen=True)
class ListedChange:
    """A row of the list of changes."""

    key: str  # its address on the page: `change-KEY`
    effect: ShownEffect
    least: float | None  # the smallest effect of several series, a logarithm; None: there is one
    earliest: Revision
    revision: Revision  # the last one that can be it; both are the same if it is exact
    apart: int  # revisions that can be it
    benchmark: BenchmarkName
    where: str  # the options, in words
    options: tuple[OptionName, ...]
    before: str
    after: str
    evidence: ChangeEvidence
    series: tuple[int, ...]  # that show it, the one with the largest effect first; positions in `Page.series`
    command: str
    note: str = ""  # further evidence, in words

    @property
    def is_slower(self) -> bool:
        """Whether the value grew; lower is better."""
        return self.effect.log > 0


@dataclass(frozen=True)
class StateCount:
    """One of the numbers at the top."""

    name: str
    number: int
    meaning: str  # a sentence
    is_slower: bool | None = None  # None: it says nothing of changes
    is_alarm: bool = False  # whether any is bad news


@dataclass(frozen=True)
class PlottedSeries:
    """A history that can be plotted."""

    history: SeriesHistory
    configuration: str  # in words
    options: tuple[OptionName, ...]  # that differ from the default
    sentence: str  # what happened, in one sentence


@dataclass(frozen=True)
class ComparedCase:
    """A case of a check, with its interval."""

    benchmark: BenchmarkName
    configuration: str
    verdict: str
    effect: ShownEffect | None  # None: there is no pair of runs
    threshold: float
    before: str
    after: str
    reason: str


@dataclass(frozen=True)
class MatrixCell:
    """A change of a term at a revision."""

    term: int  # row
    column: int
    effect: float  # a logarithm
    probability: float
    change: str  # the key of the row in the list of changes


@dataclass(frozen=True)
class TermMatrix:
    """Terms by revisions that changed something, of one benchmark."""

    benchmark: BenchmarkName
    terms: tuple[str, ...]
    revisions: tuple[Revision, ...]
    cells: tuple[MatrixCell, ...]


@dataclass(frozen=True)
class ReportFact:
    """Something about how the page came to be: cost, environment, how to repeat it."""

    name: str
    text: str
    is_command: bool = False


@dataclass(frozen=True)
class Page:
    """Everything on the page, in the order in which it is shown."""

    title: str
    scope: str  # which revisions, in words
    sentence: str
    counts: tuple[StateCount, ...]
    changes: tuple[ListedChange, ...]
    history: History = field(default_factory=lambda: History(()))
    tags: Mapping[int, str] = field(default_factory=dict)  # position in the history -> name
    series: tuple[PlottedSeries, ...] = ()
    cases: tuple[ComparedCase, ...] = ()
    matrices: tuple[TermMatrix, ...] = ()
    left_out: tuple[str, ...] = ()  # what was not measured and why, in sentences
    warnings: tuple[str, ...] = ()
    facts: tuple[ReportFact, ...] = ()
