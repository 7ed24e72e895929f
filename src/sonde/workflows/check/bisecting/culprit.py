"""Which revision of a range made a case slower: from a range to a culprit, on real builds."""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1, log, log1p
from statistics import median

from sonde.core.findings.comparisons import Case, Culprit
from sonde.core.points import Request
from sonde.core.protocols import Watcher
from sonde.core.results import FREE, Cost, Failed, Metric, Result
from sonde.core.revisions import History, short
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.executors.repeating import SURE
from sonde.methods.comparison.bisecting import RangeEnd, most_probes
from sonde.methods.comparison.rules import ComparisonRules
from sonde.methods.history_sampling.series import firsts_of
from sonde.workflows.check.bisecting.paired_probe import PairedProbe
from sonde.workflows.check.bisecting.pairs import PairedRuns
from sonde.workflows.check.bisecting.probes import (
    CountingProbe,
    Measurer,
    RunningProbe,
    instructions_of,
    level_of,
    spread,
)
from sonde.workflows.check.bisecting.range import NoCulprit, SearchedRange, range_of, searched_revisions
from sonde.workflows.check.bisecting.search import MOST_UNDECIDED, Located, locate
from sonde.workflows.project_tools import ProjectTools

__all__ = ["Bisection", "NoCulprit", "searched_revisions"]

PATIENCE = 5  # times as many pairs as a verdict takes at the most: noise may lengthen a search
HASTE = 0.02  # error of one decision that is put to the test in the end
EXACT = 10  # counts scatter by less than one in so many of the change that is looked for


@dataclass
class Bisection:
    """Looks for the revisions at which cases got slower, or faster.

    Whatever is measured is stored, so a search that was interrupted goes on where it was.
    """

    tools: ProjectTools
    executor: LocalExecutor
    rules: ComparisonRules
    watcher: Watcher
    cost: Cost = FREE

    def find(self, case: Case, revisions: History) -> Culprit | NoCulprit:
        """The revision that did it, or those among which it is.

        The first of the revisions is the good end, which is not suspected; the last one is the bad end. The
        tools must have been opened for all of them.
        """
        searched = range_of(self.tools, self.executor, case, revisions)
        if isinstance(searched, NoCulprit):
            return searched
        if searched.series.metric is Metric.INSTRUCTIONS:
            counting = CountingProbe(Measurer(self.tools, self.executor), self.rules.exact_runs)
            found = self._by_counts(searched, counting)
            self.cost += counting.measurer.cost
            if found is not None:
                return found
        runs = PairedRuns(self.tools, self.executor, PATIENCE * self.rules.most_pairs)
        answer = self._by_pairs(searched, runs)
        self.cost += runs.cost
        return answer

    def find_failure(self, case: Case, revisions: History) -> Culprit | NoCulprit:
        """The revision from which on a case fails, though it builds; as with `find`."""
        searched = range_of(self.tools, self.executor, case, revisions)
        if isinstance(searched, NoCulprit):
            return searched
        probe = RunningProbe(Measurer(self.tools, self.executor), searched.series.metric)
        found = self._by_failures(searched, probe)
        self.cost += probe.measurer.cost
        return found

    def _by_failures(self, searched: SearchedRange, probe: RunningProbe) -> Culprit | NoCulprit:
        known: list[Result] = []
        for end, side, words in (
            (searched.old, RangeEnd.OLD, "already fails"),
            (searched.new, RangeEnd.NEW, "does not fail"),
        ):
            outcome = probe(Request(end.point, 1))
            if isinstance(outcome, Failed):
                return searched.none(f"{short(end.point.revision)}: {outcome.reason}")
            if outcome != level_of(side, probe.metric):
                return searched.none(f"{short(end.point.revision)} {words}")
            known.append(Result(end.point, outcome))
        located = locate(searched.series, searched.revisions, known, probe, self.watcher)
        last, first = (searched.drawn[at].point for at in (located.before, located.latest))
        if isinstance(outcome := probe(Request(last, SURE)), Failed):  # as sure as that the next one fails
            return searched.none(f"{short(last.revision)}, the revision before: {outcome.reason}")
        probe(Request(first, 1))  # a twin of it may have been run; then this takes nothing
        reason = probe.reasons[first].rstrip(".")
        return searched.culprit(located, 1.0, f"it fails from that revision on: {reason}")

    def _by_counts(self, searched: SearchedRange, probe: CountingProbe) -> Culprit | NoCulprit | None:
        """By instructions, each revision on its own; None if they scatter too much for that."""
        counts: list[float] = []
        scatter = 0.0
        for end in (searched.old, searched.new):
            outcome = probe(Request(end.point, 1))
            if isinstance(outcome, Failed):
                return searched.none(f"{short(end.point.revision)} fails: {outcome.reason}")
            counts.append(median(instructions_of(outcome)))
            scatter = max(scatter, spread(outcome))
        if min(counts) <= 0:
            return searched.none("there are no instructions to compare")
        change = log(counts[1] / counts[0])
        if abs(change) + scatter < log1p(self.rules.thresholds[Metric.INSTRUCTIONS]):
            percent = f"{100 * expm1(change):+.2f} %"
            return searched.none(f"the ends of the range differ by {percent}, which is below the threshold")
        probe.largest_spread = abs(expm1(change)) / EXACT
        if scatter > probe.largest_spread:
            return None
        known = searched.known(self.tools)
        located = locate(searched.series, searched.revisions, known, probe, self.watcher)
        words = f"instructions change by {100 * expm1(located.height):+.1f} %"
        return searched.culprit(located, 1.0, words, located.height / located.whole)

    def _by_pairs(self, searched: SearchedRange, runs: PairedRuns) -> Culprit | NoCulprit:
        """By runs in turn with both ends: hastily, and carefully if what comes of that does not stand.

        In haste, what is found is compared with the revision before it, so whatever went wrong on the way to
        it is noticed. The whole error is divided: a quarter each for both comparisons, half for all decisions
        of the careful search.
        """
        ends = searched.old, searched.new
        error = self.rules.error / 4
        whole = runs.compare_ends(ends, error)
        if isinstance(whole, Failed):
            return searched.none(f"the ends of the range cannot be compared: {whole.reason}")
        hasty = PairedProbe(runs, *ends, whole, HASTE, is_hasty=True)
        located = self._locate_by_pairs(searched, hasty)
        sides = searched.drawn[located.before], searched.drawn[located.latest]
        step = runs.step_between(sides, error, whole)
        confidence = 1.0 - 2 * error
        if step is None:
            decisions = most_probes(len(firsts_of(searched.series.kinds))) + MOST_UNDECIDED
            careful = PairedProbe(runs, *ends, whole, 2 * error / decisions, is_hasty=False)
            located = self._locate_by_pairs(searched, careful)
            confidence = 1.0 - error - careful.decisions * careful.error
            before, after = (
                runs.known_change((searched.old, searched.drawn[at]))
                for at in (located.before, located.latest)
            )
            step = after - before
        words = f"{searched.series.metric.value} changes by about {100 * expm1(step):+.1f} %"
        return searched.culprit(located, confidence, words, step / whole)

    def _locate_by_pairs(self, searched: SearchedRange, probe: PairedProbe) -> Located:
        metric = searched.series.metric
        known = [each for each in searched.known(self.tools) if isinstance(each.outcome, Failed)]
        for end, level in ((searched.old, RangeEnd.OLD), (searched.new, RangeEnd.NEW)):
            known.append(Result(end.point, level_of(level, metric)))
        return locate(searched.series, searched.revisions, known, probe, self.watcher)
