"""Runs that failed, made once more: one failure may be a fluke, and a fluke at one side is a false alarm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from sonde.core.events import RunBegan
from sonde.core.protocols import Store
from sonde.core.records import (
    BuildKey,
    Built,
    FailureRecord,
    Fingerprint,
    MeasurementKey,
    Observation,
    SampleRecord,
)
from sonde.core.results import Cost, Failed
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import samples_of
from sonde.effects.executors.lanes import run_in_lanes
from sonde.effects.executors.local import LocalExecutor, Observations

SURE = 2  # failing runs and no other one, until they are believed


@dataclass(frozen=True)
class Failing:
    """A measurement of which runs failed, and what all of its runs came to."""

    key: MeasurementKey
    failures: tuple[FailureRecord, ...]  # by number
    has_succeeded: bool

    @property
    def is_doubtful(self) -> bool:
        """Whether another run would tell more. One that took all its time is believed: it takes long."""
        took_all = any(each.failed.timed_out_after for each in self.failures)
        return not self.has_succeeded and not took_all and len(self.failures) < SURE

    @property
    def failed(self) -> Failed:
        """The first failure; where other runs succeed, it says nothing of the next time."""
        first = self.failures[0].failed
        if not self.has_succeeded:
            return first
        return replace(first, reason=f"Some runs fail: {first.reason}", is_lasting=False)

    @property
    def next_number(self) -> int:
        """Of a run that was not made yet."""
        return 1 + max(each.number for each in self.failures)


def failing_among(store: Store, keys: Iterable[MeasurementKey]) -> Mapping[MeasurementKey, Failing]:
    """Those measurements of which a run failed."""
    wanted = list(keys)
    failures: dict[MeasurementKey, list[FailureRecord]] = {}
    for record in store.query(FailureRecord, {"measurement": wanted}):
        failures.setdefault(record.measurement, []).append(record)
    succeeded = samples_of(store, failures)
    return {key: Failing(key, tuple(records), key in succeeded) for key, records in failures.items()}


@dataclass(frozen=True)
class _Turn:
    failing: Failing
    blueprint: Blueprint
    folder: Path


def repeat_doubtful(
    executor: LocalExecutor, blueprints: Sequence[Blueprint], built: Mapping[BuildKey, Built]
) -> Observations:
    """Run each of them once more whose failure is in doubt; what comes of it is stored beside the failure."""
    keys = {each.measurement(built[each.build.key]): each for each in blueprints}
    doubtful = {
        key: failing for key, failing in failing_among(executor.store, keys).items() if failing.is_doubtful
    }
    if not doubtful:
        return
    builds = {each.build.key: each.build for key, each in keys.items() if key in doubtful}
    wanted = [(build, built[key]) for key, build in builds.items()]
    with closing(executor.find_outputs(wanted)) as finding:
        places = yield from finding
    executor.make_room(Fingerprint(place.name) for place in places.values() if isinstance(place, Path))
    turns = [
        _Turn(failing, keys[key], place)
        for key, failing in doubtful.items()
        if isinstance(place := places[keys[key].build.key], Path)
    ]
    for _, (record, cost) in run_in_lanes(
        turns,
        1,
        lambda turn, lane: _take(executor, turn, lane),
        lambda turn: _begin(executor, turn),
        executor.processes.end_all,
    ):
        is_kept = isinstance(record, SampleRecord) or record.failed.is_lasting
        yield Observation((record,) if is_kept else (), cost)


def _begin(executor: LocalExecutor, turn: _Turn) -> bool:
    executor.watcher.notice(RunBegan(turn.blueprint.point, turn.failing.next_number))
    return True


def _take(executor: LocalExecutor, turn: _Turn, lane: int) -> tuple[SampleRecord | FailureRecord, Cost]:
    failing = turn.failing
    return executor.run(turn.blueprint, failing.key, failing.next_number, turn.folder, lane)
