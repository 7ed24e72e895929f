"""Records of most kinds, for stores with tables and indexes of several pages."""

from __future__ import annotations

from sonde.core.records import (
    SNAPSHOT_FORMAT,
    BuildKey,
    BuildRecord,
    Built,
    ContextKey,
    ContextRecord,
    Fingerprint,
    MeasurementKey,
    PointRecord,
    Record,
    SampleRecord,
    SnapshotRecord,
)
from sonde.core.results import Metric
from tests.evidence_values import SNAPSHOT
from tests.values import point, revision_id, sample

CONTEXT = ContextRecord(ContextKey("c"), "pack", Metric.CPU, "a machine", "{}")


def records(count: int) -> list[Record]:
    """So many builds, points and measurements of two samples each, and content of more than a page."""
    found: list[Record] = [CONTEXT]
    for number in range(count):
        key, build = MeasurementKey(f"m{number:064}"), BuildKey(f"b{number:064}")
        outcome = Built(Fingerprint(f"f{number:064}"), number)
        found.append(BuildRecord(build, revision_id(number), outcome, 1.0, 2.0))
        found.append(PointRecord(CONTEXT.context, point(number), build, key))
        found += [SampleRecord(key, sample(run, value=float(number))) for run in range(2)]
    return [*found, SnapshotRecord(Fingerprint("s"), SNAPSHOT_FORMAT, SNAPSHOT)]
