"""The planner of a history: turns a policy into what can be asked and told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from math import exp

from sonde.core.findings.histories import ChangePoint, Estimate, Known, SeriesHistory
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point, Request
from sonde.core.repeats import Repeats
from sonde.core.results import FREE, Cost, Failed, Result, Stage
from sonde.methods.history_sampling.costs import build_cost
from sonde.methods.history_sampling.facts import UNLIMITED, Pick, SubjectFacts
from sonde.methods.history_sampling.ledger import SeriesLedger
from sonde.methods.history_sampling.policy import Inferred, Policy, Shift, nothing_open, with_exact_bands
from sonde.methods.history_sampling.series import Series
from sonde.methods.history_sampling.stopping import Never, NoMoreThanNoise, StoppingRule, reason_to_stop

Allowance = Callable[[int], int]  # how many revisions of so many may be measured


def unlimited(revisions: int) -> int:
    """As many as it takes."""
    return UNLIMITED


class HistoryPlanner:
    """Asks for what a policy chooses, and tells what it makes of the results.

    planner = HistoryPlanner(series, revisions, SharedChanges())
    while planner.finished is None:
        planner.tell(execute(planner.ask(16)))
    for series in planner.histories(): ...
    """

    def __init__(
        self,
        series: Sequence[Series],
        revisions: int,  # the length of the history
        policy: Policy,
        seed: int = 0,
        allowance: Allowance = unlimited,
        stopping: StoppingRule = Never(),  # noqa: B008 - it is frozen
    ) -> None:
        self._ledgers = [SeriesLedger(one) for one in series]
        self._revisions = revisions
        self._policy = policy
        self._seed = seed
        self._allowance = allowance
        self._stopping = stopping
        self._owners: dict[tuple[Configuration, BenchmarkName], list[SeriesLedger]] = {}
        for ledger in self._ledgers:
            key = (ledger.series.configuration, ledger.series.benchmark)
            self._owners.setdefault(key, []).insert(0, ledger)
        self._repeats = {one.benchmark: Repeats() for one in series}
        self._costs: dict[Point, Cost] = {}
        self._finished: tuple[str | None] | None = None  # of the facts of this moment

    @property
    def finished(self) -> str | None:
        """Why there is nothing left to ask for."""
        if any(ledger.pending for ledger in self._ledgers):
            return None
        if self._finished is None:
            self._finished = (self._reason(),)
        return self._finished[0]

    def _reason(self) -> str | None:
        facts = self.facts()
        if not isinstance(self._stopping, Never) and all(
            len(one.measured) >= self._stopping.fewest or nothing_open(one) for one in facts.series
        ):
            noise = [
                _at_least(ledger.noise_variance(), ledger.series.noise_floor) for ledger in self._ledgers
            ]
            reason = reason_to_stop(self._stopping, self._policy.infer(facts), noise)
            if reason is not None:
                return reason
        may_repeat = any((2 * one.runs <= one.most_runs).any() for one in facts.series)
        return None if may_repeat else self._all_done(facts)

    def _all_done(self, facts: SubjectFacts) -> str | None:
        """Why no further revision can be measured; None if one can."""
        if any(one.is_open.any() and one.allowance > 0 for one in facts.series):
            return None
        if any(one.is_open.any() for one in facts.series):
            return "each series has as many measurements as the budget allows"
        return "every revision is measured, proven equal or has failed"

    def ask(self, at_most: int) -> Sequence[Request]:
        """What the policy chooses, given what is known and what is pending."""
        if self.finished is not None or at_most <= 0:
            return []
        distinct = self._distinct(self._policy.choose(self.facts(), at_most))[:at_most]
        picks = list(self._askable(distinct))
        if not distinct and not any(ledger.pending for ledger in self._ledgers):
            self._finished = (self._all_done(self.facts()) or "nothing more is worth measuring",)
        return [self._request(pick) for pick in picks]

    def _distinct(self, picks: Sequence[Pick]) -> list[Pick]:
        """The picks without those that are proven equal to an earlier one."""
        found: dict[tuple[int, Hashable], Pick] = {}
        for pick in picks:
            series = self._ledgers[pick.series]
            found.setdefault((pick.series, series.series.kinds[series.steps[pick.step]]), pick)
        return list(found.values())

    def _askable(self, picks: Iterable[Pick]) -> Iterator[Pick]:
        """The picks, but no more of a benchmark at once than show whether one run is enough."""
        pending: Counter[BenchmarkName] = Counter()
        for ledger in self._ledgers:
            pending[ledger.series.benchmark] += len(ledger.pending)
        for pick in picks:
            series = self._ledgers[pick.series].series
            if self._repeats[series.benchmark].may_ask(pending[series.benchmark], series.runs):
                pending[series.benchmark] += 1
                yield pick

    def _spread_the_word(self, teller: SeriesLedger, result: Result) -> None:
        """A build that fails for one series fails for all that need it."""
        outcome, builds = result.outcome, teller.series.builds
        if isinstance(outcome, Failed) and outcome.stage is Stage.BUILD and builds:
            build = builds[teller.at[result.point.revision]]
            for ledger in self._ledgers:
                if ledger is not teller:
                    ledger.hear_of(build)

    def _request(self, pick: Pick) -> Request:
        ledger = self._ledgers[pick.series]
        usual = self._repeats[ledger.series.benchmark].runs(ledger.series.runs)
        runs = max(pick.runs, usual)
        if isinstance(self._stopping, NoMoreThanNoise) and ledger.noise_variance() is None:
            is_repeated = any(wanted >= self._stopping.runs for wanted in ledger.pending.values())
            runs = runs if is_repeated else max(runs, self._stopping.runs)
        ledger.pending[pick.step] = runs
        self._finished = None
        return Request(ledger.series.point(ledger.steps[pick.step]), runs)

    def tell(self, results: Iterable[Result]) -> None:
        """Take note of results; foreign points are ignored."""
        for result in results:
            ledger = self._owner(result.point)
            if ledger is not None:
                ledger.tell(result)
                self._repeats[result.point.benchmark].hear(result.point, result.outcome)
                self._spread_the_word(ledger, result)
                if result.cost != FREE:
                    self._costs[result.point] = result.cost
                self._finished = None

    def _owner(self, point: Point) -> SeriesLedger | None:
        """The series that a point is one of; the last of several."""
        ledgers = self._owners.get((point.configuration, point.benchmark), ())
        return next((ledger for ledger in ledgers if point.revision in ledger.at), None)

    def facts(self) -> SubjectFacts:
        """What is known, as the policy sees it."""
        known = []
        for ledger in self._ledgers:
            allowed = self._allowance(len(ledger.series.revisions))
            known.append(ledger.facts(allowed - ledger.tried))
        return SubjectFacts(self._revisions, tuple(known), self._seed, build_cost(self._costs.values()))

    def histories(self) -> tuple[SeriesHistory, ...]:
        """What the policy makes of all that it was told."""
        facts = self.facts()
        inferred = map(with_exact_bands, facts.series, self._policy.infer(facts))
        pairs = zip(self._ledgers, inferred, strict=True)
        return tuple(_history(ledger, one, self._revisions) for ledger, one in pairs)


def _at_least(noise_variance: float | None, noise_floor: float) -> float | None:
    return None if noise_variance is None else max(noise_variance, noise_floor**2)


def _history(ledger: SeriesLedger, inferred: Inferred | None, revisions: int) -> SeriesHistory:
    series = ledger.series
    estimates: list[Estimate | None] = [None] * revisions
    numbers = range(len(series.revisions))
    if inferred is not None:
        bands = list(zip(inferred.mean.tolist(), inferred.low.tolist(), inferred.high.tolist(), strict=True))
        for at in numbers:
            value, low, high = (exp(min(max(each, -700.0), 700.0)) for each in bands[ledger.step_of[at]])
            known = Known.PROVEN if ledger.is_known(at) else Known.ESTIMATED
            known = Known.MEASURED if ledger.is_measured(at) else known
            estimates[series.positions[at]] = Estimate(value, low, high, known)
    return SeriesHistory(
        series.configuration,
        series.benchmark,
        series.metric,
        tuple(estimates),
        tuple(_change(ledger, shift) for shift in (inferred.shifts if inferred else ())),
        measured=sum(ledger.is_measured(at) for at in numbers),
        proven=sum(ledger.is_known(at) and not ledger.is_measured(at) for at in numbers),
        failed=tuple(series.positions[at] for at in numbers if ledger.has_failed(at)),
    )


def _change(ledger: SeriesLedger, shift: Shift) -> ChangePoint:
    def position(step: int) -> int:
        return ledger.series.positions[ledger.steps[step]]

    step = shift.latest if ledger.has_failed(ledger.steps[shift.step]) else shift.step
    return ChangePoint(
        position=position(step),
        earliest=position(shift.earliest),
        latest=position(shift.latest),
        before=exp(shift.before),
        after=exp(shift.after),
        effect=shift.after - shift.before,
        effect_low=shift.low,
        effect_high=shift.high,
        is_single=shift.is_single,
    )
