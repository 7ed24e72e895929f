"""What is known of a set of points, as a table and as JSON."""

from __future__ import annotations

from collections import Counter

from sonde.core.findings import Survey
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.results import Failed, Measurement, Result, Stage
from sonde.core.revisions import Revision, short
from sonde.report.quantities import counted, percent, quantity
from sonde.report.tables import shortened, table

SUBJECT_WIDTH = 48
WORTH_SHOWING = 0.005  # changes below half a percent are not printed; no verdict hangs on it

_FAILURES = {Stage.SPACE: "no such option", Stage.BUILD: "does not build", Stage.RUN: "fails"}


def survey_text(survey: Survey) -> str:
    """A table a benchmark, then what was measured, shared and failed."""
    blocks = [_benchmark_table(survey, benchmark) for benchmark in survey.metrics]
    return "\n\n".join([*blocks, survey_summary(survey)])


def _benchmark_table(survey: Survey, benchmark: BenchmarkName) -> str:
    labels = [label(configuration, survey) for configuration in survey.configurations]
    rows = []
    last: dict[Configuration, float] = {}
    for position, revision in enumerate(survey.history):
        points = [Point(revision.id, each, benchmark) for each in survey.configurations]
        cells = [cell for point in points for cell in _cells(survey, point, last)]
        rows.append([str(position), revision.short, *cells, _remark(survey, revision, points)])
    head = ["", "revision", *(text for name in labels for text in (name, "")), "subject"]
    return f"{benchmark}: {survey.metrics[benchmark].value}\n" + table(
        head, rows, "rl" + "rl" * len(labels) + "l"
    )


def _cells(survey: Survey, point: Point, last: dict[Configuration, float]) -> tuple[str, str]:
    """Value or state, and the change against the last value of the same configuration."""
    result = survey.results.get(point)
    if result is None:
        return "unknown", ""
    if isinstance(result.outcome, Failed):
        return _FAILURES[result.outcome.stage], ""
    value = survey.value(point)
    if value is None:
        return "unknown", ""
    before, last[point.configuration] = last.get(point.configuration), value
    change = ""
    if before and abs(value / before - 1) >= WORTH_SHOWING:
        change = percent(value / before)
    if result.outcome.twin is not None:
        return f"= {short(result.outcome.twin.point.revision)}", change
    return quantity(value, survey.metrics[point.benchmark]), change


def _remark(survey: Survey, revision: Revision, points: list[Point]) -> str:
    reasons = dict.fromkeys(
        result.outcome.twin.reason
        for point in points
        if (result := survey.results.get(point))
        and isinstance(result.outcome, Measurement)
        and result.outcome.twin
    )
    subject = shortened(revision.subject, SUBJECT_WIDTH)
    return f"{subject}  [{'; '.join(reasons)}]" if reasons else subject


def label(configuration: Configuration, survey: Survey) -> str:
    """A configuration by the values in which it differs from the default one."""
    different = [str(literal) for literal in configuration if survey.default[literal.option] != literal.value]
    return ",".join(different) or "default"


def survey_summary(survey: Survey) -> str:
    """How many points were measured, shared and failed, in words."""
    states = Counter(_state(survey.results.get(point)) for point in survey.points())
    dimensions = [
        counted(len(survey.history), "revision"),
        counted(len(survey.configurations), "configuration"),
        counted(len(survey.metrics), "benchmark"),
    ]
    total = counted(sum(states.values()), "point")
    parts = [f"{number:,} {state}" for state, number in sorted(states.items(), key=lambda item: -item[1])]
    return f"{' x '.join(dimensions)} = {total}: {', '.join(parts)}."


def _state(result: Result | None) -> str:
    if result is None:
        return "unknown"
    if isinstance(result.outcome, Failed):
        return f"failed ({_FAILURES[result.outcome.stage]})"
    twin = result.outcome.twin
    return f"proven equal ({twin.reason})" if twin else "measured"


def failures_text(survey: Survey) -> str:
    """Why points failed, each with what was printed; equal failures once."""
    blocks: dict[tuple[str, str], list[str]] = {}
    for point in survey.points():
        result = survey.results.get(point)
        if result is not None and isinstance(result.outcome, Failed):
            where = f"{point.benchmark} at {short(point.revision)}, {label(point.configuration, survey)}"
            blocks.setdefault((result.outcome.reason, result.outcome.output), []).append(where)
    if not blocks:
        return "Nothing failed here, as far as is known."
    return "\n\n".join(
        f"{'; '.join(places)}:\n{reason}\n{output}".rstrip() for (reason, output), places in blocks.items()
    )


def survey_json(survey: Survey) -> dict[str, object]:
    """Every point with its samples, its twin or its failure."""
    return {
        "revisions": [
            {
                "position": position,
                "id": revision.id,
                "committed_at": revision.committed_at,
                "author": revision.author,
                "subject": revision.subject,
            }
            for position, revision in enumerate(survey.history)
        ],
        "points": [_point_json(survey, point) for point in survey.points() if point in survey.results],
        "unknown": sum(point not in survey.results for point in survey.points()),
    }


def _point_json(survey: Survey, point: Point) -> dict[str, object]:
    outcome = survey.results[point].outcome
    fields: dict[str, object] = {
        "revision": point.revision,
        "position": survey.history.positions[point.revision],
        "configuration": dict(point.configuration.values),
        "benchmark": point.benchmark,
        "metric": survey.metrics[point.benchmark].value,
    }
    match outcome:
        case Failed():
            fields["failed"] = {
                "stage": outcome.stage.value,
                "reason": outcome.reason,
                "output": outcome.output,
            }
        case Measurement():
            fields["value"] = survey.value(point)
            fields["samples"] = [
                {metric.value: value for metric, value in sample.metrics} for sample in outcome.samples
            ]
            if outcome.twin is not None:
                fields["twin"] = {
                    "revision": outcome.twin.point.revision,
                    "configuration": dict(outcome.twin.point.configuration.values),
                    "reason": outcome.twin.reason,
                }
    return fields
