"""Two revisions built and measured once more: by `sonde measure`, and by cachegrind on the same builds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

import sonde
from sonde.core.points import Point
from sonde.core.revisions import RevisionId
from sonde.effects.builds.cache import BuildCache
from sonde.effects.executors.blueprints import Blueprint
from sonde.workflows.blueprints import known_builds
from sonde.workflows.project_tools import open_tools
from studies.exactness.cachegrind import count
from studies.exactness.reported import Reported

RUNS = 2
MORE_RUNS = 4  # where they differ


@dataclass(frozen=True)
class Remeasured:
    """The difference of the same two revisions, in percent."""

    measured: float
    counted: float
    spread: float  # of the repeated counts of Sonde, in percent of the value


@dataclass
class Remeasuring:
    """Keeps what it measured: changes share revisions."""

    project: Path
    state: Path  # empty at first
    known: dict[Point, tuple[float, float, float]] = field(default_factory=dict)

    def measure(self, reported: Reported) -> Remeasured:
        """The two revisions of a change, in its benchmark and configuration."""
        sides = [
            self._values(Point(RevisionId(each), reported.configuration, reported.benchmark))
            for each in (reported.before, reported.after)
        ]
        (measured, counted, spread), (measured_after, counted_after, spread_after) = sides
        return Remeasured(
            100 * (measured_after / measured - 1),
            100 * (counted_after / counted - 1),
            max(spread, spread_after),
        )

    def _values(self, point: Point) -> tuple[float, float, float]:
        if point not in self.known:
            samples = self._samples(point, RUNS)
            runs = RUNS if len(set(samples)) == 1 else MORE_RUNS
            samples = self._samples(point, runs)
            spread = 100 * (max(samples) / min(samples) - 1)
            self.known[point] = fmean(samples), self._count(point, runs), spread
        return self.known[point]

    def _samples(self, point: Point, runs: int) -> Sequence[float]:
        session = sonde.open(self.project, self.state)
        chosen = [str(point.configuration)]
        survey = session.measure(f"{point.revision}^!", chosen, [point.benchmark], runs).survey
        return survey.samples(point)

    def _count(self, point: Point, runs: int) -> float:
        project = sonde.open(self.project, self.state).project
        history = project.history(f"{point.revision}^!")
        with open_tools(project, history, [point.benchmark], is_sandboxed=True) as tools:
            blueprint = tools.drafter.draft(point)
            assert isinstance(blueprint, Blueprint)
            built = known_builds(tools, [blueprint])[blueprint.build.key]
            folder = BuildCache(project.state.builds, 0).find(built.fingerprint)
            assert folder is not None  # it was measured just before
            inputs = tools.drafter.equipment[point.benchmark].inputs.path
            return fmean(count(blueprint.run, folder, inputs) for _ in range(runs))
