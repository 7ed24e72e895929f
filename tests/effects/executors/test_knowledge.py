"""Why points share their samples."""

from __future__ import annotations

import pytest

from sonde.campaign.memory_store import MemoryStore
from sonde.core.records import (
    BuildKey,
    BuildRecord,
    Built,
    ContextKey,
    Fingerprint,
    MeasurementKey,
    PointRecord,
    SampleRecord,
)
from sonde.core.results import Measurement
from sonde.effects.executors.knowledge import PointGrid, known_results
from tests.values import point, revision_id, sample

CONTEXT = ContextKey("c")
SHARED = MeasurementKey("m")
HOME = PointRecord(CONTEXT, point(1, level=1), BuildKey("b1"), SHARED)


def build(name: str, position: int, outputs: str) -> BuildRecord:
    built = Built(Fingerprint(outputs), 1, Fingerprint("code"))
    return BuildRecord(BuildKey(name), revision_id(position), built, 1.0, 1.0)


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (PointRecord(CONTEXT, point(2, level=1), BuildKey("b1"), SHARED), "same build inputs"),
        (PointRecord(CONTEXT, point(2, level=1), BuildKey("b2"), SHARED), "same build outputs"),
        (PointRecord(CONTEXT, point(2, level=1), BuildKey("b3"), SHARED), "same code"),
        (PointRecord(CONTEXT, point(1, level=2), BuildKey("b1"), SHARED), "same command"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_reason_is_the_strongest_that_holds(other, reason):
    store = MemoryStore()
    store.append(build("b1", 1, "bytes"), build("b2", 2, "bytes"), build("b3", 2, "other bytes"))
    store.append(HOME, other, SampleRecord(SHARED, sample(0)))

    scope = PointGrid((CONTEXT,), (revision_id(1), revision_id(2)), None)
    outcomes = {result.point: result.outcome for result in known_results(store, scope)}

    there = outcomes[other.point]
    assert isinstance(there, Measurement)
    assert there.twin is not None
    assert (there.twin.point, there.twin.reason) == (HOME.point, reason)
    assert outcomes[HOME.point] == Measurement((sample(0),), None)
