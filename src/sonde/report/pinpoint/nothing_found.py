"""What it means that no change was found: never compared is not the same as unchanged."""

from __future__ import annotations

from sonde.core.findings.pinpoints import Pinpointed, Stop
from sonde.report.quantities import counted, share_text, threshold_text

DEVIATIONS = 3  # of a run, that a change must be large to be told from noise


def nothing_found_text(found: Pinpointed, threshold: float) -> str:
    """A sentence that depends on how the search ended, and on what could have been seen at all."""
    if not found.points:
        return f"Nothing could be measured: {counted(found.failed, 'point')} failed."
    if found.points < 2:
        return "Too few points were measured to find a change."
    match found.stop:
        case Stop.BUDGET:
            return "Nothing found so far: the budget was spent before the search ended."
        case Stop.STUCK:
            return "Nothing found so far: the search waits for points that cannot be measured."
        case Stop.FINISHED:
            return f"Nothing found above the noise: {_unseen(threshold, found.noise)}."


def _unseen(threshold: float, noise: float | None) -> str:
    if noise is None or DEVIATIONS * noise <= threshold:
        return f"no change of {threshold_text(threshold)} or more"
    size, of_a_run = share_text(DEVIATIONS * noise), share_text(noise)
    return f"no change of {size} or more; smaller ones are hidden by the noise of {of_a_run}"
