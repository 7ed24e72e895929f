"""What every store promises."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.campaign.memory_store import MemoryStore
from sonde.core.findings.comparisons import AuditOutcome, Case, NarrowingStep, Ratio, Verdict
from sonde.core.points import Point
from sonde.core.protocols import Store
from sonde.core.records import (
    SNAPSHOT_FORMAT,
    AuditRecord,
    BuildKey,
    BuildRecord,
    Built,
    ContextKey,
    ContextRecord,
    FailureRecord,
    Fingerprint,
    InputsRecord,
    LinesRecord,
    MeasurementKey,
    PointRecord,
    ProfileKey,
    ProfileRecord,
    Record,
    SampleRecord,
    SnapshotRecord,
    TupleRecord,
)
from sonde.core.results import Failed, Metric, Stage
from sonde.effects.store import open_store
from tests.evidence_values import LINES, PROFILE, SNAPSHOT
from tests.values import configurations, point, revision_id, sample, samples

CONTEXT = ContextRecord(ContextKey("c0"), "pack", Metric.CPU, "a machine", "{}")
BUILT = BuildRecord(BuildKey("b0"), revision_id(1), Built(Fingerprint("f0"), 12), 1.5, 10.0)
BROKEN = BuildRecord(BuildKey("b1"), revision_id(2), Failed(Stage.BUILD, "no", "log"), 0.5, 11.0)
HERE = PointRecord(ContextKey("c0"), point(1, level=3), BuildKey("b0"), MeasurementKey("m0"))
TWIN = PointRecord(ContextKey("c0"), point(2, level=3), BuildKey("b0"), MeasurementKey("m0"))
UNBUILT = PointRecord(ContextKey("c0"), point(3, level=3), BuildKey("b1"), None)
INPUTS = InputsRecord(revision_id(1), "patterns", "tree")
FIRST = SampleRecord(MeasurementKey("m0"), sample(0))
SECOND = SampleRecord(MeasurementKey("m0"), sample(1))
OTHER = SampleRecord(MeasurementKey("m1"), sample(0))
CRASH = FailureRecord(MeasurementKey("m2"), 0, Failed(Stage.RUN, "SIGSEGV", "tail"), 12.0)
READ = BuildRecord(
    BuildKey("b2"), revision_id(4), Built(Fingerprint("f2"), 9, Fingerprint("code")), 1.0, 13.0
)
SHOT = SnapshotRecord(Fingerprint("f2"), SNAPSHOT_FORMAT, SNAPSHOT)
PROFILED = ProfileRecord(ProfileKey("p0"), point(1, level=3), 14.0, PROFILE)
OWN_LINES = LinesRecord(BuildKey("b2"), False, LINES)
TUPLE = TupleRecord(
    ContextKey("c0"),
    revision_id(2),
    revision_id(1),
    HERE.point.configuration,
    "pack",
    (("len", 2.0), ("share", 0.25)),
    effect=-0.125,
    is_hit=True,
    is_proven=False,
    is_refused=True,
    seconds=1.5,
    hops=1,
)
AUDIT = AuditRecord(
    revision_id(1),
    revision_id(2),
    Case("pack", HERE.point.configuration),
    NarrowingStep.IMPACT,
    Metric.CPU,
    0.05,
    Verdict.SLOWER,
    AuditOutcome.MISSED,
    Ratio(0.25, 0.2, inf, 12, 0.001),
)
FAILED_AUDIT = replace(
    AUDIT, step=NarrowingStep.SAMPLE, verdict=Verdict.BROKEN, outcome=AuditOutcome.UNDECIDED, ratio=None
)
ALL: tuple[Record, ...] = (
    *(CONTEXT, BUILT, BROKEN, READ, HERE, TWIN, UNBUILT, INPUTS, FIRST, SECOND, OTHER, CRASH),
    *(SHOT, PROFILED, OWN_LINES, TUPLE),
    *(SHOT, PROFILED, TUPLE, AUDIT, FAILED_AUDIT),
)


@contextmanager
def sqlite_in(folder: Path) -> Iterator[Store]:
    with open_store(folder / "store.sqlite") as store:
        yield store


@contextmanager
def memory(_: Path) -> Iterator[Store]:
    yield MemoryStore()


@pytest.fixture(scope="module", params=[sqlite_in, memory], ids=["sqlite", "memory"])
def make(request):
    return request.param


@pytest.fixture
def store(make, tmp_path) -> Iterator[Store]:
    with make(tmp_path) as store:
        yield store


@pytest.mark.parametrize("record", ALL, ids=lambda record: type(record).__name__)
def test_a_record_comes_back_as_it_was(store, record):
    store.append(CONTEXT)

    store.append(record)

    assert record in list(store.query(type(record), {}))


def test_appending_twice_changes_nothing(store):
    store.append(*ALL)
    before = [list(store.query(kind, {})) for kind in (PointRecord, SampleRecord, BuildRecord)]

    store.append(*ALL)

    assert [list(store.query(kind, {})) for kind in (PointRecord, SampleRecord, BuildRecord)] == before


def test_what_is_known_stays_as_it_is(store):
    store.append(FIRST)

    store.append(SampleRecord(MeasurementKey("m0"), sample(0, value=99.0)))

    assert list(store.query(SampleRecord, {})) == [FIRST]


def test_the_last_tuple_of_a_change_stays(store):
    other = replace(TUPLE, child=revision_id(3))
    again = replace(TUPLE, effect=0.0, is_hit=False, values=())
    store.append(CONTEXT, TUPLE, other)

    store.append(again)

    assert list(store.query(TupleRecord, {})) == [again, other]


def test_the_last_audit_of_a_case_stays_and_counts_once(store):
    others = (
        replace(AUDIT, head=revision_id(3)),
        replace(AUDIT, case=Case("unpack", AUDIT.case.configuration)),
        replace(AUDIT, step=NarrowingStep.SAMPLE),
        replace(AUDIT, metric=Metric.INSTRUCTIONS),
        replace(AUDIT, threshold=0.1),
    )
    again = replace(AUDIT, verdict=Verdict.EQUAL, outcome=AuditOutcome.UNCHANGED, ratio=None)
    store.append(AUDIT, *others)

    store.append(again)

    assert list(store.query(AuditRecord, {})) == [again, *others]


def test_a_snapshot_of_another_format_is_not_found(store):
    store.append(replace(SHOT, format=SNAPSHOT_FORMAT - 1))
    assert list(store.query(SnapshotRecord, {})) == []

    store.append(SHOT)
    assert list(store.query(SnapshotRecord, {})) == [SHOT]

    store.append(replace(SHOT, format=SNAPSHOT_FORMAT - 1))
    assert list(store.query(SnapshotRecord, {})) == [SHOT]


def test_samples_come_in_the_order_of_their_numbers(store):
    store.append(SECOND)
    store.append(FIRST)

    assert list(store.query(SampleRecord, {"measurement": ["m0"]})) == [FIRST, SECOND]


def test_points_come_in_the_order_of_appending(store):
    store.append(CONTEXT, TWIN)
    store.append(HERE)

    assert list(store.query(PointRecord, {})) == [TWIN, HERE]


@pytest.mark.parametrize(
    ("kind", "where", "expected"),
    [
        (SampleRecord, {"measurement": ["m1"]}, [OTHER]),
        (SampleRecord, {"measurement": []}, []),
        (PointRecord, {"revision": [revision_id(2)]}, [TWIN]),
        (PointRecord, {"measurement": ["m0"], "revision": [revision_id(1)]}, [HERE]),
        (PointRecord, {"context": ["c0"], "build": ["b0"]}, [HERE, TWIN]),
        (PointRecord, {"context": ["another"]}, []),
        (PointRecord, {"configuration": [HERE.point.configuration.key]}, [HERE, TWIN, UNBUILT]),
        (PointRecord, {"configuration": [point(1, level=4).configuration.key]}, []),
        (BuildRecord, {"build": ["b0", "b1"]}, [BUILT, BROKEN]),
        (BuildRecord, {"fingerprint": ["f0"]}, [BUILT]),
        (BuildRecord, {"revision": [revision_id(2)]}, [BROKEN]),
        (InputsRecord, {"patterns": ["patterns"], "revision": [revision_id(1)]}, [INPUTS]),
        (FailureRecord, {"measurement": ["m2"]}, [CRASH]),
        (ContextRecord, {"benchmark": ["pack"]}, [CONTEXT]),
        (SnapshotRecord, {"fingerprint": ["f2"]}, [SHOT]),
        (SnapshotRecord, {"fingerprint": ["f0"]}, []),
        (ProfileRecord, {"profile": ["p0"]}, [PROFILED]),
        (ProfileRecord, {"benchmark": ["pack"], "revision": [revision_id(1)]}, [PROFILED]),
        (ProfileRecord, {"configuration": [point(1, level=4).configuration.key]}, []),
        (TupleRecord, {"context": ["c0"], "child": [revision_id(2)]}, [TUPLE]),
        (TupleRecord, {"benchmark": ["pack"], "parent": [revision_id(2)]}, []),
        (TupleRecord, {"configuration": [HERE.point.configuration.key]}, [TUPLE]),
        (AuditRecord, {"step": ["impact"]}, [AUDIT]),
        (AuditRecord, {"base": [revision_id(1)], "head": [revision_id(2)]}, [AUDIT, FAILED_AUDIT]),
        (AuditRecord, {"head": [revision_id(1)]}, []),
    ],
)
def test_a_query_gives_exactly_what_matches(store, kind, where, expected):
    store.append(*ALL)

    assert list(store.query(kind, where)) == expected


def test_a_forgotten_record_can_be_taken_again(store):
    store.append(*ALL)

    assert store.forget(SampleRecord, {"measurement": ["m0"]}) == 2
    assert list(store.query(SampleRecord, {})) == [OTHER]

    store.append(FIRST)
    assert list(store.query(SampleRecord, {"measurement": ["m0"]})) == [FIRST]


def test_forgetting_what_is_not_there_removes_nothing(store):
    store.append(*ALL)

    assert store.forget(BuildRecord, {"build": ["unknown"]}) == 0
    assert list(store.query(BuildRecord, {})) == [BUILT, BROKEN, READ]


@given(taken=st.lists(samples(), unique_by=lambda one: one.number, max_size=8), chosen=configurations)
def test_any_sample_and_configuration_survive_the_way_through_the_store(
    make, tmp_path_factory, taken, chosen
):
    there = Point(revision_id(7), chosen, "pack")
    record = PointRecord(ContextKey("c0"), there, BuildKey("b0"), MeasurementKey("m"))

    with make(tmp_path_factory.mktemp("store")) as store:
        store.append(CONTEXT, record, *(SampleRecord(MeasurementKey("m"), one) for one in taken))

        stored = [one.sample for one in store.query(SampleRecord, {})]
        assert stored == sorted(taken, key=lambda one: one.number)
        assert list(store.query(PointRecord, {})) == [record]


def test_lines_that_a_debug_build_has_told_take_the_place_of_others(store):
    more = replace(OWN_LINES, has_debug_build=True, lines=replace(LINES, gap=""))

    store.append(OWN_LINES, more, OWN_LINES)

    assert list(store.query(LinesRecord, {"build": [BuildKey("b2")]})) == [more]
