"""How the runs of a benchmark agreed so far."""

from __future__ import annotations

from itertools import islice

from sonde.core.points import BenchmarkName
from sonde.core.records import PointRecord
from sonde.core.repeats import Repeats
from sonde.core.results import Measurement, Metric
from sonde.effects.executors.knowledge import samples_of
from sonde.workflows.workshop import Workshop

MOST_POINTS = 100  # that are looked at


def repeats_of(workshop: Workshop, benchmark: BenchmarkName) -> Repeats:
    """What the store knows of a benchmark in this environment."""
    repeats = Repeats()
    if workshop.project.file.subject.benchmark[benchmark].metric is not Metric.INSTRUCTIONS:
        return repeats
    context = workshop.drafter.contexts[benchmark].context
    points = islice(workshop.store.query(PointRecord, {"context": [context]}), MOST_POINTS)
    keys = {point.measurement for point in points if point.measurement is not None}
    for key, samples in samples_of(workshop.store, keys).items():
        repeats.hear(key, Measurement(samples))
    return repeats
