"""What came of a point: samples, or a failure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from sonde.core.points import Point


class Metric(Enum):
    """What is measured of a run; lower is better."""

    INSTRUCTIONS = "instructions"
    CPU = "cpu"  # seconds, user + system
    WALL = "wall"  # seconds
    MEMORY = "memory"  # bytes, peak resident size of the largest process
    PRINTED = "printed"  # a number that the benchmark prints


@dataclass(frozen=True, slots=True)  # slots: there can be millions of them
class Account:
    """What the kernel tells of a run beside its metrics, of all its processes together."""

    system: float  # seconds of the CPU time that were spent in the kernel
    voluntary_switches: int  # how often a process waited
    minor_faults: int
    major_faults: int  # pages that had to be read


@dataclass(frozen=True, slots=True)
class Gauges:
    """How quiet the machine was during a run."""

    involuntary_switches: int = 0
    pressure: float = 0.0  # share of the run in which some process waited for a processor
    account: Account | None = None  # None: not known


CALM = Gauges()


@dataclass(frozen=True, slots=True)
class Sample:
    """The metrics of one run; `number` counts the runs of a measurement from 0."""

    number: int
    metrics: tuple[tuple[Metric, float], ...]  # in the order of Metric
    taken_at: float  # seconds since the epoch
    gauges: Gauges = CALM
    output: str = ""  # a digest of what the run printed; empty: nobody looked

    @classmethod
    def of(
        cls,
        number: int,
        values: Mapping[Metric, float],
        taken_at: float,
        gauges: Gauges = CALM,
        output: str = "",
    ) -> Sample:
        """The sample with these values, whatever their order."""
        ordered = tuple((metric, values[metric]) for metric in Metric if metric in values)
        return cls(number, ordered, taken_at, gauges, output)

    @property
    def values(self) -> Mapping[Metric, float]:
        """The value of each metric that this run could measure."""
        return dict(self.metrics)


class Stage(Enum):
    """Where a point failed."""

    SPACE = "space"  # the revision does not have an option that the configuration chooses
    BUILD = "build"
    RUN = "run"


@dataclass(frozen=True)
class Failed:
    """A fact of the world: this point has no value, and why."""

    stage: Stage
    reason: str  # one sentence
    output: str = ""  # the tail of what was printed
    timed_out_after: float = 0.0  # seconds; 0: not for lack of time. A longer limit is worth another try
    is_lasting: bool = True  # False: it has nothing to do with the point, so it is not remembered


@dataclass(frozen=True)
class Twin:
    """Another point that is proven equal, and whose samples are shared."""

    point: Point
    reason: str


@dataclass(frozen=True)
class Measurement:
    """The samples of a point in one environment, by their number."""

    samples: tuple[Sample, ...]
    twin: Twin | None = None  # None: the samples were taken at this very point
    is_repeatable: bool = True  # False: further runs would only give the recorded value again


@dataclass(frozen=True)
class Cost:
    """What a result took; nothing if it was known before."""

    runs: int = 0
    builds: int = 0
    seconds: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.runs + other.runs, self.builds + other.builds, self.seconds + other.seconds)


FREE = Cost()


@dataclass(frozen=True)
class Result:
    """What came of a point so far. A later result of the same point may hold more samples."""

    point: Point
    outcome: Measurement | Failed
    cost: Cost = FREE
    instead_of: Point | None = None  # what was asked for, where a recording answered with its nearest point
