"""What the store keeps. A record is written once and never changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

from sonde.core.points import BenchmarkName, Point
from sonde.core.results import Cost, Failed, Metric, Result, Sample
from sonde.core.revisions import RevisionId

BuildKey = NewType("BuildKey", str)  # digest of all that goes into a build
Fingerprint = NewType("Fingerprint", str)  # digest of all that came out of it
MeasurementKey = NewType("MeasurementKey", str)  # digest of all that a run can see
ContextKey = NewType("ContextKey", str)  # digest of what is the same for all points of a benchmark


@dataclass(frozen=True)
class ContextRecord:
    """How a benchmark was built and measured: recipes, input files, toolchain, environment."""

    context: ContextKey
    benchmark: BenchmarkName
    metric: Metric
    environment: str  # one line in words: processor, kernel, tools
    description: str  # JSON: everything that the key is a digest of


@dataclass(frozen=True)
class InputsRecord:
    """The digest of a revision's build inputs."""

    revision: RevisionId
    patterns: str  # digest of the patterns that choose the inputs
    tree: str


@dataclass(frozen=True)
class Built:
    """A build that succeeded."""

    fingerprint: Fingerprint
    size_bytes: int


@dataclass(frozen=True)
class BuildRecord:
    """What came of a build, and at which revision it was first tried."""

    build: BuildKey
    revision: RevisionId
    outcome: Built | Failed
    seconds: float
    built_at: float  # seconds since the epoch


@dataclass(frozen=True)
class PointRecord:
    """That a point is measured by this measurement; points that share one are twins."""

    context: ContextKey
    point: Point
    build: BuildKey
    measurement: MeasurementKey | None  # None: its build failed


@dataclass(frozen=True, slots=True)
class SampleRecord:
    """One run that succeeded."""

    measurement: MeasurementKey
    sample: Sample


@dataclass(frozen=True)
class FailureRecord:
    """One run that failed."""

    measurement: MeasurementKey
    number: int
    failed: Failed
    failed_at: float  # seconds since the epoch


Record = ContextRecord | InputsRecord | BuildRecord | PointRecord | SampleRecord | FailureRecord


@dataclass(frozen=True)
class Observation:
    """Something that happened: the records that must be durable before anyone is told of its result."""

    records: tuple[Record, ...]
    cost: Cost  # what happened since the observation before
    result: Result | None = None  # None: something was built, but nothing run yet
