"""What was rescued of a damaged store, for people and for scripts."""

from __future__ import annotations

from typing import Any

from sonde.core.findings.repairs import Repaired, Rescued
from sonde.report.tables import table

WHOLE = "The store is intact; nothing was changed."


def repaired_text(repaired: Repaired | None) -> str:
    """A line for each table that had something, and what to do next."""
    if repaired is None:
        return WHOLE
    told = [each for each in repaired.tables if each.kept or _lost(each)]
    rows = [[each.table, f"{each.kept:,}", _lost(each)] for each in told]
    found = table(["table", "rows kept", "lost"], rows)
    return (
        f"{found}\n\nThe store was rebuilt. The damaged one is kept as "
        f"{repaired.damaged}.\nLost measurements are taken again when they are needed."
    )


def repaired_json(repaired: Repaired | None) -> dict[str, Any]:
    """The same for scripts."""
    if repaired is None:
        return {"is_whole": True, "damaged": None, "tables": []}
    tables = [
        {"table": each.table, "kept": each.kept, "refused": each.refused, "is_whole": each.is_whole}
        for each in repaired.tables
    ]
    return {"is_whole": repaired.is_whole, "damaged": repaired.damaged, "tables": tables}


def _lost(rescued: Rescued) -> str:
    parts = [f"{rescued.refused:,} invalid"] if rescued.refused else []
    return " and ".join(parts + ([] if rescued.is_whole else ["unreadable rows"]))
