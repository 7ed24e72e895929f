"""Whether a run has executed a region of code."""

from __future__ import annotations

from enum import Enum

from sonde.core.findings.impacts import ChangedRegion, Witnesses
from sonde.methods.impact.coverage.seen import Seen


class Execution(Enum):
    """What can be said; optimised code does not show every line."""

    YES = "yes"
    POSSIBLE = "possible"
    NO = "no"


def executed(region: ChangedRegion, witnesses: Witnesses, seen: Seen) -> Execution:
    """Whether a run has executed a region, as lines show whose numbers are those of the profiled build."""
    found = _executed(region, witnesses, seen)
    return found if found is Execution.YES or seen.is_complete else Execution.POSSIBLE


def _executed(region: ChangedRegion, witnesses: Witnesses, seen: Seen) -> Execution:
    if seen.functions is None:
        return _by_lines(witnesses, seen)
    if not witnesses.is_known:
        return Execution.POSSIBLE
    is_called = (region.routine, region.place.file) in seen.functions
    return Execution.POSSIBLE if is_called else Execution.NO


def _by_lines(witnesses: Witnesses, seen: Seen) -> Execution:
    """Lines without code of their own show nothing: the nearest code that must run before decides then."""
    if witnesses.shows & seen.lines:
        return Execution.YES
    for guard in witnesses.guards:
        if guard & seen.lines:
            return Execution.POSSIBLE
        if guard & seen.compiled:
            return Execution.NO
    callers = [_by_lines(caller, seen) for caller in witnesses.callers]
    return Execution.NO if callers and set(callers) == {Execution.NO} else Execution.POSSIBLE
