"""What a search for change points made of a recording or an oracle."""

from __future__ import annotations

from sonde.core.findings.pinpoints import ReplayedPinpoints, TermChange
from sonde.core.results import Metric
from sonde.report.glyphs import ASCII, UNICODE
from sonde.report.pinpoint.influences import InfluenceScope, influences_json, influences_text
from sonde.report.pinpoint.nothing_found import nothing_found_text
from sonde.report.quantities import counted, duration, finite, share_text, threshold_text
from sonde.report.terms import effect_text, probability_text, where

NO_UNIT = Metric.PRINTED  # neither recordings nor oracles say what their numbers are


def replay_pinpoint_text(replayed: ReplayedPinpoints, width: int = 100, unicode: bool = True) -> str:
    """A line a finding, then what it cost; then influences on lines of at most `width` columns."""
    found = replayed.found
    points = counted(found.points + found.failed, "point")
    configurations = counted(found.configurations, "configuration")
    threshold = threshold_text(replayed.threshold)
    lines = [
        f"{replayed.name}: planner {replayed.planner}, changes of {threshold} and more.",
        *(_finding(change, replayed.revisions) for change in found.findings),
    ]
    if not found.findings:
        lines.append(nothing_found_text(found, replayed.threshold))
    lines.append(f"{found.ending[:1].upper()}{found.ending[1:]}.")
    lines.append(f"It took {counted(replayed.runs, 'run')} at {points} in {configurations}.")
    if found.failed:
        lines.append(f"{counted(found.failed, 'point')} failed.")
    if found.noise is not None:
        lines.append(f"The noise of a run is {share_text(found.noise)}.")
    lines.append(f"The planner took {duration(replayed.planner_seconds)}.")
    if found.influences is not None:
        numbers, glyphs = replayed.revisions, UNICODE if unicode else ASCII
        place = InfluenceScope(len(numbers) - 1, NO_UNIT, lambda position: str(numbers[position]))
        lines += ["", glyphs.written(influences_text(found.influences, place, width, glyphs))]
    return "\n".join(lines)


def replay_pinpoint_json(replayed: ReplayedPinpoints) -> dict[str, object]:
    """The findings with the numbers of their revisions, and what they took; influences if asked for.

    An end of an interval that is open is null. `stop` tells how the search ended: finished (by itself),
    budget (it was spent before) or stuck (nothing more could be measured); `ending` tells it in words.
    """
    found = replayed.found
    return {
        "name": replayed.name,
        "planner": replayed.planner,
        "threshold": replayed.threshold,
        "findings": [_finding_json(change, replayed.revisions) for change in found.findings],
        "runs": replayed.runs,
        "points": found.points + found.failed,
        "failed": found.failed,
        "configurations": found.configurations,
        "noise": found.noise,
        "ending": found.ending,
        "stop": found.stop.value,
        "planner_seconds": replayed.planner_seconds,
        **influences_json(found.influences, lambda position: replayed.revisions[position]),
    }


def _finding(change: TermChange, revisions: tuple[int, ...]) -> str:
    place = f"revision {revisions[change.position]}"
    if change.earliest < change.latest:
        place += f" (one of {revisions[change.earliest]} to {revisions[change.latest]})"
    return (
        f"{place}: {effect_text(change.effect)} {where(change.term, change.unless)}; "
        f"probability {probability_text(change.probability)}; "
        f"measured in {counted(change.configurations, 'configuration')}"
    )


def _finding_json(change: TermChange, revisions: tuple[int, ...]) -> dict[str, object]:
    return {
        "revision": revisions[change.position],
        "earliest": revisions[change.earliest],
        "latest": revisions[change.latest],
        "options": sorted(map(str, change.term)),
        "unless": sorted(map(str, change.unless)),
        "effect": finite(change.effect),
        "low": finite(change.effect_low),
        "high": finite(change.effect_high),
        "probability": change.probability,
        "configurations": change.configurations,
    }
