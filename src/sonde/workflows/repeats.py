"""How the runs of a benchmark agreed so far."""

from __future__ import annotations

from itertools import islice

from sonde.core.points import BenchmarkName
from sonde.core.records import PointRecord
from sonde.core.repeats import Repeats
from sonde.core.results import Measurement, Metric
from sonde.effects.executors.knowledge import samples_of
from sonde.workflows.project_tools import ProjectTools

MOST_POINTS = 100  # that are looked at


def repeats_of(tools: ProjectTools, benchmark: BenchmarkName) -> Repeats:
    """What the store knows of a benchmark in this environment."""
    repeats = Repeats()
    if tools.project.file.subject.benchmark[benchmark].metric is not Metric.INSTRUCTIONS:
        return repeats
    context = tools.drafter.contexts[benchmark].context
    points = islice(tools.store.query(PointRecord, {"context": [context]}), MOST_POINTS)
    keys = {point.measurement for point in points if point.measurement is not None}
    for key, samples in samples_of(tools.store, keys).items():
        repeats.hear(key, Measurement(samples))
    return repeats
