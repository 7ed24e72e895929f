"""Is a revision slower: the finding of `sonde check`, with its evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from math import ceil, log1p

from sonde.core.options import Configuration, Term
from sonde.core.points import BenchmarkName
from sonde.core.project_rules import TakenRules
from sonde.core.results import FREE, Cost, Failed, Metric, Sample
from sonde.core.revisions import Revision

MOST_PAIRS = 1000  # of a case that anyone waits for


@dataclass(frozen=True)
class Pair:
    """One run of the base and one of the head, right after each other or side by side on one processor.

    Which of them came first was drawn.
    """

    number: int
    base: Sample
    head: Sample
    is_side_by_side: bool = field(default=False, kw_only=True)

    @property
    def is_head_first(self) -> bool:
        """Whether the run of the head began first."""
        return self.head.taken_at < self.base.taken_at

    def values(self, metric: Metric) -> tuple[float, float]:
        """What was measured, base and head."""
        return self.base.values[metric], self.head.values[metric]


@dataclass(frozen=True)
class Case:
    """What is compared: one benchmark in one configuration."""

    benchmark: BenchmarkName
    configuration: Configuration


class Verdict(Enum):
    """What can be said of a case."""

    SLOWER = "slower"
    NO_MORE_WORK = "slower without more work"  # by its time alone, with the same instructions
    FASTER = "faster"
    NO_LESS_WORK = "faster without less work"
    DEPENDS = "depends on the set-up"  # it changes in some set-ups of the runs, and not in others
    EQUAL = "equal"  # within the threshold
    INCONCLUSIVE = "inconclusive"
    FAILS = "fails"  # at the head only
    MENDED = "mended"  # fails at the base only
    BROKEN = "broken"  # fails on both sides, so nothing can be said


@dataclass(frozen=True)
class Ratio:
    """How the head compares with the base: logarithms of head / base."""

    log: float
    low: float
    high: float
    pairs: int  # that it rests on
    probability: float  # of a ratio that far from 1 if nothing has changed, looks on the way counted

    def pairs_to_decide(self, threshold: float) -> int | None:
        """About how many pairs make an interval that always decides: one narrower than the threshold.

        In tens, and half as many again as there are at least. None if it takes more than one would wait for:
        then the machine is the problem.
        """
        needed = self.pairs * max(((self.high - self.low) / log1p(threshold)) ** 2, 1.5)
        return 10 * ceil(needed / 10) if needed <= MOST_PAIRS else None


@dataclass(frozen=True)
class CountedWork:
    """The instructions of a run of each side."""

    base: float
    head: float


@dataclass(frozen=True)
class Moved:
    """Something of the kernel's account of a run that differs between base and head; medians."""

    name: str  # such as "system time"
    unit: str  # s, B, or nothing for a number
    base: float
    head: float


@dataclass(frozen=True)
class Modes:
    """A change that shows in some set-ups only, each of which has one pair: logarithms of head / base."""

    change: float  # typical of the pairs that show it
    changed_pairs: int
    rest: float  # typical of all others
    other_pairs: int


@dataclass(frozen=True)
class Compared:
    """The verdict of one case."""

    case: Case
    metric: Metric
    threshold: float  # a share: 0.05 is 5 %
    verdict: Verdict
    reason: str  # in words
    ratio: Ratio | None = None  # None: there are no pairs
    base_value: float | None = None  # medians
    head_value: float | None = None
    is_definition_6: bool | None = None  # a change by Definition 6 of the ConfFLARE paper; None: too few runs
    failed: Failed | None = None  # what went wrong, where the verdict is about that
    is_output_same: bool | None = None  # None: not known, or it differs from run to run
    work: CountedWork | None = None  # None: nobody counted
    moved: tuple[Moved, ...] = ()  # what differs beside a time that is slower or faster
    modes: Modes | None = None  # None: its pairs do not fall into a changed and an unchanged part


@dataclass(frozen=True)
class Grown:
    """A function that takes more (or fewer) instructions itself than before."""

    name: str
    before: float  # self instructions a run
    after: float
    share: float  # of all that were added (saved, if the whole shrank); negative: it worked against that


@dataclass(frozen=True)
class CasePattern:
    """The cases of a benchmark that share a verdict, and what their configurations have in common."""

    benchmark: BenchmarkName
    verdict: Verdict
    term: Term | None  # holds in all of them and in no other that is known; None: there is none
    cases: int
    of_cases: int  # of the benchmark that were measured
    least: Ratio | None = None  # the smallest change and the largest; None: they fail
    most: Ratio | None = None
    worst: Case | None = None  # with the largest change
    modes: Modes | None = None  # of that case, where the verdict is that it depends on the set-up
    grown: tuple[Grown, ...] = ()  # the functions behind the largest change


