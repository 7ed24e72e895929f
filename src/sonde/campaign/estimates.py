"""Estimates: how long builds and runs take by those that were made, and what a budget allows for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil
from statistics import fmean, median

from sonde.campaign.budget import Budget, Points, RunBudget, Seconds
from sonde.core.findings.plans import Effort, Pace
from sonde.core.results import Cost

LONGEST_GAP = 10  # times the median: a longer one lies between two commands
_UNITS = ((3600, "h"), (60, "m"), (1, "s"))


def pace_of(build_seconds: Sequence[float], slots: int, run_starts: Iterable[tuple[float, bool]]) -> Pace:
    """The pace of builds, of which so many are made at a time, and of runs.

    `run_starts` has the time at which each build or run started, and whether it is a run. From the start of a
    run to the next start passes what the run adds to the whole, however many run at a time.
    """
    ordered = sorted(run_starts)
    gaps = [later - earlier for (earlier, is_run), (later, _) in pairwise(ordered) if is_run]
    return Pace(fmean(build_seconds) / slots if build_seconds else None, _mean_of_usual(gaps))


def _mean_of_usual(gaps: Sequence[float]) -> float | None:
    positive = [gap for gap in gaps if gap > 0]
    if not positive:
        return None
    longest = LONGEST_GAP * median(positive)
    return fmean(gap for gap in gaps if gap <= longest)


def points_allowed(budget: Budget, needed: int, effort: Effort) -> int | None:
    """How many points a budget allows for, where `needed` points take such an effort.

    None where it limits none, or where nobody knows how long they take. What is known costs nothing, so that
    a budget that is enough for all of them allows for all of them.
    """
    match budget:
        case Points(points):
            return points
        case RunBudget(runs):
            return _part(needed, runs, effort.runs)
        case Seconds(seconds) if effort.seconds is not None:
            return _part(needed, seconds, effort.seconds)
        case _:
            return None


def _part(needed: int, available: float, whole: float) -> int:
    return needed if available >= whole else int(needed * available / whole)


def enough_for(budget: Budget, needed: int, effort: Effort) -> str:
    """The least budget of the same kind that is enough, as a user writes it; points become runs."""
    if isinstance(budget, Seconds) and effort.seconds is not None:
        return _written(max(effort.seconds, budget.seconds))
    return str(max(needed, effort.runs))


def pace_after(elapsed: float, spent: Cost, build_seconds: float) -> Pace:
    """The pace of a campaign so far, of whose work builds took so many seconds."""
    if not spent.seconds:
        return Pace()
    share = min(1.0, build_seconds / spent.seconds)
    return Pace(
        elapsed * share / spent.builds if spent.builds else None,
        elapsed * (1 - share) / spent.runs if spent.runs else None,
    )


def _written(seconds: float) -> str:
    """A time span, rounded up to two digits or so: `25m`, `3h`."""
    for size, unit in _UNITS:
        if seconds >= 2 * size or size == 1:
            return f"{ceil(seconds / size)}{unit}"
    raise AssertionError("the last unit takes all")
