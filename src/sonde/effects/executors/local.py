"""The executor of this machine: builds what is missing, then runs everything in turn."""

from __future__ import annotations

import random
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.core.events import RunBegan, Warned
from sonde.core.points import Request
from sonde.core.protocols import Store, Watcher
from sonde.core.records import (
    BuildKey,
    BuildRecord,
    Built,
    FailureRecord,
    Observation,
    PointRecord,
    Record,
    SampleRecord,
)
from sonde.core.results import FREE, Cost, Failed, Result, Sample
from sonde.core.revisions import short
from sonde.effects.builds.builder import Builder
from sonde.effects.builds.cache import BuildCache
from sonde.effects.executors.blueprints import Blueprint, Drafter
from sonde.effects.executors.interleaving import interleave
from sonde.effects.executors.lanes import run_in_lanes
from sonde.effects.executors.tasks import Task, form_tasks
from sonde.effects.runs import RunReport, Runs
from sonde.effects.sandbox import Processes


@dataclass(frozen=True)
class Turn:
    """One run of a task that is due."""

    task: Task
    number: int
    folder: Path  # the outputs of the build


@dataclass(frozen=True)
class LocalExecutor:
    """Makes points happen on this machine.

    Runs are made one at a time, so that they do not disturb each other; only instructions, which nothing
    disturbs, are counted in several lanes at once.
    """

    drafter: Drafter
    builder: Builder
    cache: BuildCache
    runs: Runs
    processes: Processes
    store: Store
    rng: random.Random
    watcher: Watcher
    lanes: int

    def execute(self, requests: Sequence[Request]) -> Generator[Observation, None, None]:
        """Every new sample or failure as soon as it is there; the last of a point holds all its samples."""
        blueprints: list[Blueprint] = []
        for request in requests:
            draft = self.drafter.draft(request.point)
            if isinstance(draft, Failed):
                yield Observation(Result(request.point, draft))
            else:
                blueprints.append(draft)
        self.store.append(*{self.drafter.contexts[each.point.benchmark] for each in blueprints})
        builds, costs = self._build(blueprints)
        for blueprint in blueprints:
            outcome = builds[blueprint.build.key]
            if isinstance(outcome, Failed):
                record = PointRecord(blueprint.context, blueprint.point, blueprint.build.key, None)
                cost = costs.pop(blueprint.build.key, FREE)
                yield Observation(Result(blueprint.point, outcome, cost), (record,))
        built = {key: outcome for key, outcome in builds.items() if isinstance(outcome, Built)}
        tasks = form_tasks(
            [blueprint for blueprint in blueprints if blueprint.build.key in built],
            built,
            {request.point: request.runs for request in requests},
            self.store,
        )
        for task in tasks:
            if not task.missing:
                yield from _observe(task, costs, FREE)
        yield from self._run([task for task in tasks if task.missing], costs)

    def _build(
        self, blueprints: Iterable[Blueprint]
    ) -> tuple[dict[BuildKey, Built | Failed], dict[BuildKey, Cost]]:
        """What came of each build, now or before, and what the new ones cost."""
        orders = {blueprint.build.key: blueprint.build for blueprint in blueprints}
        known = self.store.query(BuildRecord, {"build": list(orders)})
        builds: dict[BuildKey, Built | Failed] = {record.build: record.outcome for record in known}
        costs: dict[BuildKey, Cost] = {}
        for record in self.builder.build([order for key, order in orders.items() if key not in builds]):
            self.store.append(record)
            builds[record.build] = record.outcome
            costs[record.build] = Cost(builds=1, seconds=record.seconds)
        return builds, costs

    def _run(self, tasks: Sequence[Task], costs: dict[BuildKey, Cost]) -> Iterator[Observation]:
        """Run what is missing, all tasks in turn."""
        folders = {task: folder for task in tasks if (folder := self._outputs(task)) is not None}
        self.cache.prune(keep={task.fingerprint for task in folders})
        for only_counts, lanes in ((True, self.lanes), (False, 1)):
            missing = {task: task.missing for task in folders if task.only_counts is only_counts}
            turns = [Turn(task, number, folders[task]) for task, number in interleave(missing, self.rng)]
            for turn, (record, cost) in run_in_lanes(
                turns, lanes, self._take_turn, self._begin_turn, self.processes.end_all
            ):
                if isinstance(record, FailureRecord):
                    turn.task.failed = record.failed
                else:
                    turn.task.add(record.sample)
                yield from _observe(turn.task, costs, cost, record)

    def _begin_turn(self, turn: Turn) -> bool:
        if turn.task.failed is not None:
            return False
        self.watcher.notice(RunBegan(turn.task.home.point, turn.number))
        return True

    def _take_turn(self, turn: Turn, lane: int) -> tuple[SampleRecord | FailureRecord, Cost]:
        task, begun, taken_at = turn.task, time.monotonic(), time.time()
        inputs = task.blueprint.equipment.inputs.path
        report = self.runs.run(task.blueprint.run, turn.folder, inputs, lane)
        cost = Cost(runs=1, seconds=time.monotonic() - begun)
        if isinstance(report, RunReport):
            return SampleRecord(
                task.key, Sample.of(turn.number, dict(report.metrics), taken_at, report.gauges)
            ), cost
        return FailureRecord(task.key, turn.number, report, taken_at), cost

    def _outputs(self, task: Task) -> Path | None:
        """Where the outputs of a task lie; built again if they were pruned."""
        folder = self.cache.find(task.fingerprint)
        if folder is not None:
            return folder
        order = task.blueprint.build
        for record in self.builder.build([order]):
            if isinstance(record.outcome, Built) and record.outcome.fingerprint == task.fingerprint:
                return self.cache.find(task.fingerprint)
        for kind in (PointRecord, BuildRecord):
            self.store.forget(kind, {"build": [order.key]})
        self.watcher.notice(
            Warned(
                f"{short(order.revision)} was built again and came out differently; it is measured next time."
                " Is something random or dated in its build?"
            )
        )
        return None


def _observe(task: Task, costs: dict[BuildKey, Cost], cost: Cost, *records: Record) -> Iterator[Observation]:
    """A result for each point of a task; the first one bears the cost."""
    for record in task.records:
        total = cost + costs.pop(record.build, FREE)
        yield Observation(Result(record.point, task.outcome(record), total), (record, *records))
        cost, records = FREE, ()
