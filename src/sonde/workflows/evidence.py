"""What builds consist of and what benchmarks execute: taken once, kept in the store, shared by twins."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from sonde.core.evidence import Snapshot
from sonde.core.points import Point
from sonde.core.protocols import Store
from sonde.core.records import (
    SNAPSHOT_FORMAT,
    BuildKey,
    Built,
    Fingerprint,
    Observation,
    ProfileKey,
    ProfileRecord,
    SnapshotRecord,
)
from sonde.core.results import Failed
from sonde.effects.builds.outputs import NoOutputs, find_outputs
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.executors.profiling import PlannedProfile, take_profiles
from sonde.effects.profiles import Profiler, choose_profiler
from sonde.effects.snapshots.reading import read_snapshot
from sonde.formats.damaged import UnreadableOutput
from sonde.workflows.blueprints import known_builds
from sonde.workflows.project_tools import ProjectTools

T = TypeVar("T")


def build_all(
    tools: ProjectTools, executor: LocalExecutor, blueprints: Sequence[Blueprint]
) -> Mapping[BuildKey, Built | Failed]:
    """What came of each build; what was never built is built now, several at a time."""
    return _kept(tools.store, executor.build(blueprints)).outcomes


def snapshot_of(
    tools: ProjectTools, executor: LocalExecutor, blueprint: Blueprint
) -> Snapshot | UnreadableOutput | Failed:
    """The snapshot of a build: from the store, or from its outputs, which are built if need be."""
    ((_, snapshot),) = snapshots_of(tools, executor, [blueprint])
    return snapshot


def snapshots_of(
    tools: ProjectTools, executor: LocalExecutor, blueprints: Sequence[Blueprint]
) -> Iterator[tuple[Blueprint, Snapshot | UnreadableOutput | Failed]]:
    """Each blueprint with the snapshot of its build, in the same order, one at a time.

    Builds that are missing are made before, several at a time; each is kept as soon as it is there. Only the
    last snapshot is held in memory: a long history has many, and each of them may be large.
    """
    outcomes = build_all(tools, executor, blueprints)
    last: tuple[Fingerprint, Snapshot | UnreadableOutput | Failed] | None = None
    for each in blueprints:
        outcome = outcomes[each.build.key]
        if isinstance(outcome, Failed):
            yield each, outcome
            continue
        if last is None or last[0] != outcome.fingerprint:
            last = outcome.fingerprint, _snapshot_of(tools.store, executor, each, outcome)
        yield each, last[1]


def profiles_of(tools: ProjectTools, blueprints: Sequence[Blueprint]) -> Mapping[Point, ProfileRecord]:
    """The profiles that are stored already; those that see every function are preferred."""
    built = known_builds(tools, blueprints)
    keys = {
        each.point: [each.profile(built[each.build.key], profiler.value) for profiler in Profiler]
        for each in blueprints
        if each.build.key in built
    }
    wanted = {key for several in keys.values() for key in several}
    stored = {record.profile: record for record in tools.store.query(ProfileRecord, {"profile": wanted})}
    found = {point: [stored[key] for key in several if key in stored] for point, several in keys.items()}
    return {point: max(several, key=_is_complete) for point, several in found.items() if several}


def profile_all(
    tools: ProjectTools, executor: LocalExecutor, blueprints: Sequence[Blueprint]
) -> Generator[tuple[Blueprint, ProfileRecord | UnreadableOutput | Failed], None, None]:
    """The profile of each blueprint, as soon as it is there; what is stored comes first, and costs nothing.

    Each profile is kept before anyone is told of it. Points whose runs see the same, as those of builds with
    equal code do, share one. A failure is not kept, so the next one who asks tries again.
    """
    known = profiles_of(tools, blueprints)
    yield from ((each, known[each.point]) for each in blueprints if each.point in known)
    missing = [each for each in blueprints if each.point not in known]
    sharing: dict[ProfileKey, list[Blueprint]] = {}
    planned_profiles: dict[ProfileKey, tuple[Blueprint, Built, Profiler]] = {}
    outcomes = build_all(tools, executor, missing)
    for each, snapshot in snapshots_of(tools, executor, missing):
        built = outcomes[each.build.key]
        if isinstance(snapshot, UnreadableOutput | Failed):
            yield each, snapshot
            continue
        assert isinstance(built, Built)
        profiler = choose_profiler(snapshot.languages.values(), tools.processes, tools.sandbox)
        key = each.profile(built, profiler.value)
        sharing.setdefault(key, []).append(each)
        planned_profiles.setdefault(key, (each, built, profiler))
    yield from _sit(tools, executor, planned_profiles, sharing)


def _sit(
    tools: ProjectTools,
    executor: LocalExecutor,
    wanted: Mapping[ProfileKey, tuple[Blueprint, Built, Profiler]],
    sharing: Mapping[ProfileKey, Sequence[Blueprint]],
) -> Iterator[tuple[Blueprint, ProfileRecord | Failed]]:
    """Take profiles, and hand each of them to those who share it."""
    needed = {each.build.key: (each.build, built) for each, built, _ in wanted.values()}
    folders = _kept(tools.store, executor.find_outputs(needed.values()))
    planned_profiles = []
    for key, (each, _, profiler) in wanted.items():
        folder = folders[each.build.key]
        if isinstance(folder, Failed):
            yield from ((one, folder) for one in sharing[key])
        else:
            planned_profiles.append(PlannedProfile(key, each, folder, profiler))
    executor.make_room(Fingerprint(planned_profile.folder.name) for planned_profile in planned_profiles)
    lanes = executor.lanes
    with closing(
        take_profiles(planned_profiles, executor.runs, executor.processes, executor.watcher, lanes)
    ) as taking:
        for planned_profile, taken in taking:
            if isinstance(taken, ProfileRecord):
                tools.store.append(taken)
            yield from ((one, taken) for one in sharing[planned_profile.key])


def _snapshot_of(
    store: Store, executor: LocalExecutor, blueprint: Blueprint, built: Built
) -> Snapshot | UnreadableOutput | Failed:
    for record in store.query(SnapshotRecord, {"fingerprint": [built.fingerprint]}):
        return record.snapshot
    folder = outputs_of(store, executor, blueprint, built)
    if isinstance(folder, Failed):
        return folder
    outputs = find_outputs(folder, ["*"])
    assert not isinstance(outputs, NoOutputs)  # a build without outputs has failed
    snapshot = read_snapshot(folder, outputs.files)
    if isinstance(snapshot, Snapshot):
        store.append(SnapshotRecord(Fingerprint(folder.name), SNAPSHOT_FORMAT, snapshot))
    return snapshot


def outputs_of(store: Store, executor: LocalExecutor, blueprint: Blueprint, built: Built) -> Path | Failed:
    """Where the outputs of a build lie; they are built again if they were pruned."""
    return _kept(store, executor.find_outputs([(blueprint.build, built)]))[blueprint.build.key]


def _kept(store: Store, working: Generator[Observation, None, T]) -> T:
    """What comes of it in the end; everything on the way is made durable."""
    with closing(working):
        while True:
            try:
                observation = next(working)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            store.append(*observation.records)


def _is_complete(record: ProfileRecord) -> bool:
    return record.content.is_complete
