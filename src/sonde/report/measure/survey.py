"""What is known of a set of points, as a table and as JSON."""

from __future__ import annotations

from collections import Counter

from sonde.core.findings.measurements import Survey
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.results import Failed, Measurement, Stage, Twin
from sonde.core.revisions import Revision, short
from sonde.report.labels import difference
from sonde.report.quantities import counted, percent, quantity
from sonde.report.revisions import revisions_json
from sonde.report.tables import shortened, table

SUBJECT_WIDTH = 48
WORTH_SHOWING = 0.005  # changes below half a percent are not printed; no verdict hangs on it

_FAILURES = {Stage.SPACE: "no such option", Stage.BUILD: "does not build", Stage.RUN: "run fails"}


def survey_text(survey: Survey) -> str:
    """A table a benchmark, then what was measured, shared and failed, and by which programs and machine."""
    blocks = [_benchmark_table(survey, benchmark) for benchmark in survey.metrics]
    summary = "\n".join([survey_summary(survey), *surroundings(survey)])
    return "\n\n".join([*blocks, summary])


def surroundings(survey: Survey) -> list[str]:
    """The interpreters and programs that commands name, the machine and its compilers: lines."""
    programs = dict.fromkeys(words for words in survey.programs.values() if words)
    lines = [f"Programs that commands name: {'; '.join(programs)}."] if programs else []
    return [*lines, f"Machine and compilers: {survey.environment}."] if survey.environment else lines


def _benchmark_table(survey: Survey, benchmark: BenchmarkName) -> str:
    labels = [label(configuration, survey) for configuration in survey.configurations]
    rows = []
    last: dict[Configuration, Point] = {}
    for position, revision in enumerate(survey.history):
        points = [Point(revision.id, each, benchmark) for each in survey.configurations]
        cells = [
            cell for point in points for cell in (_state_cell(survey, point), _change(survey, point, last))
        ]
        rows.append([str(position), revision.short, *cells, _remark(survey, revision, points)])
    head = ["", "revision", *(text for name in labels for text in (name, "")), "subject"]
    title = (
        f"{benchmark}: {survey.metrics[benchmark].value}, median of {counted(survey.runs[benchmark], 'run')}"
    )
    return f"{title}\n{table(head, rows, 'rl' + 'rl' * len(labels) + 'l')}"


def _state_cell(survey: Survey, point: Point) -> str:
    """The value of a point, with = if it is that of a twin, or why there is none."""
    result, value = survey.results.get(point), survey.value(point)
    if result is None:
        return "unknown"
    if isinstance(result.outcome, Failed):
        return _FAILURES[result.outcome.stage]
    if value is None:
        return "unknown"
    text = quantity(value, survey.metrics[point.benchmark])
    if not survey.is_complete(point):
        text = f"{text} ({len(survey.samples(point))} of {survey.runs[point.benchmark]})"
    return f"= {text}" if result.outcome.twin is not None else text


def _change(survey: Survey, point: Point, last: dict[Configuration, Point]) -> str:
    """The change against the last value of the same configuration, if it is worth showing."""
    value = survey.value(point)
    if value is None:
        return ""
    before, last[point.configuration] = last.get(point.configuration), point
    earlier = survey.value(before) if before is not None else None
    if before is None or not earlier or not _stands_out(survey.samples(before), survey.samples(point)):
        return ""
    return percent(value / earlier) if abs(value / earlier - 1) >= WORTH_SHOWING else ""


def _stands_out(before: tuple[float, ...], after: tuple[float, ...]) -> bool:
    """Whether all samples of one are above all of the other."""
    return max(before) < min(after) or max(after) < min(before)


def _remark(survey: Survey, revision: Revision, points: list[Point]) -> str:
    twins = (
        result.outcome.twin
        for point in points
        if (result := survey.results.get(point)) and isinstance(result.outcome, Measurement)
    )
    reasons = dict.fromkeys(_in_words(twin, revision) for twin in twins if twin is not None)
    subject = shortened(revision.subject, SUBJECT_WIDTH)
    return f"{subject}  [{'; '.join(reasons)}]" if reasons else subject


def _in_words(twin: Twin, revision: Revision) -> str:
    home = twin.point.revision
    return twin.reason if home == revision.id else f"{twin.reason} as {short(home)}"


def label(configuration: Configuration, survey: Survey) -> str:
    """A configuration by the values in which it differs from the default one."""
    return difference(configuration, survey.default)


def survey_summary(survey: Survey) -> str:
    """How many points were measured, shared and failed, in words."""
    states = Counter(_state(survey, point) for point in survey.points())
    dimensions = [
        counted(len(survey.history), "revision"),
        counted(len(survey.configurations), "configuration"),
        counted(len(survey.metrics), "benchmark"),
    ]
    total = counted(sum(states.values()), "point")
    parts = [f"{number:,} {state}" for state, number in sorted(states.items(), key=lambda item: -item[1])]
    summary = f"{' x '.join(dimensions)} = {total}: {', '.join(parts)}."
    if survey.elsewhere:
        was = "was" if survey.elsewhere == 1 else "were"
        summary += (
            f" Of the unknown ones, {survey.elsewhere:,} {was} measured with a different recipe, "
            "tool or machine."
        )
    return summary


def _state(survey: Survey, point: Point) -> str:
    result = survey.results.get(point)
    if result is None:
        return "unknown"
    if isinstance(result.outcome, Failed):
        return f"failed ({_FAILURES[result.outcome.stage]})"
    twin = result.outcome.twin
    state = f"proven equal ({twin.reason})" if twin else "measured"
    return state if survey.is_complete(point) else f"{state} in part"


def failures_text(survey: Survey) -> str:
    """Why points failed, each with what was printed; equal failures once."""
    blocks: dict[tuple[str, str], list[str]] = {}
    for point in survey.points():
        result = survey.results.get(point)
        if result is not None and isinstance(result.outcome, Failed):
            where = f"{point.benchmark} at {short(point.revision)}, {label(point.configuration, survey)}"
            blocks.setdefault((result.outcome.reason, result.outcome.output), []).append(where)
    if not blocks:
        return "No failures are known here."
    return "\n\n".join(
        f"{'; '.join(places)}:\n{reason}\n{output}".rstrip() for (reason, output), places in blocks.items()
    )


def survey_json(survey: Survey) -> dict[str, object]:
    """Every point with its samples, its twin or its failure."""
    return {
        "revisions": revisions_json(survey.history),
        "points": [_point_json(survey, point) for point in survey.points() if point in survey.results],
        "unknown": sum(point not in survey.results for point in survey.points()),
        "elsewhere": survey.elsewhere,
        "environment": survey.environment,
        "programs": {benchmark: words for benchmark, words in survey.programs.items() if words},
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
            fields["is_complete"] = survey.is_complete(point)
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
