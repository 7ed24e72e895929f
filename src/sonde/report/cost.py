"""Why a campaign ended, and what it cost."""

from __future__ import annotations

from sonde.core.results import Cost
from sonde.report.quantities import counted, duration


def ending_text(ending: str, spent: Cost) -> str:
    """Both in words."""
    why = ending[:1].upper() + ending[1:]
    if not spent.runs and not spent.builds:
        return f"{why}. No build or run was needed: all results were already stored."
    work = f"{counted(spent.builds, 'build')} and {counted(spent.runs, 'run')}"
    return f"{why}. It took {work}, {duration(spent.seconds)} of work."
