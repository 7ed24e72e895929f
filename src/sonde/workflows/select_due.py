"""How long ago a benchmark was measured: no rule is trusted for ever."""

from __future__ import annotations

from dataclasses import replace

from sonde.core.results import Measurement
from sonde.core.revisions import History
from sonde.core.selections import Basis, Selected
from sonde.effects.executors.knowledge import Scope, known_results
from sonde.workflows.select_cases import Case
from sonde.workflows.workshop import Workshop


def if_due(
    selected: Selected, case: Case, workshop: Workshop, ancestors: History, full_every: int
) -> Selected:
    """The decision, or to run it if it was last measured so many revisions ago; never measured is not due."""
    revisions = tuple(revision.id for revision in ancestors)
    scope = Scope((case.base.context,), revisions, (case.configuration,))
    measured = [
        ancestors.positions[result.point.revision]
        for result in known_results(workshop.store, scope)
        if isinstance(result.outcome, Measurement)
    ]
    hops = len(ancestors) - max(measured) if measured else 0
    if selected.is_run or hops < full_every:
        return selected
    reason = f"it was last measured {hops} revisions ago"
    return replace(selected, is_run=True, basis=Basis.DUE, reasons=(reason, *selected.reasons))
