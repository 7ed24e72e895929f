"""What the store knows of points: resuming is telling it all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from sonde.core.options import Configuration
from sonde.core.protocols import Store, Where
from sonde.core.records import (
    BuildKey,
    BuildRecord,
    Built,
    ContextKey,
    FailureRecord,
    Fingerprint,
    MeasurementKey,
    PointRecord,
    SampleRecord,
)
from sonde.core.results import Failed, Measurement, Result, Sample, Twin
from sonde.core.revisions import RevisionId
from sonde.effects.executors.blueprints import Blueprint

SAME_INPUTS = "same build inputs"
SAME_OUTPUTS = "same build outputs"
SAME_CODE = "same code"  # for instructions only
SAME_COMMAND = "same command"


def twin_of(
    record: PointRecord, home: PointRecord, fingerprints: Mapping[BuildKey, Fingerprint]
) -> Twin | None:
    """Why `record` shares the samples that were taken at `home`; None if it is the same point.

    `fingerprints` are those of the builds of both, if these are not the same.
    """
    if record.point == home.point:
        return None
    if record.build != home.build:
        is_same = fingerprints.get(record.build) == fingerprints.get(home.build)
        return Twin(home.point, SAME_OUTPUTS if is_same else SAME_CODE)
    is_same_revision = record.point.revision == home.point.revision
    return Twin(home.point, SAME_COMMAND if is_same_revision else SAME_INPUTS)


@dataclass(frozen=True)
class PointGrid:
    """The points that are asked about: all combinations of these."""

    contexts: tuple[ContextKey, ...]
    revisions: tuple[RevisionId, ...]
    configurations: tuple[Configuration, ...] | None  # None: all, however many there are

    @property
    def where(self) -> Where:
        """The scope as a query for points."""
        where: dict[str, Collection[str]] = {"context": self.contexts, "revision": self.revisions}
        if self.configurations is not None:
            where["configuration"] = [configuration.key for configuration in self.configurations]
        return where


def known_results(store: Store, scope: PointGrid) -> Iterator[Result]:
    """A result for every point of a scope of which the store knows anything."""
    points = list(store.query(PointRecord, scope.where))
    keys = {record.measurement for record in points if record.measurement is not None}
    samples = samples_of(store, keys)
    failures = failures_of(store, keys)
    unbuilt = failed_builds(store, {record.build for record in points if record.measurement is None})
    homes = homes_of(store, scope.contexts, keys)
    fingerprints = fingerprints_of(store, _builds_of_twins(points, homes))
    for record in points:
        if record.measurement is None:
            if record.build in unbuilt:
                yield Result(record.point, unbuilt[record.build])
            continue
        home = homes[record.measurement]
        if record.measurement in failures:
            yield Result(record.point, failures[record.measurement])
        elif record.measurement in samples:
            twin = twin_of(record, home, fingerprints)
            yield Result(record.point, Measurement(samples[record.measurement], twin))


def known_by_content(store: Store, blueprints: Iterable[Blueprint]) -> Iterator[Result]:
    """What the store knows of points by what they are built from and what their runs see.

    It holds whatever else a project file says now, and whatever it said when the samples were taken.
    """
    drawn = list(blueprints)
    builds = store.query(BuildRecord, {"build": [each.build.key for each in drawn]})
    outcomes = {record.build: record.outcome for record in builds}
    built = {key: outcome for key, outcome in outcomes.items() if isinstance(outcome, Built)}
    keys = {each.point: each.measurement(built[each.build.key]) for each in drawn if each.build.key in built}
    samples, failures = samples_of(store, keys.values()), failures_of(store, keys.values())
    homes = homes_of(store, None, samples)
    fingerprints = {key: outcome.fingerprint for key, outcome in built.items()}
    fingerprints |= fingerprints_of(store, {home.build for home in homes.values()} - built.keys())
    for each in drawn:
        key, outcome = keys.get(each.point), outcomes.get(each.build.key)
        if isinstance(outcome, Failed):
            yield Result(each.point, outcome)
        elif key in failures:
            yield Result(each.point, failures[key])
        elif key in samples:
            record = PointRecord(each.context, each.point, each.build.key, key)
            yield Result(
                each.point, Measurement(samples[key], twin_of(record, homes.get(key, record), fingerprints))
            )


def samples_of(store: Store, keys: Iterable[MeasurementKey]) -> dict[MeasurementKey, tuple[Sample, ...]]:
    """The samples of each measurement that has some."""
    found: defaultdict[MeasurementKey, list[Sample]] = defaultdict(list)
    for record in store.query(SampleRecord, {"measurement": list(keys)}):
        found[record.measurement].append(record.sample)
    return {key: tuple(samples) for key, samples in found.items()}


def failures_of(store: Store, keys: Iterable[MeasurementKey]) -> dict[MeasurementKey, Failed]:
    """The first failure of each measurement that has one."""
    found: dict[MeasurementKey, Failed] = {}
    for record in store.query(FailureRecord, {"measurement": list(keys)}):
        found.setdefault(record.measurement, record.failed)
    return found


def failed_builds(store: Store, keys: Iterable[BuildKey]) -> dict[BuildKey, Failed]:
    """Those builds that are known to fail."""
    records = store.query(BuildRecord, {"build": list(keys)})
    return {record.build: record.outcome for record in records if isinstance(record.outcome, Failed)}


def homes_of(
    store: Store, contexts: Iterable[ContextKey] | None, keys: Iterable[MeasurementKey]
) -> dict[MeasurementKey, PointRecord]:
    """The point at which each measurement was first taken, as far as these contexts know; None: any."""
    homes: dict[MeasurementKey, PointRecord] = {}
    # They are not asked for: the store would go through all points of a context.
    known = None if contexts is None else frozenset(contexts)
    for record in store.query(PointRecord, {"measurement": list(keys)}):
        if record.measurement is not None and (known is None or record.context in known):
            homes.setdefault(record.measurement, record)
    return homes


def fingerprints_of(store: Store, keys: Collection[BuildKey]) -> dict[BuildKey, Fingerprint]:
    """The fingerprints of those builds that succeeded."""
    records = store.query(BuildRecord, {"build": keys}) if keys else ()
    return {each.build: each.outcome.fingerprint for each in records if isinstance(each.outcome, Built)}


def _builds_of_twins(
    records: Iterable[PointRecord], homes: Mapping[MeasurementKey, PointRecord]
) -> set[BuildKey]:
    """The builds of points that share samples which were taken with another build, and these others."""
    keys: set[BuildKey] = set()
    for record in records:
        home = homes[record.measurement] if record.measurement is not None else record
        if home.build != record.build:
            keys |= {record.build, home.build}
    return keys


def forget_failures(store: Store, scope: PointGrid) -> int:
    """Make what failed in a scope unknown again; how many failures there were."""
    records = list(store.query(PointRecord, scope.where))
    keys = [record.measurement for record in records if record.measurement is not None]
    builds = forget_failed_builds(store, {record.build for record in records if record.measurement is None})
    return builds + store.forget(FailureRecord, {"measurement": keys})


def forget_failed_builds(store: Store, keys: Iterable[BuildKey]) -> int:
    """Make those of these builds unknown again that failed; how many there were."""
    broken = list(failed_builds(store, keys))
    store.forget(PointRecord, {"build": broken})
    return store.forget(BuildRecord, {"build": broken})