class NarrowingStep(Enum):
    """What left cases out."""

    ABSENT = "absent"
    BUILDS = "builds"
    SELECT = "select"
    IMPACT = "impact"
    SAMPLE = "sample"


@dataclass(frozen=True)
class Dropped:
    """Cases that were not measured, and why."""

    step: NarrowingStep
    is_proven: bool  # they are unchanged; otherwise nothing is known of them
    reason: str  # in words
    cases: int
    benchmarks: tuple[BenchmarkName, ...]


class AuditOutcome(Enum):
    """What an audit says about leaving its case out."""

    UNCHANGED = "unchanged"  # within the threshold
    REPORTED = "reported"  # it changed as the cases did that were measured anyway
    MISSED = "missed"  # it changed, and nothing that was measured anyway shows it
    UNDECIDED = "undecided"  # inconclusive, or it fails on both sides


@dataclass(frozen=True)
class Audit:
    """A case that was left out and was measured all the same, drawn at random."""

    compared: Compared
    outcome: AuditOutcome


@dataclass(frozen=True)
class AuditTally:
    """How often leaving out was wrong so far, over all checks of a project."""

    missed: int
    audited: int  # cases; undecided ones do not count
    most_missed: float  # upper bound of the share of missed changes among all cases that were left out
    confidence: float  # of the bound
    undecided: int


@dataclass(frozen=True)
class Audits:
    """The audits of a check, and what those of all checks say about the step that left their cases out."""

    step: NarrowingStep
    reason: str  # that the step gave, in words
    left_out: int  # cases that they were drawn from
    cases: tuple[Audit, ...]
    tally: AuditTally  # of this step; the audits of this check are part of it

    @property
    def missed(self) -> tuple[Compared, ...]:
        """Changes that the check would have missed."""
        return tuple(each.compared for each in self.cases if each.outcome is AuditOutcome.MISSED)


@dataclass(frozen=True)
class UnexecutedCode:
    """Changed code that no profile of a benchmark has executed: nothing is known of its performance."""

    routine: str  # empty: not known
    file: str
    first: int  # line
    last: int
    is_old: bool  # whether it is code of the base
    is_part: bool = False  # whether other changed code of the routine, maybe between these lines, is executed


@dataclass(frozen=True)
class Culprit:
    """Which revision of a range made a case slower."""

    case: Case
    earliest: Revision  # the first revision that can be it
    revision: Revision  # the last one that can: both are the same if it was narrowed to one
    confidence: float
    probed: int  # revisions that were compared
    reason: str  # why it ended there, in words
    grown: tuple[Grown, ...] = ()


@dataclass(frozen=True)
class Check:
    """What can be said of a revision, compared with its base."""

    head: Revision
    base: Revision
    default: Configuration
    cases: int  # each benchmark in each configuration
    dropped: tuple[Dropped, ...]
    compared: tuple[Compared, ...] = ()
    audits: Audits | None = field(default=None, kw_only=True)  # None: nothing was audited, now or ever
    related_options: tuple[str, ...] | None = None  # that the change can act through; None: not known
    not_executed: tuple[UnexecutedCode, ...] = ()  # so that no verdict is about it
    patterns: tuple[CasePattern, ...] = ()  # what is slower, faster or failing, and where
    culprits: tuple[Culprit, ...] = ()
    warnings: tuple[str, ...] = ()
    rules: TakenRules | None = field(default=None, kw_only=True)  # None: the project file in the work tree
    seconds_all: float | None = None  # that measuring every case would have taken; None: not known
    seconds_narrowing: float = 0.0  # that it took to leave cases out, without builds that all needs as well
    cost: Cost = FREE

    @property
    def seconds_lost(self) -> float:
        """By leaving cases out, where measuring them would have taken less; 0 if it paid or is not known."""
        if self.seconds_all is None or not self.cases:
            return 0.0
        left_out = self.cases - self.measured
        return (
            max(0.0, self.seconds_narrowing - self.seconds_all * left_out / self.cases) if left_out else 0.0
        )

    @property
    def measured(self) -> int:
        """How many cases were measured, audits included."""
        return len(self.compared) + (len(self.audits.cases) if self.audits else 0)

    @property
    def answers(self) -> tuple[Compared, ...]:
        """What the verdict rests on: the cases that could have changed, and all audited ones that did."""
        audits = self.audits.cases if self.audits else ()
        changed = (AuditOutcome.REPORTED, AuditOutcome.MISSED)
        return (*self.compared, *(each.compared for each in audits if each.outcome in changed))

    @property
    def regressions(self) -> tuple[Compared, ...]:
        """What got worse."""
        return tuple(each for each in self.answers if each.verdict in (Verdict.SLOWER, Verdict.FAILS))

    @property
    def is_conclusive(self) -> bool:
        """Whether every case that could have changed has an answer; audits need none."""
        return all(each.verdict not in (Verdict.INCONCLUSIVE, Verdict.BROKEN) for each in self.compared)
