"""Which benchmarks a revision can have changed, in words and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from sonde.core.findings.selections import Basis, Churn, Selected, Selection
from sonde.core.results import Cost
from sonde.report.flow import paragraph
from sonde.report.labels import difference
from sonde.report.quantities import counted, duration, share_text
from sonde.report.revisions import ranges_of_both, revision_json, revision_text
from sonde.report.tables import table, width

LEAST_WHY = 40  # columns
MODULE_BODY = "<module>"  # every module of Python has one


def select_text(selection: Selection, most: int) -> str:
    """One line a benchmark, what it saves, and what it rests on; at most so many columns wide."""
    parts = [
        _heading(selection, most),
        _decisions(selection, most),
        paragraph(" ".join([_saving(selection), _cost(selection.cost)]), most),
    ]
    if any(each.basis is not Basis.PROVEN for each in selection.selected):
        parts.append(paragraph(selection.rule, most))
    if selection.to_run:
        parts.append(_command(selection))
    parts += [paragraph(f"Warning: {warning}", most) for warning in selection.warnings]
    if selection.caveats:
        parts.append(paragraph(" ".join(selection.caveats), most))
    return "\n\n".join(parts)


def _heading(selection: Selection, most: int) -> str:
    builds = paragraph(f"Compared with {revision_text(selection.base)}: {_churn(selection.churn)}", most)
    return f"{revision_text(selection.head)}\n{builds}"


def _churn(churn: Churn | None) -> str:
    if churn is None:
        return "no difference in code."
    changed = f"{churn.masked:,} of {counted(churn.functions, 'function')} changed"
    counts = ((churn.new, "new"), (churn.deleted, "deleted"))
    extra = [f"{number:,} {what}" for number, what in counts if number]
    if churn.objects:
        extra.append(f"{counted(churn.objects, 'constant')} changed")
    moved = (
        f"; {churn.raw:,} differ in their bytes, most of them only in addresses"
        if churn.raw > churn.masked
        else ""
    )
    return f"{', '.join([changed, *extra])}{moved}."


def _decisions(selection: Selection, most: int) -> str:
    names = [_name(each, selection) for each in selection.selected]
    room = most - max(map(width, names)) - len("skip") - 4
    rows = []
    for name, each in zip(names, selection.selected, strict=True):
        lines = paragraph(why_text(each), max(room, LEAST_WHY)).split("\n")
        rows.append(("run" if each.is_run else "skip", name, lines[0]))
        rows += [("", "", line) for line in lines[1:]]
    return table(("", "", ""), rows)


def why_text(each: Selected) -> str:
    """Why a benchmark should run or not, in one sentence."""
    since = f" since {each.profiled.short}" if each.profiled and each.hops else ""
    match each.basis:
        case Basis.PROVEN:
            return f"{each.reasons[0]}{since}: proven"
        case Basis.PREDICTED:
            return f"{_evidence(each)}: predicted, because {each.verdict}"
        case Basis.CHANGED:
            return _evidence(each)
        case Basis.DUE | Basis.UNKNOWN:
            return each.reasons[0]


def _evidence(each: Selected) -> str:
    """The weightiest change that the benchmark reaches, and how many there are."""
    if each.touched:
        first, others = each.touched[0], len(each.touched) - 1
        name = f"{first.name} of {first.output}" if first.name == MODULE_BODY else first.name
        how = f"{name} {first.how}" if " " not in first.how else f"{first.how} in {name}"
        more = f", and {counted(others, 'more change')} in code that it runs" if others else ""
        return f"{how}, {_share(first.share)} of its cost{more}"
    if each.constants:
        more = f", and {len(each.constants) - 1:,} more" if len(each.constants) > 1 else ""
        return f"no function that it runs changed, but they read {each.constants[0]}, which changed{more}"
    return each.reasons[0]


def _share(share: float) -> str:
    """A share as precisely as it matters."""
    return f"{100 * share:.3g} %" if share >= 0.0001 else "less than 0.01 %"


def _name(each: Selected, selection: Selection) -> str:
    if all(one.configuration == selection.default for one in selection.selected):
        return each.benchmark
    return f"{each.benchmark}, {difference(each.configuration, selection.default)}"


def _saving(selection: Selection) -> str:
    runs, of_runs = _runs(selection)
    text = f"Run {len(selection.to_run):,} of {len(selection.selected):,}"
    if len(selection.to_run) == len(selection.selected):
        return f"{text}: nothing is saved."
    seconds, of_seconds = _seconds(selection)
    saved = f"{text}: {of_runs - runs:,} of {counted(of_runs, 'run')} are saved ({_grounds(selection)})"
    if of_seconds and all(each.seconds is not None for each in selection.selected):
        share = share_text(1 - seconds / of_seconds)
        saved += f", about {duration(of_seconds - seconds)} of {duration(of_seconds)} ({share})"
    return f"{saved}."


def _grounds(selection: Selection) -> str:
    """How many of the runs that are saved rest on what."""
    words = {Basis.PROVEN: "by proof", Basis.PREDICTED: "by prediction"}
    skipped = {
        name: sum(each.runs for each in selection.selected if not each.is_run and each.basis is basis)
        for basis, name in words.items()
    }
    return (
        ", ".join(f"{number:,} {name}" for name, number in skipped.items() if number)
        or "they cannot run at all"
    )


def _runs(selection: Selection) -> tuple[int, int]:
    """The runs of what is selected, and of everything."""
    return sum(each.runs for each in selection.to_run), sum(each.runs for each in selection.selected)


def _seconds(selection: Selection) -> tuple[float, float]:
    """The time of what is selected and of everything, as far as it is known."""
    return _time(selection.to_run), _time(selection.selected)


def _time(chosen: Sequence[Selected]) -> float:
    return sum((each.seconds or 0.0) * each.runs for each in chosen)


def _cost(cost: Cost) -> str:
    if not cost.builds and not cost.runs:
        return "The analysis needed no build or run."
    work = f"{counted(cost.builds, 'build')} and {counted(cost.runs, 'profiled run')}"
    return f"The analysis took {work}, {duration(cost.seconds)} of work."


def _command(selection: Selection) -> str:
    """What measures the selected benchmarks, one line a configuration."""
    wanted: dict[str, list[str]] = {}
    for each in selection.to_run:
        name = difference(each.configuration, selection.default)
        wanted.setdefault(name, []).append(each.benchmark)
    lines = []
    for configuration, benchmarks in wanted.items():
        words = [word for name in benchmarks for word in ("-b", name)]
        chosen = [] if configuration == "default" else ["-c", configuration]
        arguments = shlex.join([*words, *chosen])
        lines += [
            f"$ sonde measure {range} {arguments}" for range in ranges_of_both(selection.head, selection.base)
        ]
    return "\n".join(lines)


def select_json(selection: Selection) -> dict[str, object]:
    """Every decision with its evidence."""
    runs, of_runs = _runs(selection)
    seconds, of_seconds = _seconds(selection)
    cost, churn = selection.cost, selection.churn
    return {
        "head": revision_json(selection.head),
        "base": revision_json(selection.base),
        "selected": [_selected_json(each) for each in selection.selected],
        "rule": selection.rule,
        "functions": _churn_json(churn) if churn else None,
        "saving": {
            "runs": of_runs - runs,
            "runs_total": of_runs,
            "seconds": of_seconds - seconds,
            "seconds_total": of_seconds,
        },
        "spent": {"builds": cost.builds, "runs": cost.runs, "seconds": cost.seconds},
        "warnings": list(selection.warnings),
        "caveats": list(selection.caveats),
    }


def _churn_json(churn: Churn) -> dict[str, object]:
    return {
        "total": churn.functions,
        "raw": churn.raw,
        "normalised": churn.normalised,
        "masked": churn.masked,
        "new": churn.new,
        "deleted": churn.deleted,
        "objects": churn.objects,
    }


def _selected_json(each: Selected) -> dict[str, object]:
    return {
        "benchmark": each.benchmark,
        "configuration": dict(each.configuration.values),
        "decision": "run" if each.is_run else "skip",
        "basis": each.basis.value,
        "why": why_text(each),
        "reasons": list(each.reasons),
        "functions": [{"name": one.name, "share": one.share, "how": one.how} for one in each.touched],
        "constants": list(each.constants),
        "indicators": dict(each.indicators),
        "profiled": each.profiled.id if each.profiled else None,
        "hops": each.hops,
        "runs": each.runs,
        "seconds": each.seconds,
    }
