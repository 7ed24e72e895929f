"""The reference of a series of times: one revision that runs beside every other one.

It is chosen once: the last revision of the range that builds and runs. A context of its own in the store says
which one it is, so that a longer range keeps it. Another machine has other contexts, and a reference of its
own.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from statistics import median

from sonde.core.digests import digest
from sonde.core.events import Warned
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point, Request
from sonde.core.protocols import Watcher
from sonde.core.records import BuildRecord, Built, ContextKey, ContextRecord, Observation
from sonde.core.results import FREE, Measurement, Metric, Result
from sonde.core.revisions import RevisionId
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import samples_of
from sonde.effects.executors.local import LocalExecutor
from sonde.workflows.project_tools import ProjectTools

TIMES = frozenset({Metric.CPU, Metric.WALL})
MOST_TRIED = 4  # revisions, from the last one backwards, before times are measured without a reference
RUNS = 5  # without anything beside it, which say what its seconds are

SeriesName = tuple[BenchmarkName, Configuration]


@dataclass(frozen=True)
class Reference:
    """What runs beside every other revision of a series."""

    blueprint: Blueprint
    level: float  # what it takes when nothing runs beside it: the median


class SeriesReferences:
    """The references of all series of a project, chosen when they are first needed."""

    def __init__(self, tools: ProjectTools, watcher: Watcher) -> None:
        self._workshop = tools
        self._watcher = watcher
        self._found: dict[SeriesName, Reference | None] = {}

    def is_timed(self, benchmark: BenchmarkName) -> bool:
        """Whether points of a benchmark are measured beside a reference."""
        return self._workshop.project.file.subject.benchmark[benchmark].metric in TIMES

    def known(self, series: SeriesName) -> Reference | None:
        """The reference of a series, as far as one was chosen now or before."""
        if series not in self._found:
            stored = self._stored(series)
            if stored is None:
                return None
            self._found[series] = stored
        return self._found[series]

    def revision(self, series: SeriesName) -> RevisionId | None:
        """Which revision is the reference of a series; None: its times were measured alone, or counted."""
        found = self._found.get(series)
        return None if found is None else found.blueprint.point.revision

    def revisions(self, benchmark: BenchmarkName) -> tuple[RevisionId, ...]:
        """The references of all configurations of a benchmark, each revision once, in their order."""
        found = {self.revision(series) for series in self._found if series[0] == benchmark}
        return tuple(each.id for each in self._workshop.history if each.id in found)

    def give_up(self, series: SeriesName, reason: str) -> None:
        """Measure the rest of a series without a reference."""
        self._found[series] = None
        self._watcher.notice(
            Warned(f"Times of {series[0]} are measured without a reference from here on: {reason}")
        )

    def choose(self, series: SeriesName, executor: LocalExecutor) -> Generator[Observation, None, None]:
        """Find the reference of a series, or choose one; its observations have no result."""
        if series in self._found or self.known(series) is not None:
            return
        reason = "no revision of the range has this benchmark and these options."
        for blueprint in list(self._candidates(series))[:MOST_TRIED]:
            last: Result | None = None
            for observation in executor.execute([Request(blueprint.point, RUNS)]):
                last = observation.result or last
                yield replace(observation, result=None)
            if last is not None and isinstance(last.outcome, Measurement):
                yield Observation((self._record(series, blueprint),), FREE)
                self._found[series] = self._reference(blueprint)
                return
            reason = f"none of the last {MOST_TRIED} revisions that differ builds and runs."
        self.give_up(series, reason)

    def _candidates(self, series: SeriesName) -> Iterator[Blueprint]:
        """The revisions of a range that may be the reference, the last one first; equal builds only once."""
        seen = set()
        for revision in reversed(self._workshop.history):
            draft = self._workshop.drafter.draft(_point(revision.id, series))
            if isinstance(draft, Blueprint) and draft.build.key not in seen:
                seen.add(draft.build.key)
                yield draft

    def _stored(self, series: SeriesName) -> Reference | None:
        """The reference that was chosen first, of those in the range."""
        keys = {self._key(series, revision.id): revision.id for revision in self._workshop.history}
        for record in self._workshop.store.query(ContextRecord, {"context": list(keys)}):
            draft = self._workshop.drafter.draft(_point(keys[record.context], series))
            found = self._reference(draft) if isinstance(draft, Blueprint) else None
            if found is not None:
                return found
        return None

    def _reference(self, blueprint: Blueprint) -> Reference | None:
        """With its typical time, from the first runs without anything beside them."""
        builds = list(self._workshop.store.query(BuildRecord, {"build": [blueprint.build.key]}))
        if not builds or not isinstance(builds[0].outcome, Built):
            return None
        key = blueprint.measurement(builds[0].outcome)
        samples = samples_of(self._workshop.store, [key]).get(key, ())[:RUNS]
        values = [sample.values.get(blueprint.run.metric, 0.0) for sample in samples]
        return Reference(blueprint, median(values)) if values and min(values) > 0 else None

    def _record(self, series: SeriesName, blueprint: Blueprint) -> ContextRecord:
        context = self._workshop.drafter.contexts[series[0]]
        revision = blueprint.point.revision
        described = {"reference": revision, "configuration": series[1].key, "context": context.context}
        key = self._key(series, revision)
        return replace(context, context=key, description=json.dumps(described, sort_keys=True))

    def _key(self, series: SeriesName, revision: RevisionId) -> ContextKey:
        context = self._workshop.drafter.contexts[series[0]].context
        return ContextKey(digest("beside a reference", context, series[1].key, revision))


def _point(revision: RevisionId, series: SeriesName) -> Point:
    return Point(revision, series[1], series[0])
