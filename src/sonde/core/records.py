"""What the store keeps. A record is written once and never changed, unless its kind says otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

from sonde.core.code_lines import CodeLines
from sonde.core.evidence import Profile, Snapshot
from sonde.core.findings.comparisons import AuditOutcome, Case, NarrowingStep, Ratio, Verdict
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.results import Cost, Failed, Metric, Result, Sample
from sonde.core.revisions import RevisionId

BuildKey = NewType("BuildKey", str)  # digest of all that goes into a build
Fingerprint = NewType("Fingerprint", str)  # digest of all that came out of it
MeasurementKey = NewType("MeasurementKey", str)  # digest of all that a run can see
ContextKey = NewType("ContextKey", str)  # digest of what is the same for all points of a benchmark
ProfileKey = NewType("ProfileKey", str)  # digest of all that a profiled run can see

# They count up when something is read, normalised or written otherwise: what is older is taken again.
SNAPSHOT_FORMAT = 5
PROFILE_FORMAT = 5
LINES_FORMAT = 1


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
    code: Fingerprint | None = None  # equal for builds of equal code, whatever their bytes; None: not known

    def does_the_same_as(self, other: Built) -> bool:
        """Whether both have equal bytes, or at least equal code."""
        has_same_code = self.code is not None and self.code == other.code
        return self.fingerprint == other.fingerprint or has_same_code


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


@dataclass(frozen=True)
class SnapshotRecord:
    """What a build consists of; one of a newer format takes the place of an older one."""

    fingerprint: Fingerprint  # of the build
    format: int
    snapshot: Snapshot


@dataclass(frozen=True)
class ProfileRecord:
    """What a benchmark executed; points whose runs see the same share it."""

    profile: ProfileKey
    point: Point  # where it was taken
    profiled_at: float  # seconds since the epoch
    content: Profile


@dataclass(frozen=True)
class LinesRecord:
    """Which source lines the code of a build belongs to; one that says more takes the place of another."""

    build: BuildKey
    has_debug_build: bool  # whether the build was repeated with debug information to learn more
    lines: CodeLines


@dataclass(frozen=True)
class TupleRecord:
    """What is known of a change from one revision to another in one benchmark: selections learn from it.

    Writing it again takes the place of what was there.
    """

    context: ContextKey
    child: RevisionId
    parent: RevisionId
    configuration: Configuration
    benchmark: BenchmarkName
    values: tuple[tuple[str, float], ...]  # of each indicator, in the order of their names
    effect: float  # log ratio of the metric, child / parent
    is_hit: bool  # whether that is a change
    is_proven: bool  # whether nothing that the benchmark reaches has changed
    is_refused: bool  # whether the evidence says too little, so that the benchmark runs in any case
    seconds: float  # that a run of the benchmark takes
    hops: int  # revisions from the parent to the child


@dataclass(frozen=True)
class AuditRecord:
    """What an audit says about leaving a case out.

    Auditing the same case of the same two revisions again replaces the record, so that it counts once.
    """

    base: RevisionId
    head: RevisionId
    case: Case
    step: NarrowingStep  # that left it out
    metric: Metric
    threshold: float  # a share; another one is another audit
    verdict: Verdict
    outcome: AuditOutcome
    ratio: Ratio | None  # None: there are no pairs


Record = (
    ContextRecord
    | InputsRecord
    | BuildRecord
    | PointRecord
    | SampleRecord
    | FailureRecord
    | SnapshotRecord
    | ProfileRecord
    | LinesRecord
    | TupleRecord
    | AuditRecord
)


@dataclass(frozen=True)
class Observation:
    """Something that happened: the records that must be durable before anyone is told of its result."""

    records: tuple[Record, ...]
    cost: Cost  # what happened since the observation before
    result: Result | None = None  # None: something was built, but nothing run yet
