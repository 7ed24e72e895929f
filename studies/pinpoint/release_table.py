"""Recordings of releases: a few of the points, against exhaustive regression on all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from statistics import fmean

from sonde.workflows.pinpoint.searches import DEFAULT, PAPER
from studies.history.markdown import percent, table
from studies.pinpoint.exhaustive import find_steps
from studies.pinpoint.extents import Extents, read_term
from studies.pinpoint.judge import Json, Judge
from studies.pinpoint.judging import explained_share, simplified, truth
from studies.pinpoint.kept import Kept
from studies.pinpoint.releases import Releases, read_releases
from studies.pinpoint.replays import Played, RecordingTask
from studies.pinpoint.running import Outcomes, Progress
from studies.pinpoint.sources import regression_digest

NAMES = "*-releases"
DEVIATIONS = "relative-deviation.csv*"
THRESHOLD = "5%"
BUDGET = "5%"
SCORES = ("precision", "recall", "f1", "revision_precision", "revision_recall")


@dataclass(frozen=True)
class Regressed:
    """A recording, and what exhaustive regression says of it."""

    releases: Releases
    extents: Extents
    truth: Json
    share: float  # of the squares of all log steps, that its terms explain


def tasks(folder: Path, seeds: int, first_seed: int) -> list[RecordingTask]:
    """Both planners on every recording of releases; runs are also drawn where deviations are recorded."""
    return [
        RecordingTask(recording, planner, THRESHOLD, BUDGET, seed, draws_runs)
        for recording in sorted(folder.glob(NAMES))
        for draws_runs in (False, True)
        if not draws_runs or any(recording.glob(DEVIATIONS))
        for planner in (DEFAULT, PAPER)
        for seed in range(first_seed, first_seed + seeds)
    ]


def regress(folder: Path, kept: Kept, progress: Progress) -> dict[str, Regressed]:
    """Exhaustive regression on every recording of releases, by name."""
    found = {}
    for recording in sorted(folder.glob(NAMES)):
        releases = read_releases(recording)
        extents = Extents(releases)
        key = f"regression {regression_digest()} {recording.name}"
        known: Json | None = kept.get(key)
        if known is None:
            progress(f"exhaustive regression on {recording.name}")
            known = dict(truth(find_steps(releases, extents)))
            kept.put(key, known)
        terms = [
            (int(each["revision"]), read_term(each["options"]))
            for each in known["change_points"]
            if each["counts"]
        ]
        found[recording.name] = Regressed(releases, extents, known, explained_share(releases, extents, terms))
    return found


def section(
    tasks: Sequence[RecordingTask], regressed: dict[str, Regressed], judge: Judge, outcomes: Outcomes
) -> str:
    """What regression finds, and what the planners do."""
    rows = []
    for (recording, draws_runs, planner), some in groupby(
        tasks, lambda task: (task.recording, task.draws_runs, task.planner)
    ):
        one = regressed[recording.name]
        values = "drawn" if draws_runs else "recorded"
        rows.append([recording.name, values, planner, *_cells([outcomes[task] for task in some], one, judge)])
    head = [
        *("recording", "runs", "planner", "seeds", "findings"),
        *("precision", "recall", "F1", "revision precision", "revision recall"),
        *("explained", "points", "share of all", "seconds"),
    ]
    return f"{_regression(regressed)}\n\n{table(head, rows, texts=3)}"


def _regression(regressed: dict[str, Regressed]) -> str:
    rows = []
    for name, one in regressed.items():
        counted = [each for each in one.truth["change_points"] if each["counts"]]
        rows.append(
            [
                name,
                str(len(one.releases.options)),
                str(len(one.releases.configurations)),
                str(len(one.releases.revisions)),
                str(len(counted)),
                str(len({each["revision"] for each in counted})),
                percent(one.share),
            ]
        )
    head = ["recording", "options", "configurations", "releases", "terms", "at so many releases", "explained"]
    return table(head, rows)


def _cells(some: Sequence[Played], one: Regressed, judge: Judge) -> list[str]:
    simple = [simplified(each.findings, one.extents) for each in some]
    scores = [judge.score(one.truth, findings) for findings in simple]
    shares = [_share(findings, one) for findings in simple]
    all_points = len(one.releases.configurations) * len(one.releases.revisions)
    points = fmean(each.points for each in some)
    return [
        str(len(some)),
        f"{fmean(len(each.findings) for each in some):.1f}",
        *(f"{fmean(score[name] for score in scores):.2f}" for name in SCORES),
        percent(fmean(shares)),
        f"{points:,.0f}",
        f"{100 * points / all_points:.1f} %",
        f"{fmean(each.seconds for each in some):.1f}",
    ]


def _share(findings: Sequence[Json], one: Regressed) -> float:
    terms = [(int(each["revision"]), read_term(each["options"])) for each in findings]
    return explained_share(one.releases, one.extents, terms)
