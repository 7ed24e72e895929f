"""The executor of this machine: builds what is missing, then runs everything in turn."""

from __future__ import annotations

import random
import time
from collections.abc import Generator, Iterable, Sequence
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
    Fingerprint,
    MeasurementKey,
    Observation,
    PointRecord,
    Record,
    SampleRecord,
)
from sonde.core.results import FREE, Cost, Failed, Result
from sonde.core.revisions import short
from sonde.effects.builds.builder import Builder
from sonde.effects.builds.cache import BuildCache
from sonde.effects.builds.orders import BuildOrder
from sonde.effects.executors.blueprints import Blueprint, Drafter
from sonde.effects.executors.building import BuildResults, build_missing, find_or_rebuild
from sonde.effects.executors.interleaving import interleave
from sonde.effects.executors.lanes import run_in_lanes
from sonde.effects.executors.tasks import Task, form_tasks
from sonde.effects.runs import RunReport, SandboxRuns, draw_set_up
from sonde.effects.sandbox import Processes

Observations = Generator[Observation, None, None]


@dataclass(frozen=True)
class Turn:
    """One run of a task that is due."""

    task: Task
    number: int
    folder: Path  # the outputs of the build


@dataclass(frozen=True)
class LocalExecutor:
    """Makes points happen on this machine.

    Runs are made one at a time, so that they do not disturb each other; only valgrind, which nothing
    disturbs, counts in several lanes at once.
    """

    drafter: Drafter
    builder: Builder
    cache: BuildCache
    runs: SandboxRuns
    processes: Processes
    store: Store
    rng: random.Random
    watcher: Watcher
    lanes: int

    def execute(self, requests: Sequence[Request]) -> Observations:
        """Every new sample or failure as soon as it is there; the last of a point holds all its samples."""
        blueprints: list[Blueprint] = []
        for request in requests:
            draft = self.drafter.draft(request.point)
            if isinstance(draft, Failed):
                yield Observation((), FREE, Result(request.point, draft))
            else:
                blueprints.append(draft)
        if not blueprints:
            return
        contexts = {self.drafter.contexts[each.point.benchmark] for each in blueprints}
        yield Observation(tuple(contexts), FREE)
        builds = yield from self.build(blueprints)
        for each in blueprints:
            outcome = builds.outcomes[each.build.key]
            if isinstance(outcome, Failed):
                record = PointRecord(each.context, each.point, each.build.key, None)
                result = Result(each.point, outcome, builds.costs.pop(each.build.key, FREE))
                yield Observation((record,) if outcome.is_lasting else (), FREE, result)
        wanted = {request.point: request.runs for request in requests}
        tasks = form_tasks(
            [each for each in blueprints if each.build.key in builds.built], builds.built, wanted, self.store
        )
        for task in tasks:
            if not task.missing:
                yield from _observe(task, builds.costs, FREE)
        yield from self._run([task for task in tasks if task.missing], builds.costs)

    def build(self, blueprints: Sequence[Blueprint]) -> Generator[Observation, None, BuildResults]:
        """Build what was not built before, or not for lack of time."""
        return (yield from build_missing(self.builder, self.store, blueprints))

    def find_outputs(
        self, wanted: Iterable[tuple[BuildOrder, Built]]
    ) -> Generator[Observation, None, dict[BuildKey, Path | Failed]]:
        """Where the outputs of builds lie; what was pruned is built again."""
        return (yield from find_or_rebuild(self.builder, self.cache, list(wanted)))

    def make_room(self, needed: Iterable[Fingerprint]) -> None:
        """Get ready for runs that need these build outputs, after all building."""
        self.cache.prune(keep=frozenset(needed))
        self.builder.leave()

    def _run(self, tasks: Sequence[Task], costs: dict[BuildKey, Cost]) -> Observations:
        """Run what is missing, all tasks in turn."""
        folders, anew = yield from self._find_outputs(tasks)
        self.make_room(task.built.fingerprint for task in folders)
        for is_undisturbed, lanes in ((True, self.lanes), (False, 1)):
            missing = {task: task.missing for task in folders if task.is_undisturbed is is_undisturbed}
            turns = [Turn(task, number, folders[task]) for task, number in interleave(missing, self.rng)]
            for turn, (record, cost) in run_in_lanes(
                turns, lanes, self._take_turn, self._begin_turn, self.processes.end_all
            ):
                yield from _note(turn.task, record, cost, costs)
        if anew:
            yield from self.execute(anew)

    def _begin_turn(self, turn: Turn) -> bool:
        if turn.task.failed is not None:
            return False
        self.watcher.notice(RunBegan(turn.task.home.point, turn.number))
        return True

    def _take_turn(self, turn: Turn, lane: int) -> tuple[SampleRecord | FailureRecord, Cost]:
        return self.run(turn.task.blueprint, turn.task.key, turn.number, turn.folder, lane)

    def run(
        self, blueprint: Blueprint, key: MeasurementKey, number: int, folder: Path, lane: int
    ) -> tuple[SampleRecord | FailureRecord, Cost]:
        """One run with the outputs in a folder: what is to be stored of it, and what it took."""
        begun, taken_at = time.monotonic(), time.time()
        set_up = draw_set_up(blueprint.run.metric, f"{key} {number}")
        inputs = blueprint.equipment.inputs.path
        report = self.runs.run(blueprint.run, folder, inputs, lane, set_up=set_up)
        cost = Cost(runs=1, seconds=time.monotonic() - begun)
        if isinstance(report, RunReport):
            return SampleRecord(key, report.sample(number, taken_at)), cost
        return FailureRecord(key, number, report, taken_at), cost

    def _find_outputs(
        self, tasks: Sequence[Task]
    ) -> Generator[Observation, None, tuple[dict[Task, Path], list[Request]]]:
        """Where the outputs of each task lie, and what must begin anew; what was pruned is built again."""
        found = {task: folder for task in tasks if (folder := self._outputs_of(task)) is not None}
        lost = [task for task in tasks if task not in found]
        rebuilt: dict[BuildKey, BuildRecord] = {}
        for made in self.builder.build(list({task.order.key: task.order for task in lost}.values())):
            rebuilt[made.record.build] = made.record
            yield Observation(made.snapshots, Cost(builds=1, seconds=made.record.seconds))
        anew: list[Request] = []
        for task in lost:
            again = rebuilt[task.order.key].outcome
            if isinstance(again, Built) and task.is_met_by(again):
                task.built = again
            folder = self._outputs_of(task)
            if folder is not None:
                found[task] = folder
            elif task.samples:
                self._warn(task.order, "no runs can be added to the existing ones")
                yield from _observe(task, {}, FREE)
            else:
                self._warn(task.order, "the new build is measured")
                anew += [Request(record.point, task.runs) for record in task.records]
                for kind in (PointRecord, BuildRecord):
                    self.store.forget(kind, {"build": [task.order.key]})
                yield Observation((rebuilt[task.order.key],), FREE)
        return found, anew

    def _outputs_of(self, task: Task) -> Path | None:
        return self.cache.find(task.built.fingerprint)

    def _warn(self, order: BuildOrder, consequence: str) -> None:
        message = f"{short(order.revision)} was built again with a different result, so {consequence}."
        self.watcher.notice(Warned(f"{message} Does its build use random values or the date?"))


def _note(
    task: Task, record: SampleRecord | FailureRecord, cost: Cost, costs: dict[BuildKey, Cost]
) -> Observations:
    """Take note of what came of a run."""
    if isinstance(record, SampleRecord):
        task.add(record.sample)
    else:
        task.failed = record.failed
    if isinstance(record, FailureRecord) and not record.failed.is_lasting:
        yield from _observe(task, costs, cost, keeps=False)
    else:
        yield from _observe(task, costs, cost, record)


def _observe(
    task: Task, costs: dict[BuildKey, Cost], cost: Cost, *records: Record, keeps: bool = True
) -> Observations:
    """A result for each point of a task; the first one bears the cost."""
    for record in task.records:
        result = Result(record.point, task.outcome(record), cost + costs.pop(record.build, FREE))
        yield Observation((record, *records) if keeps else (), cost, result)
        cost, records = FREE, ()
