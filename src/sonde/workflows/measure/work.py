"""The builds and runs that a target takes, without a look at each of its points: there may be millions.

Revisions that have the same options and commands are of one *kind*: what is run there is the same, whatever
the build. So runs are drafted once for each kind, and builds once for each revision.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.records import BuildKey
from sonde.core.results import Failed, Metric
from sonde.core.revisions import RevisionId
from sonde.effects.executors.blueprints import Drafter
from sonde.workflows.targets import MeasuringTarget

Run = int  # stands for all that a run can see beside the build


@dataclass(frozen=True)
class PlannedRuns:
    """What is run at revisions of a kind, by configuration and benchmark; None: it cannot be run there."""

    of: Mapping[Configuration, Mapping[BenchmarkName, Run | None]]

    @cached_property
    def impossible(self) -> Mapping[Configuration, int]:
        """How many benchmarks cannot run in a configuration."""
        return {each: sum(run is None for run in runs.values()) for each, runs in self.of.items()}


class PlannedWork:
    """The work for all points of a target that can be drafted."""

    def __init__(self, drafter: Drafter, target: MeasuringTarget) -> None:
        self._drafter, self._target = drafter, target
        self.impossible = 0
        self.builds: dict[BuildKey, frozenset[Run]] = {}  # what is run with each
        self.wanted: list[int] = []  # how often each run
        self.counted: set[Run] = set()  # whose metric equal code leaves as it is
        self._numbers: dict[Hashable, Run] = {}
        self._build_of: dict[tuple[RevisionId, Configuration], BuildKey] = {}
        self._totals: dict[frozenset[Run], int] = {}
        self._parts: dict[frozenset[Run], tuple[frozenset[Run], frozenset[Run]]] = {}
        self._kinds: dict[Hashable, PlannedRuns] = {}
        self._runs: dict[RevisionId, PlannedRuns] = {}
        self._together: dict[tuple[Hashable, tuple[Configuration, ...]], frozenset[Run]] = {}
        for revision in target.history:
            self._add(revision.id)

    def total(self, runs: frozenset[Run]) -> int:
        """How often these runs are wanted in all."""
        if runs not in self._totals:
            self._totals[runs] = sum(map(self.wanted.__getitem__, runs))
        return self._totals[runs]

    def parts(self, build: BuildKey) -> tuple[frozenset[Run], frozenset[Run]]:
        """The runs of a build that notice all of it, and those that notice its code alone."""
        runs = self.builds[build]
        if runs not in self._parts:
            self._parts[runs] = runs - self.counted, runs & self.counted
        return self._parts[runs]

    def place_of(self, point: Point) -> tuple[BuildKey, Run] | None:
        """The build and the run of a point."""
        build = self._build_of.get((point.revision, point.configuration))
        run = self._runs[point.revision].of[point.configuration][point.benchmark]
        return None if build is None or run is None else (build, run)

    def _add(self, revision: RevisionId) -> None:
        kind = self._drafter.kind_of(revision)
        runs = self._kinds.get(kind)
        if runs is None:
            runs = self._kinds[kind] = self._runs_at(revision)
        self._runs[revision] = runs
        served: defaultdict[BuildKey, list[Configuration]] = defaultdict(list)
        for configuration in self._target.configurations:
            build = self._drafter.order_build(revision, configuration)
            if isinstance(build, Failed):
                self.impossible += len(self._target.runs)
                continue
            self.impossible += runs.impossible[configuration]
            self._build_of[revision, configuration] = build.key
            served[build.key].append(configuration)
        for key, configurations in served.items():
            together = self._runs_together(kind, tuple(configurations))
            if together:
                known = self.builds.get(key, together)
                self.builds[key] = together if known is together else known | together

    def _runs_at(self, revision: RevisionId) -> PlannedRuns:
        return PlannedRuns(
            {
                each: {name: self._run(Point(revision, each, name)) for name in self._target.runs}
                for each in self._target.configurations
            }
        )

    def _run(self, point: Point) -> Run | None:
        order = self._drafter.order_run(point)
        if isinstance(order, Failed):
            return None
        equipment = self._drafter.equipment[point.benchmark]
        seen = (replace(order, timeout_seconds=0.0), equipment.inputs.digest, equipment.tools)
        run = self._numbers.setdefault(seen, len(self.wanted))
        if run == len(self.wanted):
            self.wanted.append(self._target.runs[point.benchmark])
        if order.metric is Metric.INSTRUCTIONS:
            self.counted.add(run)
        return run

    def _runs_together(self, kind: Hashable, configurations: tuple[Configuration, ...]) -> frozenset[Run]:
        found = self._together.get((kind, configurations))
        if found is None:
            of = self._kinds[kind].of
            found = frozenset(run for each in configurations for run in of[each].values() if run is not None)
            self._together[kind, configurations] = found
        return found
