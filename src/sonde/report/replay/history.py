"""What a planner made of a recording."""

from __future__ import annotations

from statistics import median

from sonde.core.findings.histories import Replayed
from sonde.report.quantities import counted, duration


def replay_text(replayed: Replayed) -> str:
    """In a few lines: what was measured, and what was found."""
    changes = sum(len(series.changes) for series in replayed.series)
    changed = sum(bool(series.changes) for series in replayed.series)
    runs, builds = counted(replayed.runs, "run"), counted(replayed.builds, "distinct revision")
    lines = [
        f"{replayed.recording}: {len(replayed.series):,} series, planner {replayed.planner}.",
        f"Measured {replayed.measured_share:.1%} of the revisions of a series: {runs} at {builds}.",
        f"Found {counted(changes, 'change')} in {changed:,} of the series.",
        f"The 90 % band is typically ±{_half_band(replayed):.1%}.",
        f"The planner took {duration(replayed.planner_seconds)}.",
    ]
    if replayed.left_out:
        lines.append(
            f"Skipped {counted(replayed.left_out, 'value')}: missing, zero, negative or not a number."
        )
    return "\n".join(lines)


def replay_json(replayed: Replayed) -> dict[str, object]:
    """What the planner itself knows."""
    return {
        "recording": replayed.recording,
        "planner": replayed.planner,
        "series": len(replayed.series),
        "measured_share": replayed.measured_share,
        "builds": replayed.builds,
        "runs": replayed.runs,
        "changes": sum(len(series.changes) for series in replayed.series),
        "left_out": replayed.left_out,
        "planner_seconds": replayed.planner_seconds,
    }


def _half_band(replayed: Replayed) -> float:
    halves = [
        (estimate.high - estimate.low) / 2 / estimate.value
        for series in replayed.series
        for estimate in series.estimates
        if estimate is not None
    ]
    return median(halves) if halves else 0.0
