"""Counts the instructions of both sides of a case whose time has changed, once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from sonde.core.digests import digest
from sonde.core.errors import MissingTool
from sonde.core.events import RunBegan
from sonde.core.findings.comparisons import Compared, CountedWork, Pair
from sonde.core.records import BuildKey, Built, SampleRecord
from sonde.core.results import FREE, Cost, Metric
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import samples_of
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.runs import choose_meter
from sonde.effects.runs.versions import meter_version
from sonde.methods.comparison.rules import ComparisonRules
from sonde.methods.comparison.work import may_be_the_same_work, with_work
from sonde.workflows.project_tools import ProjectTools

MOST_SECONDS = 5.0  # of CPU of a run that is counted: counting takes up to a hundred times as long


@dataclass
class Weighing:
    """Looks whether cases with another time do other work."""

    tools: ProjectTools
    executor: LocalExecutor
    rules: ComparisonRules
    built: Mapping[BuildKey, Built]
    cost: Cost = FREE

    def weigh(self, compared: Compared, base: Blueprint, head: Blueprint, pairs: Sequence[Pair]) -> Compared:
        """The case as it is, or with the work of both sides where that can be counted."""
        if not may_be_the_same_work(compared, pairs) or _seconds(pairs) > MOST_SECONDS:
            return compared
        counts = [self._count(each) for each in (base, head)]
        if counts[0] is None or counts[1] is None:
            return compared
        work = CountedWork(counts[0], counts[1])
        return with_work(compared, work, self.rules.thresholds[Metric.INSTRUCTIONS], pairs)

    def _count(self, blueprint: Blueprint) -> float | None:
        """The instructions of a run, stored as those of a benchmark that counts; None if it cannot be."""
        try:
            meter = choose_meter(Metric.INSTRUCTIONS, self.tools.processes, self.tools.sandbox)
        except MissingTool:
            return None
        tools = digest(meter_version(meter, self.tools.processes), blueprint.equipment.programs)
        counted = replace(
            blueprint,
            run=replace(blueprint.run, metric=Metric.INSTRUCTIONS, meter=meter),
            equipment=replace(blueprint.equipment, meter=meter, tools=tools),
        )
        built = self.built[counted.build.key]
        key = counted.measurement(built)
        known = samples_of(self.tools.store, [key]).get(key, ())
        if known:
            return known[0].values[Metric.INSTRUCTIONS]
        folder = self._folder(counted, built)
        if folder is None:
            return None
        self.executor.watcher.notice(RunBegan(counted.point, 0))
        record, cost = self.executor.run(counted, key, 0, folder, 0)
        self.cost += cost
        if not isinstance(record, SampleRecord):
            return None
        self.tools.store.append(record)
        return record.sample.values[Metric.INSTRUCTIONS]

    def _folder(self, blueprint: Blueprint, built: Built) -> Path | None:
        """Where the outputs of its build lie."""
        with closing(self.executor.find_outputs([(blueprint.build, built)])) as finding:
            while True:
                try:
                    observation = next(finding)
                except StopIteration as end:
                    place = end.value[blueprint.build.key]
                    return place if isinstance(place, Path) else None
                self.tools.store.append(*observation.records)
                self.cost += observation.cost


def _seconds(pairs: Sequence[Pair]) -> float:
    """What the longer side takes, of CPU or by the clock."""
    runs = [run.values for pair in pairs for run in (pair.base, pair.head)]
    return median(run.get(Metric.CPU, run.get(Metric.WALL, 0.0)) for run in runs)
