"""Which benchmarks can a revision have changed: the finding of `sonde select`, with its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName
from sonde.core.results import FREE, Cost
from sonde.core.revisions import Revision


class Basis(Enum):
    """What a decision rests on."""

    PROVEN = "proven"  # nothing that the benchmark reaches has changed
    PREDICTED = "predicted"  # a rule was learned from what was measured before
    CHANGED = "changed"  # there is no rule yet: something that the benchmark reaches has changed
    DUE = "due"  # it has not been measured for too many revisions
    UNKNOWN = "unknown"  # there is no profile that could tell


class Proof(Enum):
    """What proves that a benchmark is unchanged, the strongest first."""

    SAME_INPUTS = "same_inputs"  # of the builds
    SAME_OUTPUTS = "same_outputs"  # of the builds, byte by byte
    SAME_CODE = "same_code"  # of the whole builds: no proof for times
    NOT_REACHED = "not_reached"  # by the benchmark, as its profile shows: no proof for times

    @property
    def is_by_bytes(self) -> bool:
        """Whether it holds for every metric."""
        return self in (Proof.SAME_INPUTS, Proof.SAME_OUTPUTS)

    @property
    def is_by_builds(self) -> bool:
        """Whether it compares whole builds, whatever a benchmark executes."""
        return self is not Proof.NOT_REACHED


@dataclass(frozen=True)
class Touched:
    """A function that the benchmark reaches and the revision has changed."""

    name: str
    share: float  # of the cost of the benchmark, in the function itself
    how: str  # "changed", "deleted", "its texts changed"
    output: str = ""  # the file that holds it


@dataclass(frozen=True)
class Selected:
    """Whether one benchmark should run in one configuration, and why."""

    benchmark: BenchmarkName
    configuration: Configuration
    is_run: bool
    basis: Basis
    reasons: tuple[str, ...]  # in words, the weightiest first
    verdict: str = ""  # what a learned rule says to it
    touched: tuple[Touched, ...] = ()  # the costliest first
    constants: tuple[str, ...] = ()  # data objects that reached code refers to, and that have changed
    indicators: Mapping[str, float] = field(default_factory=dict)
    profiled: Revision | None = None  # the ancestor whose profile tells
    hops: int = 0  # revisions between that ancestor and this one
    seconds: float | None = None  # that a run of it takes, as far as is known
    runs: int = 1  # that measuring it takes
    proof: Proof | None = None  # where the basis is PROVEN


@dataclass(frozen=True)
class Churn:
    """How many functions differ between two builds, by three measures, and how much else."""

    functions: int  # in the new build
    raw: int  # differ in their bytes
    normalised: int  # differ in what they do
    masked: int  # differ in more than a line number
    new: int
    deleted: int
    objects: int  # constants and initial values that differ


@dataclass(frozen=True)
class Selection:
    """What to run for a revision."""

    head: Revision
    base: Revision
    default: Configuration
    selected: tuple[Selected, ...]
    rule: str  # the predictor in words, or that there is none yet
    churn: Churn | None  # None: the two builds have the same inputs
    caveats: tuple[str, ...] = ()  # what a proof does not cover here
    warnings: tuple[str, ...] = ()
    cost: Cost = FREE

    @property
    def to_run(self) -> tuple[Selected, ...]:
        """What should be measured."""
        return tuple(each for each in self.selected if each.is_run)


@dataclass(frozen=True)
class TrainedSelection:
    """What a rule was learned from."""

    pairs: int  # of a revision and an earlier one, a benchmark and a configuration
    revisions: int
    unmeasured: int  # pairs of which one side has no value
    unusable: int  # pairs whose builds or profiles cannot be read
    proven: int
    hits: int
    proven_hits: int  # a proof was wrong, or what counts as a hit is noise
    threshold: float | None  # the smallest change of instructions that counts; None: there are only times
    rule: str
    warnings: tuple[str, ...]
    cost: Cost
