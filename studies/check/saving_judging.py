"""Sets what `sonde check` said beside the truth: what it missed, and what it cried over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from sonde.core.findings.comparisons import Verdict
from sonde.core.revisions import RevisionId
from studies.check.saving_checks import Checked
from studies.check.saving_truth import CaseKey, Truth

LEAST_REGRESSION = 0.05  # a share, unless the study is asked for smaller ones
LEAST_CHANGE = 0.01  # what `sonde check` calls slower by default, of instructions
WORSE = (Verdict.SLOWER.value, Verdict.FAILS.value)
COUNTS = 1e-4  # of a growth: how exactly instructions are counted


@dataclass(frozen=True)
class Regression:
    """A benchmark that takes more instructions at a revision, in some configuration."""

    revision: RevisionId
    subject: str
    benchmark: str
    configurations: int  # that regress
    unmeasured: int  # of these
    largest: float  # growth, a share
    example: str  # the configuration that regresses most
    is_called: bool  # the benchmark is called slower, in any measured configuration
    is_audited: bool  # an audit found that the benchmark has changed, and nothing else did
    exit_code: int | None  # of the check

    @property
    def is_found(self) -> bool:
        """Whether the check reports it."""
        return self.is_called or self.is_audited


@dataclass(frozen=True)
class Alarm:
    """A case that is called slower, or failing, and is not."""

    revision: RevisionId
    benchmark: str
    configuration: str
    said: float | None  # growth, as the check saw it
    true: float


@dataclass(frozen=True)
class Judged:
    """The checks of a history, and the truth about them."""

    checks: tuple[Checked, ...]
    regressions: tuple[Regression, ...]
    alarms: tuple[Alarm, ...]

    @property
    def answered(self) -> tuple[Checked, ...]:
        """The checks that gave an answer."""
        return tuple(each for each in self.checks if not each.problem)

    @property
    def missed(self) -> tuple[Regression, ...]:
        """The regressions of which nothing was said."""
        return tuple(each for each in self.regressions if not each.is_found)

    @property
    def slower_revisions(self) -> Mapping[RevisionId, int | None]:
        """The exit code of the check of each revision with a regression."""
        return {each.revision: each.exit_code for each in self.regressions}

    @property
    def audits(self) -> tuple[str, ...]:
        """The outcome of each audit."""
        return tuple(outcome for each in self.answered for outcome in each.audits)

    @property
    def cases(self) -> int:
        """All that measuring everything would have measured."""
        return sum(each.cases for each in self.answered)

    @property
    def measured(self) -> int:
        """The cases that were measured."""
        return sum(len(each.measured) for each in self.answered)


def judge(checks: Sequence[Checked], truth: Truth, least: float = LEAST_REGRESSION) -> Judged:
    """What was found and what was missed of growths of at least `least`.

    Revisions without an answer are left out.
    """
    answered = [each for each in checks if each.base is not None]
    growths = {
        each.revision: truth.growths(each.base, each.revision) for each in answered if each.base is not None
    }
    return Judged(
        tuple(checks),
        tuple(chain.from_iterable(_regressions(each, growths[each.revision], least) for each in answered)),
        tuple(chain.from_iterable(_alarms(each, growths[each.revision]) for each in answered)),
    )


def _regressions(checked: Checked, growths: Mapping[CaseKey, float], least: float) -> Iterator[Regression]:
    measured = {(each.benchmark, each.configuration) for each in checked.measured}
    called = {each.benchmark for each in checked.measured if each.verdict in WORSE}
    for benchmark in dict.fromkeys(name for name, _ in growths):
        grown = {case: growth for case, growth in growths.items() if case[0] == benchmark and growth >= least}
        if grown:
            worst = max(grown, key=lambda case: grown[case])
            yield Regression(
                checked.revision,
                checked.subject,
                benchmark,
                len(grown),
                sum(case not in measured for case in grown),
                grown[worst],
                worst[1],
                benchmark in called,
                benchmark not in called and benchmark in checked.found_by_audits,
                checked.exit_code,
            )


def _alarms(checked: Checked, growths: Mapping[CaseKey, float]) -> Iterator[Alarm]:
    for each in checked.measured:
        true = growths.get((each.benchmark, each.configuration))
        if true is not None and each.verdict in WORSE and true < LEAST_CHANGE - COUNTS:
            yield Alarm(checked.revision, each.benchmark, each.configuration, each.growth, true)
