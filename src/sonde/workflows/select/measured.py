"""What earlier measurements say to a decision: how long ago they were, and how long a run takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import median

from sonde.core.findings.selections import Basis, Selected
from sonde.core.results import Measurement, Metric
from sonde.core.revisions import History
from sonde.effects.executors.knowledge import PointGrid, known_results
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.select.cases import SelectionCase


@dataclass(frozen=True)
class LastMeasured:
    """When a benchmark was last measured in a configuration."""

    hops: int  # revisions ago, counted from the head; 0: never
    seconds: float | None  # that a run took, where it was timed


def last_measured(tools: ProjectTools, case: SelectionCase, ancestors: History) -> LastMeasured:
    """The latest measurement among the ancestors of the head."""
    revisions = tuple(revision.id for revision in ancestors)
    scope = PointGrid((case.base.context,), revisions, (case.configuration,))
    measured = {
        ancestors.positions[result.point.revision]: result.outcome.samples
        for result in known_results(tools.store, scope)
        if isinstance(result.outcome, Measurement)
    }
    if not measured:
        return LastMeasured(0, None)
    latest = max(measured)
    times = [sample.values[Metric.WALL] for sample in measured[latest] if Metric.WALL in sample.values]
    return LastMeasured(len(ancestors) - latest, median(times) if times else None)


def in_view_of(selected: Selected, measured: LastMeasured, metric: Metric, full_every: int) -> Selected:
    """The decision, or to run if the last measurement is too long ago and nothing is proven.

    What was never measured is not due.
    A profiler slows a run down as much as counting instructions does, but not as timing it.
    """
    seconds = selected.seconds if metric is Metric.INSTRUCTIONS else None
    timed = replace(selected, seconds=measured.seconds or seconds)
    if timed.is_run or timed.proof is not None or measured.hops < full_every:
        return timed
    reason = f"it was last measured {measured.hops} revisions ago"
    return replace(timed, is_run=True, basis=Basis.DUE, reasons=(reason, *timed.reasons))
