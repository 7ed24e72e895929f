"""Rescues what can be read of a damaged store."""

from __future__ import annotations

from sonde.core.errors import UsageError
from sonde.core.findings.repairs import Repaired
from sonde.effects.store import is_sound, repair_store
from sonde.workflows.projects import OpenProject


def repair(project: OpenProject) -> Repaired | None:
    """Put a new store in the place of a damaged one; None if there is no damage."""
    store = project.state.store
    if not store.exists():
        raise UsageError(f"{store}: there is no store to repair. Name its folder with --state.")
    with project.state.claim():
        return None if is_sound(store) else repair_store(store)
