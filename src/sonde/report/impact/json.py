"""Whether a change can reach hot code, as JSON and as SARIF."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.code import SourceLine
from sonde.core.findings.impacts import Analysis, Impact, Interaction, OptionImpact
from sonde.report.revisions import revision_json

RULE = "performance-relevant-change"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def impact_json(impact: Impact) -> dict[str, object]:
    """The answer with all of its evidence."""
    analysis = impact.analysis
    return {
        "head": revision_json(impact.head),
        "base": revision_json(impact.base),
        "relevant": impact.is_relevant,
        "verdict": impact.verdict,
        "related_options": list(impact.related_options),
        "options_behind": list(impact.options_behind),
        "options": [_option(each) for each in impact.options],
        "interactions": [_interaction(each) for each in impact.interactions],
        "hot": [{"name": each.name, "share": each.share, "where": each.where} for each in impact.hot],
        "changed": [
            {"name": each.name, **_place(each.place), "added": each.added, "deleted": each.deleted}
            for each in impact.changed
        ],
        "configurations": [dict(each.values) for each in impact.configurations],
        "configurations_total": impact.configurations_total,
        "configurations_cut": impact.is_cut,
        "combinations": impact.combinations,
        "combinations_not_executed": impact.not_executed,
        "configurations_beside": impact.beside,
        "measuring_seconds": impact.seconds[0] if impact.seconds else None,
        "measuring_seconds_total": impact.seconds[1] if impact.seconds else None,
        "points_to": analysis.points_to if analysis else None,
        "analysis": _analysis(analysis) if analysis else None,
        "seconds": analysis.seconds if analysis else 0.0,
        "spent": {"builds": impact.cost.builds, "runs": impact.cost.runs, "seconds": impact.cost.seconds},
        "warnings": list(impact.warnings),
        "caveats": list(impact.caveats),
    }


def _place(place: SourceLine | None) -> dict[str, object]:
    known = place is not None and bool(place.file)
    return {"file": place.file if known and place else None, "line": place.line if known and place else None}


def _option(each: OptionImpact) -> dict[str, object]:
    return {
        "option": each.option,
        "role": each.role.value,
        "reason": each.reason,
        **_place(each.place),
        "variables": list(each.variables),
    }


def _interaction(each: Interaction) -> dict[str, object]:
    return {
        "changed": {"routine": each.changed_routine, **_place(each.change)},
        "hot": {"routine": each.hot_routine, **_place(each.hot)},
        "via": each.via.value,
        "deletion": each.is_deletion,
        "path": [{**_place(step.place), "routine": step.routine, "words": step.words} for step in each.path],
    }


def _analysis(analysis: Analysis) -> dict[str, object]:
    return {
        "points_to": analysis.points_to,
        "reason": analysis.reason,
        "instructions": analysis.instructions,
        "indirect_calls": analysis.indirect_calls,
        "resolved_calls": analysis.resolved_calls,
        "seconds": analysis.seconds,
    }


def impact_sarif(impact: Impact, version: str) -> dict[str, object]:
    """The interactions in the format that code hosts show beside the lines of a change (SARIF 2.1.0)."""
    rule = {
        "id": RULE,
        "name": "PerformanceRelevantChange",
        "shortDescription": {"text": "A change that can reach hot code."},
        "fullDescription": {
            "text": "Changed code can affect code that takes a large share of the time, so performance "
            "should be measured in the related configurations."
        },
        "defaultConfiguration": {"level": "note"},
    }
    driver = {"name": "sonde", "version": version, "rules": [rule]}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "results": [_result(each, impact.related_options) for each in impact.interactions],
            }
        ],
    }


def _result(each: Interaction, options: Sequence[str]) -> dict[str, object]:
    through = f" Related options: {', '.join(options)}." if options else ""
    deletion = " (the deleted code did so before)" if each.is_deletion else ""
    steps = [{"location": _location(step.place, f"{step.routine}: {step.words}")} for step in each.path]
    result: dict[str, object] = {
        "ruleId": RULE,
        "level": "note",
        "message": {"text": f"{each.changed_routine} can affect hot {each.hot_routine}{deletion}.{through}"},
        "locations": [_location(each.change)],
        "relatedLocations": [_location(each.hot, "hot code")],
    }
    if steps:
        result["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    return result


def _location(place: SourceLine, words: str = "") -> dict[str, object]:
    physical: dict[str, object] = {"artifactLocation": {"uri": place.file or "unknown"}}
    if place.line:
        physical["region"] = {"startLine": place.line}
    location: dict[str, object] = {"physicalLocation": physical}
    if words:
        location["message"] = {"text": words}
    return location
