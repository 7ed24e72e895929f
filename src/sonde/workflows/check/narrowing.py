"""What `sonde check` need not measure: equal builds, code that is not reached, options that take no part.

Each step leaves cases out and says why. Only what is proven counts as unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from statistics import fmean

from sonde.core.errors import NothingMeasured, UsageError
from sonde.core.events import Noted
from sonde.core.findings.comparisons import Case, Dropped, NarrowingStep
from sonde.core.findings.impacts import ChangedRegion
from sonde.core.findings.selections import Basis, Selected
from sonde.core.options import Configuration, OptionName, Phase
from sonde.core.points import BenchmarkName
from sonde.core.protocols import Watcher
from sonde.core.results import Metric
from sonde.core.revisions import Revision
from sonde.methods.comparison.covering import cover
from sonde.space.counting import count
from sonde.space.space import Space
from sonde.workflows.check.choosing import choose
from sonde.workflows.check.coverage import NO_COVERAGE, RegionCoverage, look, regions_of_text
from sonde.workflows.check.dropping import (
    NOT_REACHED,
    drops,
    is_proven,
    proves_every_configuration,
)
from sonde.workflows.check.request import CheckRequest
from sonde.workflows.check.sources import NarrowingSources, open_sources
from sonde.workflows.impact.hot import MOST_PROFILES, one_at_a_time
from sonde.workflows.projects import OpenProject
from sonde.workflows.targets import ALL, MeasuringRequest

TOO_MANY = (
    "only the first {most} configurations near the default are profiled: changed code "
    "that only other option values execute is measured only if `sonde impact` finds these "
    "options related. Select important cases with -c or -b."
)
MOST_CONFIGURATIONS = 100_000  # with --all; more would take months


@dataclass(frozen=True)
class Narrowed:
    """What is left to be measured, and what is not."""

    head: Revision
    base: Revision  # the nearest ancestor that builds
    space: Space  # what both have
    cases: int
    left: tuple[Case, ...]
    dropped: tuple[Dropped, ...]
    related_options: tuple[OptionName, ...] | None  # None: nobody looked
    unchanged: tuple[Case, ...]  # some of those that are proven
    seconds_a_run: float | None  # as far as is known
    warnings: tuple[str, ...]
    coverage: RegionCoverage = NO_COVERAGE  # where changed code is executed
    seconds: float = 0.0  # that this took, without builds that measuring needs as well


def narrow(
    project: OpenProject, request: MeasuringRequest, how: CheckRequest, is_sandboxed: bool, watcher: Watcher
) -> Narrowed:
    """Leave out what need not be measured; raises NothingMeasured if the head does not build."""
    with open_sources(project, request, how, is_sandboxed, watcher) as sources:
        narrowing = narrowing_of(sources, project, request, how, watcher)
        if request.retry:
            sources.forget_failed_builds(narrowing.first_asked())
        narrowed = narrowing.nothing() if how.takes_all else narrowing.run()
        warnings = (*sources.parted(), *narrowed.warnings)
        return replace(narrowed, warnings=warnings, seconds=sources.stopwatch.seconds)


def narrowing_of(
    sources: NarrowingSources,
    project: OpenProject,
    request: MeasuringRequest,
    how: CheckRequest,
    watcher: Watcher,
) -> Narrowing:
    """The way through all steps for what the user asks about; nothing is asked yet."""
    space, recipes = project.file.space, project.file.subject.benchmarks
    metrics = {
        each.name: each.metric for each in recipes if each.name in (request.benchmarks or (each.name,))
    }
    is_named = request.configurations and ALL not in request.configurations
    named = tuple(dict.fromkeys(map(space.parse, request.configurations))) if is_named else ()
    return Narrowing(sources, metrics, named, how.strength, watcher)


@dataclass
class Narrowing:
    """One way through all steps."""

    sources: NarrowingSources
    metrics: Mapping[BenchmarkName, Metric]  # of the benchmarks that are asked about
    named: tuple[Configuration, ...]  # by the user; empty: every valid one counts
    strength: int
    watcher: Watcher
    known: dict[Case, Selected] = field(default_factory=dict)
    warnings: dict[str, None] = field(default_factory=dict)  # an ordered set
    ends: tuple[Revision, Revision] | None = None  # head and base
    space: Space = field(init=False)  # what both revisions have

    def __post_init__(self) -> None:
        self.space = self.sources.space(None)

    def nothing(self) -> Narrowed:
        """Everything is left."""
        self._ask_until_it_builds(self.all())
        left = [Case(benchmark, each) for each in self.all() for benchmark in self.metrics]
        return self._narrowed(len(left), left, [], None)

    def run(self) -> Narrowed:
        """Leave out step by step."""
        probes = self._ask_first()
        configurations = len(self.named) or count(self.space).number
        total = len(self.metrics) * configurations
        if not self.named and self._has_same_builds():
            reason = next(iter(self.known.values())).reasons[0]
            return self._narrowed(total, [], self._drops([], total, NarrowingStep.BUILDS, reason), None)
        if len(probes) == configurations:
            left = self._unproven(probes)
            narrowed = self._narrowed(total, left, self._drops(left, total), None)
            return replace(narrowed, coverage=self._look(None))
        self._note(f"{self._count_proven()} of {len(self.known)} cases near the default are proven unchanged")
        chosen = choose(self.sources, self._base, self.space, self.strength)
        self.warnings |= dict.fromkeys(chosen.warnings)
        few = f"{len(chosen.configurations)} of {configurations:,} configurations"
        self._note(f"{few} represent all: {chosen.reason}")
        self._ask(chosen.configurations)
        left = self._unproven(chosen.configurations)
        coverage = self._look(chosen.regions)
        left += cover(coverage.executed(self.known), left)
        dropped = self._drops(left, total, chosen.step, chosen.reason)
        narrowed = self._narrowed(total, left, dropped, chosen.related)
        return replace(narrowed, coverage=coverage)

    def _look(self, regions: tuple[ChangedRegion, ...] | None) -> RegionCoverage:
        """Where changed code is executed; by the lines of the text if nobody knows better.

        Where everything is proven, no case executes what changed, and no profile is needed to say so.
        """
        if regions is None and not self._unproven({case.configuration for case in self.known}):
            regions = ()
        if regions is None:
            regions = tuple(regions_of_text(self.sources.changed_lines(self._base)))
        return look(regions, self._base, list(self.known), self.sources)

    def first_asked(self) -> list[Configuration]:
        """What is named, or the default and its neighbours, whose profiles tell what code matters."""
        self._require_shared(self.named)
        most = max(1, MOST_PROFILES // max(1, len(self.metrics)))
        if self.named:
            return list(self.named)
        near = list(islice(one_at_a_time(self.space), most + 1))
        if len(near) > most:
            self.warnings[TOO_MANY.format(most=most)] = None
        return near[:most]

    @property
    def _base(self) -> Revision:
        assert self.ends is not None  # nobody knows it before select was asked
        return self.ends[1]

    def all(self) -> Sequence[Configuration]:
        """What is named, or every valid configuration; an error if these are too many to be measured."""
        self._require_shared(self.named)
        found = self.named or tuple(islice(self.space.configurations(), MOST_CONFIGURATIONS + 1))
        if len(found) > MOST_CONFIGURATIONS:
            number = count(self.space).in_words
            raise UsageError(f"--all cannot measure {number} configurations. Select some with -c.")
        return found

    def _require_shared(self, named: Iterable[Configuration]) -> None:
        for each in named:
            if not self.space.is_valid(each):
                where = f" (the base is {self._base.short})" if self.ends else ""
                raise UsageError(
                    f"'{each}' cannot be compared, because one of the two revisions does not have all of "
                    f"its options{where}. `since` and `until` in the project file state which revisions "
                    "have an option."
                )

    def _ask_first(self) -> list[Configuration]:
        """Ask about the first configurations; the base that builds may have others than the one meant."""
        self._ask(self.first_asked())
        asked = self.first_asked()
        self._ask(asked)
        return asked

    def _ask(self, configurations: Iterable[Configuration]) -> None:
        """Ask `sonde select` about those configurations that are not known; it proves what it can."""
        asked = {case.configuration for case in self.known}
        new = [each for each in configurations if each not in asked]
        if not new:
            return
        found = self.sources.select(new, self.ends[1] if self.ends else None)
        self.known |= {Case(each.benchmark, each.configuration): each for each in found.selected}
        self.warnings |= dict.fromkeys(found.warnings)
        if self.ends is None:
            self.ends = found.head, found.base
            self._reform()
        for case, each in self.known.items():
            if each.is_run and each.basis is Basis.UNKNOWN and case.configuration in set(new):
                self.warnings[f"nothing could be proven: {each.reasons[0].rstrip('.')}"] = None

    def _reform(self) -> None:
        """Take the space of the base that builds; what is not in it is no case."""
        self.space = self.sources.space(self._base)
        self.known = {
            case: each for case, each in self.known.items() if self.space.is_valid(case.configuration)
        }

    def _ask_until_it_builds(self, configurations: Sequence[Configuration]) -> None:
        """Ask about one that builds; raises NothingMeasured if there is none."""
        in_build = {option.name for option in self.space.options if option.phase is Phase.BUILD}
        builds = {frozenset(each for each in one if each.option in in_build): one for one in configurations}
        failures = []
        for each in builds.values():
            try:
                return self._ask([each])
            except NothingMeasured as error:
                failures.append(error)
        raise failures[0]

    def _has_same_builds(self) -> bool:
        """Whether the builds prove every case: they have no options of their own."""
        has_build_options = any(option.phase is Phase.BUILD for option in self.space.options)
        return all(
            proves_every_configuration(each, self.metrics[case.benchmark], has_build_options)
            for case, each in self.known.items()
        )

    def _unproven(self, configurations: Iterable[Configuration]) -> list[Case]:
        wanted = set(configurations)
        return [
            case for case, each in self.known.items() if case.configuration in wanted and not is_proven(each)
        ]

    def _drops(
        self,
        left: Sequence[Case],
        total: int,
        step: NarrowingStep = NarrowingStep.SELECT,
        reason: str = NOT_REACHED,
    ) -> list[Dropped]:
        return drops(self.known, self.metrics, left, total, step, reason)

    def _count_proven(self) -> int:
        return sum(map(is_proven, self.known.values()))

    def _note(self, message: str) -> None:
        self.watcher.notice(Noted(message))

    def _narrowed(
        self,
        total: int,
        left: Sequence[Case],
        dropped: Sequence[Dropped],
        related: tuple[OptionName, ...] | None,
    ) -> Narrowed:
        assert self.ends is not None
        head, base = self.ends
        times = [each.seconds for each in self.known.values() if each.seconds is not None]
        return Narrowed(
            head,
            base,
            self.space,
            total,
            tuple(left),
            tuple(dropped),
            related,
            tuple(case for case, each in self.known.items() if is_proven(each)),
            fmean(times) if times else None,
            tuple(self.warnings),
        )
