"""Base and head of each case, measured in turn until there is a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from sonde.core.events import Planned, ResultKnown
from sonde.core.findings.comparisons import Case, Compared, Pair, Verdict
from sonde.core.points import BenchmarkName, Point, Request
from sonde.core.protocols import Watcher
from sonde.core.records import BuildKey, Built, FailureRecord
from sonde.core.repeats import ENOUGH
from sonde.core.results import FREE, Cost, Failed, Measurement, Metric, Result
from sonde.core.revisions import Revision
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.executors.pair_orders import PairOrder, Unpaired, forget_unpaired
from sonde.effects.executors.pairing import run_pairs
from sonde.methods.comparison.comparing import CHANGES, Comparing, Judgement
from sonde.methods.comparison.disturbances import due, unrest_in, usable
from sonde.methods.comparison.intervals import HIDDEN_SIDE_BY_SIDE, least_cap
from sonde.methods.comparison.moved import moved_between
from sonde.methods.comparison.outputs import is_output_same
from sonde.methods.comparison.rules import ComparisonRules
from sonde.report.plans import few_pairs_text
from sonde.workflows.check.failures import believed_failures, failing_case
from sonde.workflows.check.noise import noise_warning
from sonde.workflows.check.work import Weighing
from sonde.workflows.evidence import build_all
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.repeats import repeats_of

SHOWING = ENOUGH // 2  # cases whose two sides show whether one run is enough for the others


@dataclass(frozen=True)
class Sides:
    """How a case is built and run at the base and at the head."""

    base: Blueprint
    head: Blueprint
    metric: Metric


@dataclass
class _Known:
    """What is known of a case."""

    pairs: Sequence[Pair] = ()
    base: Failed | None = None
    head: Failed | None = None

    @property
    def is_running(self) -> bool:
        return self.base is None and self.head is None

    @property
    def is_side_by_side(self) -> bool:
        return any(pair.is_side_by_side for pair in self.pairs)


@dataclass
class Measuring:
    """Compares cases of two revisions."""

    tools: ProjectTools
    executor: LocalExecutor
    rules: ComparisonRules
    watcher: Watcher
    retries: bool = False  # try again runs that failed before
    cost: Cost = FREE
    warnings: tuple[str, ...] = ()
    known: dict[Case, _Known] = field(default_factory=dict)

    def compare(self, base: Revision, head: Revision, cases: Sequence[Case]) -> list[Compared]:
        """A verdict for each case that both revisions have."""
        sides = dict(self._sides(base, head, cases))
        self.known = {case: _Known() for case in sides}
        self.watcher.notice(Planned(2 * len(sides), is_limit=True))
        built = self._build(sides)
        if self.retries:
            self._forget_failures(sides, built)
        comparing = Comparing(
            {case: each.metric for case, each in sides.items()}, self.rules, list(self._spared(sides))
        )
        self._drop_failing(comparing)
        before: Mapping[Case, int] = {}
        while (wanted := comparing.ask()) and wanted != before:  # the same again: no more can be had
            before = wanted
            counted = {case: n for case, n in wanted.items() if sides[case].metric is Metric.INSTRUCTIONS}
            timed = {case: n for case, n in wanted.items() if case not in counted}
            self._count(sides, counted)
            self._time(sides, timed, built)
            self._drop_failing(comparing)
            for case, pairs in wanted.items():
                if self.known[case].is_running:
                    hidden = HIDDEN_SIDE_BY_SIDE if self.known[case].is_side_by_side else 0.0
                    counting = usable(sides[case].metric, self.known[case].pairs, pairs)
                    values = [pair.values(sides[case].metric) for pair in counting]
                    comparing.tell(case, values, hidden, [pair.is_head_first for pair in counting])
        judgements = comparing.judgements()
        self.warnings = (*self._too_few_pairs(sides), *self._too_noisy(sides, judgements))
        compared = [self._compared(case, each.metric, judgements.get(case)) for case, each in sides.items()]
        return self._weighed(sides, built, compared)

    def _spared(self, sides: Mapping[Case, Sides]) -> Iterator[Case]:
        """Cases of benchmarks that count the same each time. Where that is not known, a few cases show it."""
        counted: dict[BenchmarkName, list[Case]] = {}
        for case, each in sides.items():
            if each.metric is Metric.INSTRUCTIONS:
                counted.setdefault(case.benchmark, []).append(case)
        for name, cases in counted.items():
            if len(cases) > SHOWING and not self._is_spared(name):
                running = [case for case in cases if self.known[case].is_running]
                self._count(sides, dict.fromkeys(running[:SHOWING], self.rules.exact_runs))
            if self._is_spared(name):
                yield from cases

    def _is_spared(self, name: BenchmarkName) -> bool:
        return repeats_of(self.tools, name).are_spared(self.rules.exact_runs)

    def _weighed(
        self, sides: Mapping[Case, Sides], built: Mapping[BuildKey, Built], compared: Iterable[Compared]
    ) -> list[Compared]:
        """With what is slower by its time and does no more work."""
        weighing = Weighing(self.tools, self.executor, self.rules, built)
        found = []
        for each in compared:
            side, pairs = sides[each.case], self.known[each.case].pairs
            found.append(weighing.weigh(each, side.base, side.head, pairs))
        self.cost += weighing.cost
        return found

    def _too_few_pairs(self, sides: Mapping[Case, Sides]) -> Iterator[str]:
        """A warning if the cap allows no change to be found, however large it is."""
        is_timed = any(each.metric is not Metric.INSTRUCTIONS for each in sides.values())
        if is_timed and (needed := least_cap(self.rules)) > self.rules.most_pairs:
            yield few_pairs_text(self.rules.most_pairs, needed)

    def _too_noisy(self, sides: Mapping[Case, Sides], judgements: Mapping[Case, Judgement]) -> Iterator[str]:
        """A warning if cases have no answer because the machine is too noisy."""
        undecided = [
            (judgement, unrest_in(sides[case].metric, self.known[case].pairs, self.rules.most_pairs))
            for case, judgement in judgements.items()
            if judgement.verdict is Verdict.INCONCLUSIVE
            and sides[case].metric is not Metric.INSTRUCTIONS
            and self.known[case].pairs
        ]
        if undecided:
            yield noise_warning(undecided)

    def _sides(self, base: Revision, head: Revision, cases: Sequence[Case]) -> Iterator[tuple[Case, Sides]]:
        subject, drafter = self.tools.project.file.subject, self.tools.drafter
        for case in cases:
            drafts = [
                drafter.draft(Point(each.id, case.configuration, case.benchmark)) for each in (base, head)
            ]
            if isinstance(drafts[0], Blueprint) and isinstance(drafts[1], Blueprint):
                yield case, Sides(drafts[0], drafts[1], subject.benchmark[case.benchmark].metric)

    def _build(self, sides: Mapping[Case, Sides]) -> Mapping[BuildKey, Built]:
        both = [blueprint for each in sides.values() for blueprint in (each.base, each.head)]
        outcomes = build_all(self.tools, self.executor, both)
        for case, each in sides.items():
            base, head = outcomes[each.base.build.key], outcomes[each.head.build.key]
            self.known[case].base = base if isinstance(base, Failed) else None
            self.known[case].head = head if isinstance(head, Failed) else None
        return {key: outcome for key, outcome in outcomes.items() if isinstance(outcome, Built)}

    def _forget_failures(self, sides: Mapping[Case, Sides], built: Mapping[BuildKey, Built]) -> None:
        """Make it unknown again that runs fail."""
        both = [each for each in sides.values() if {each.base.build.key, each.head.build.key} <= built.keys()]
        forget_unpaired(self.tools.store, [PairOrder(each.base, each.head, 1) for each in both], built)
        blueprints = [blueprint for each in both for blueprint in (each.base, each.head)]
        keys = [each.measurement(built[each.build.key]) for each in blueprints]
        self.tools.store.forget(FailureRecord, {"measurement": keys})

    def _drop_failing(self, comparing: Comparing[Case]) -> None:
        for case, known in self.known.items():
            if not known.is_running:
                comparing.drop(case)

    def _count(self, sides: Mapping[Case, Sides], wanted: Mapping[Case, int]) -> None:
        """Take samples that nothing disturbs: what is known from other commands counts as well."""
        requests = [
            Request(blueprint.point, runs)
            for case, runs in wanted.items()
            for blueprint in (sides[case].base, sides[case].head)
        ]
        results: dict[Point, Measurement | Failed] = {}
        with closing(self.executor.execute(requests)) as observations:
            for observation in observations:
                self.tools.store.append(*observation.records)
                self.cost += observation.cost
                if observation.result is not None:
                    results[observation.result.point] = observation.result.outcome
                    self.watcher.notice(ResultKnown(observation.result, self.cost))
        failing = [
            blueprint
            for case in wanted
            for blueprint in (sides[case].base, sides[case].head)
            if isinstance(results[blueprint.point], Failed)
        ]
        if failing:
            believed, cost = believed_failures(self.tools, self.executor, failing)
            results |= believed
            self.cost += cost
        for case in wanted:
            base, head = (results[each.point] for each in (sides[case].base, sides[case].head))
            known = self.known[case]
            known.base = base if isinstance(base, Failed) else None
            known.head = head if isinstance(head, Failed) else None
            if isinstance(base, Measurement) and isinstance(head, Measurement):
                known.pairs = list(_by_number(base, head))

    def _time(
        self, sides: Mapping[Case, Sides], wanted: Mapping[Case, int], built: Mapping[BuildKey, Built]
    ) -> None:
        """Take pairs of runs."""
        orders = {
            case: PairOrder(sides[case].base, sides[case].head, pairs) for case, pairs in wanted.items()
        }
        cases = {order.points: case for case, order in orders.items()}
        with closing(run_pairs(self.executor, list(orders.values()), built, due)) as observations:
            for observation in observations:
                self.tools.store.append(*observation.records)
                self.cost += observation.cost
                if observation.result is None:
                    continue
                known, outcome = self.known[cases[observation.result.points]], observation.result.outcome
                if isinstance(outcome, Unpaired):
                    known.base, known.head = outcome.base, outcome.head
                else:
                    known.pairs = outcome
                self._tell(observation.result.points.head, known)

    def _tell(self, point: Point, known: _Known) -> None:
        samples = tuple(pair.head for pair in known.pairs)
        self.watcher.notice(ResultKnown(Result(point, known.head or Measurement(samples)), self.cost))

    def _compared(self, case: Case, metric: Metric, judgement: Judgement | None) -> Compared:
        known, threshold = self.known[case], self.rules.thresholds[metric]
        if judgement is None or not known.is_running:
            return failing_case(case, metric, threshold, known.base, known.head)
        return Compared(
            case,
            metric,
            threshold,
            judgement.verdict,
            judgement.reason,
            judgement.ratio,
            judgement.base_value,
            judgement.head_value,
            judgement.is_definition_6,
            is_output_same=is_output_same(known.pairs),
            moved=moved_between(known.pairs) if judgement.verdict in CHANGES else (),
            modes=judgement.modes,
        )


def _by_number(base: Measurement, head: Measurement) -> Iterator[Pair]:
    heads = {sample.number: sample for sample in head.samples}
    for sample in base.samples:
        if sample.number in heads:
            yield Pair(sample.number, sample, heads[sample.number])
