"""Measurements under way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sonde.core.points import Point
from sonde.core.protocols import Store
from sonde.core.records import BuildKey, Built, FailureRecord, Fingerprint, MeasurementKey, PointRecord
from sonde.core.results import Failed, Measurement, Sample
from sonde.effects.builds.orders import BuildOrder
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import (
    failures_of,
    fingerprints_of,
    homes_of,
    samples_of,
    twin_of,
)
from sonde.effects.runs import Meter


@dataclass(eq=False)
class Task:
    """A measurement under way, and the points of this batch that it serves."""

    key: MeasurementKey
    blueprint: Blueprint
    built: Built
    home: PointRecord  # where the samples are taken; all other points are its twins
    fingerprints: Mapping[BuildKey, Fingerprint]  # of its points' builds, where they are not all the same
    records: list[PointRecord] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    runs: int = 0  # so many samples are wanted
    failed: Failed | None = None

    @property
    def missing(self) -> list[int]:
        """The numbers of the runs that are still to be made."""
        taken = {sample.number for sample in self.samples}
        return [] if self.failed else [number for number in range(self.runs) if number not in taken]

    @property
    def order(self) -> BuildOrder:
        """What it takes to build it."""
        return self.blueprint.build

    @property
    def is_undisturbed(self) -> bool:
        """Whether other runs at the same time change nothing: valgrind counts, and no port is shared."""
        needs_port = self.blueprint.run.server is not None and not self.blueprint.workplace.is_isolated
        return self.blueprint.run.meter is Meter.VALGRIND and not needs_port

    def is_met_by(self, built: Built) -> bool:
        """Whether runs of this build may be added to those that are there."""
        return self.blueprint.noticed(built) == self.blueprint.noticed(self.built)

    def add(self, sample: Sample) -> None:
        """Take note of a new sample."""
        self.samples = sorted([*self.samples, sample], key=lambda one: one.number)

    def outcome(self, record: PointRecord) -> Measurement | Failed:
        """What is known of one of its points."""
        return self.failed or Measurement(tuple(self.samples), twin_of(record, self.home, self.fingerprints))


def form_tasks(
    blueprints: Sequence[Blueprint],
    built: Mapping[BuildKey, Built],
    runs: Mapping[Point, int],
    store: Store,
) -> list[Task]:
    """The measurements behind these points, with what the store knows of them; twins share one."""
    keys = {each.point: each.measurement(built[each.build.key]) for each in blueprints}
    samples = samples_of(store, keys.values())
    failures = failures_of(store, keys.values())
    homes = homes_of(store, {each.context for each in blueprints}, keys.values())
    fingerprints = {key: outcome.fingerprint for key, outcome in built.items()}
    fingerprints |= fingerprints_of(store, {home.build for home in homes.values()} - built.keys())
    tasks: dict[MeasurementKey, Task] = {}
    for blueprint in blueprints:
        key, build = keys[blueprint.point], blueprint.build.key
        record = PointRecord(blueprint.context, blueprint.point, build, key)
        task = tasks.get(key)
        if task is None:
            home = homes.get(key, record)
            known = list(samples.get(key, ()))
            task = Task(key, blueprint, built[build], home, fingerprints, samples=known)
            failed = failures.get(key)
            if failed and 0 < failed.timed_out_after < blueprint.run.timeout_seconds:
                store.forget(FailureRecord, {"measurement": [key]})  # it has more time now
            else:
                task.failed = failed
            tasks[key] = task
        task.records.append(record)
        task.runs = max(task.runs, runs[blueprint.point])
    return list(tasks.values())
