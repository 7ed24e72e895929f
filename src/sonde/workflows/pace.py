"""How long builds and runs of a project took so far."""

from __future__ import annotations

import os
from collections.abc import Collection
from itertools import chain, islice

from sonde.campaign.estimates import pace_of
from sonde.core.findings.plans import Pace
from sonde.core.points import BenchmarkName
from sonde.core.records import BuildRecord, Built, ContextKey, ContextRecord, PointRecord
from sonde.effects.executors.knowledge import samples_of
from sonde.workflows.project_tools import MOST_SLOTS, ProjectTools

MOST_POINTS = 1_000  # whose runs are looked at


def pace_so_far(tools: ProjectTools, benchmarks: Collection[BenchmarkName]) -> Pace:
    """By what the store has of these benchmarks: as they are now, or as they ever were if that is nothing."""
    builds = list(tools.store.query(BuildRecord, {}))
    contexts = [tools.drafter.contexts[name].context for name in benchmarks]
    records = tools.store.query(ContextRecord, {"benchmark": list(benchmarks)})
    earlier = [record.context for record in records]
    taken = _run_starts(tools, contexts) or _run_starts(tools, earlier)
    starts = [(each.built_at, False) for each in builds] + [(at, True) for at in taken]
    slots = min(os.cpu_count() or 1, MOST_SLOTS)
    return pace_of([each.seconds for each in builds if isinstance(each.outcome, Built)], slots, starts)


def _run_starts(tools: ProjectTools, contexts: Collection[ContextKey]) -> list[float]:
    each_context = (tools.store.query(PointRecord, {"context": [context]}) for context in contexts)
    points = islice(chain.from_iterable(each_context), MOST_POINTS)  # all at once would sort millions
    keys = {each.measurement for each in points if each.measurement is not None}
    return [at.taken_at for samples in samples_of(tools.store, keys).values() for at in samples]
