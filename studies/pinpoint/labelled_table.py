"""Recordings whose changes people have labelled: which of them are found, and with which terms."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from sonde.workflows.pinpoint.searches import DEFAULT, PAPER
from studies.history.markdown import table
from studies.pinpoint.judge import Json, Judge
from studies.pinpoint.replays import Played, RecordingTask
from studies.pinpoint.running import Outcomes

THRESHOLD = "10%"
TRUTH = "truth.json"
ASKED = {"recall": 0.85, "precision": 0.9, "points": 600}  # of the default planner, for ...
ASKED_OF = "lrzip-commits"
SHOWN_TERMS = 3


def tasks(folder: Path, seeds: int, first_seed: int) -> list[RecordingTask]:
    """Both planners on every recording that has labels and options."""
    return [
        RecordingTask(recording, planner, THRESHOLD, "", seed)
        for recording in sorted(folder.iterdir())
        if (recording / TRUTH).is_file() and (recording / "configurations.csv").is_file()
        for planner in (DEFAULT, PAPER)
        for seed in range(first_seed, first_seed + seeds)
    ]


def section(tasks: Sequence[RecordingTask], judge: Judge, outcomes: Outcomes) -> str:
    """Two tables a recording."""
    parts = []
    for recording in dict.fromkeys(task.recording for task in tasks):
        truth = json.loads((recording / TRUTH).read_text())
        played = {
            planner: [
                outcomes[task] for task in tasks if (task.recording, task.planner) == (recording, planner)
            ]
            for planner in (DEFAULT, PAPER)
        }
        parts += [_figures(recording.name, truth, played, judge), _terms(truth, played)]
    return "\n\n".join(parts)


def _figures(name: str, truth: Json, played: dict[str, list[Played]], judge: Judge) -> str:
    known = [each for each in truth["change_points"] if each.get("options") is not None]
    also_real = [each["revision"] for each in truth.get("also_real", [])]
    rows = []
    if name == ASKED_OF:
        every = f"{len(played[DEFAULT])}"
        rows.append(
            [
                *(name, "*asked for*", every, f"{ASKED['recall']:.2f}", f"{ASKED['precision']:.2f}", ""),
                *([every] * (len(also_real) + len(known))),
                *(f"at most {ASKED['points']}", "", "", ""),
            ]
        )
    for planner, some in played.items():
        scores = [judge.score(truth, one.findings) for one in some]
        rows.append(
            [
                name,
                planner,
                str(len(some)),
                f"{fmean(one['revision_recall'] for one in scores):.3f}",
                f"{fmean(one['revision_precision'] for one in scores):.3f}",
                f"{fmean(one['f1'] for one in scores):.3f}",
                *(str(sum(each in one["also_real_found"] for one in scores)) for each in also_real),
                *(str(sum(_is_named(one, each, truth) for one in some)) for each in known),
                f"{fmean(one.points for one in some):,.0f}",
                f"{max(one.points for one in some):,}",
                f"{fmean(one.runs for one in some):,.0f}",
                f"{fmean(one.seconds for one in some):.1f}",
            ]
        )
    head = [
        *("recording", "planner", "seeds", "revision recall", "revision precision", "F1"),
        *(f"{each} found" for each in also_real),
        *(f"{each['revision']} is {_term(each['options'])} alone" for each in known),
        *("points", "most points", "runs", "seconds"),
    ]
    return table(head, rows, texts=2)


def _terms(truth: Json, played: dict[str, list[Played]]) -> str:
    rows = []
    changes = [*truth["change_points"], *truth.get("also_real", [])]
    for change in sorted(changes, key=lambda each: int(each["revision"])):
        options = change.get("options")
        row = [str(change["revision"]), "not labelled" if options is None else _term(options)]
        for some in played.values():
            named = [{_term(each["options"]) for each in _at(one.findings, change, truth)} for one in some]
            often = Counter(term for terms in named for term in terms).most_common(SHOWN_TERMS)
            row += [
                str(sum(bool(terms) for terms in named)),
                ", ".join(f"{term} ({count})" for term, count in often) or "-",
            ]
        rows.append(row)
    heads = [
        head for planner in played for head in (f"{planner}: found", "its terms, the most frequent ones")
    ]
    return table(["revision", "term", *heads], rows, texts=2 + len(heads))


def _is_named(played: Played, change: Json, truth: Json) -> bool:
    """Whether this change is found with just its term, and with no other one."""
    terms = [sorted(each["options"]) for each in _at(played.findings, change, truth)]
    return bool(terms) and all(term == sorted(change["options"]) for term in terms)


def _at(findings: Sequence[Json], change: Json, truth: Json) -> list[Json]:
    """The findings that are near enough to a change, and nearer to no other."""
    changes = [each["revision"] for each in (*truth["change_points"], *truth.get("also_real", []))]
    tolerance = truth.get("tolerance_revisions", 5)

    def distance(finding: Json) -> int:
        return abs(int(finding["revision"]) - int(change["revision"]))

    return [
        each
        for each in findings
        if distance(each) <= tolerance
        and distance(each) == min(abs(each["revision"] - revision) for revision in changes)
    ]


def _term(options: Sequence[str]) -> str:
    return " & ".join(sorted(options)) or "core"
