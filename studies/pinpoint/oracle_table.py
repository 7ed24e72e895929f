"""Systems with changes: how right each planner is, with how many runs, and the bars for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean

from sonde.workflows.pinpoint.searches import DEFAULT, PAPER
from studies.history.markdown import percent, table
from studies.pinpoint.replays import OracleTask, Played
from studies.pinpoint.running import Outcomes

FEW_OPTIONS = 16
ALL, FEW, MANY = "all", "up to 16", "more than 16"


@dataclass(frozen=True)
class Bar:
    """What is asked for at a noise, for some systems: a mean F1, and how much it may take."""

    noise: float
    group: str
    f1: float
    limit: int
    unit: str  # runs or points


BARS = (
    Bar(0.0, ALL, 0.97, 150, "points"),
    Bar(0.01, FEW, 0.95, 2000, "runs"),
    Bar(0.01, MANY, 0.93, 4000, "runs"),
    Bar(0.03, FEW, 0.92, 2000, "runs"),
    Bar(0.03, MANY, 0.85, 4000, "runs"),
    Bar(0.05, FEW, 0.88, 2000, "runs"),
    Bar(0.05, MANY, 0.75, 4000, "runs"),
)


@dataclass(frozen=True)
class Systems:
    """The systems that are played: all combinations of these, each with so many seeds."""

    options: Sequence[int] = (8, 16, 32, 64)
    changes: Sequence[int] = (1, 2, 5, 10)
    noises: Sequence[float] = (0.0, 0.01, 0.03, 0.05)
    revisions: int = 1000
    seeds: int = 5
    paper_systems: int = 64  # that the paper's planner plays: each combination once
    first_seed: int = 1

    def tasks(self, judge: Path) -> list[OracleTask]:
        """All of the default planner, and those of the paper's."""
        ours = [
            OracleTask(judge, DEFAULT, options, changes, noise, seed, self.revisions)
            for seed in range(self.first_seed, self.first_seed + self.seeds)
            for options, changes, noise in product(self.options, self.changes, self.noises)
        ]
        theirs = [replace(task, planner=PAPER) for task in self._in_turn(ours)]
        return [*ours, *theirs[: self.paper_systems]]

    def _in_turn(self, tasks: Sequence[OracleTask]) -> list[OracleTask]:
        """One of each kind that a bar is for, then another one, drawn; first all of the first seed."""
        drawn = Random(self.first_seed).sample(tasks, len(tasks))
        before: Counter[tuple[int, float, bool]] = Counter()
        turns: dict[OracleTask, tuple[int, int, float, bool]] = {}
        for task in drawn:
            kind = task.seed, task.noise, task.options <= FEW_OPTIONS
            turns[task] = (task.seed, before[kind], *kind[1:])
            before[kind] += 1
        return sorted(drawn, key=turns.__getitem__)


def section(systems: Systems, judge: Path, outcomes: Outcomes) -> str:
    """The table with the bars, what it says, and the F1 of each size of system."""
    tasks = systems.tasks(judge)
    bars = [bar for bar in BARS if bar.noise in systems.noises and _of(tasks, bar, DEFAULT)]
    return "\n\n".join(
        [_by_bar(bars, tasks, outcomes), _said(bars, tasks, outcomes), _by_size(systems, tasks, outcomes)]
    )


def _of(tasks: Sequence[OracleTask], bar: Bar, planner: str) -> list[OracleTask]:
    """The tasks of a planner that a bar is for."""
    groups = {ALL: (True, True), FEW: (True, False), MANY: (False, True)}
    for_few, for_many = groups[bar.group]
    return [
        task
        for task in tasks
        if task.planner == planner
        and task.noise == bar.noise
        and (for_few if task.options <= FEW_OPTIONS else for_many)
    ]


def _by_bar(bars: Sequence[Bar], tasks: Sequence[OracleTask], outcomes: Outcomes) -> str:
    head = [
        "noise",
        "options",
        "planner",
        "systems",
        "F1",
        "precision",
        "recall",
        "runs",
        "points",
        "seconds",
    ]
    rows = []
    for bar in bars:
        place = [percent(bar.noise), bar.group]
        asked = {"runs": "", "points": "", bar.unit: f"at most {bar.limit:,}"}
        rows.append([*place, "*asked for*", "", f"{bar.f1:.2f}", "", "", asked["runs"], asked["points"], ""])
        ours, theirs = (_of(tasks, bar, planner) for planner in (DEFAULT, PAPER))
        rows.append([*place, DEFAULT, *_cells([outcomes[task] for task in ours])])
        if theirs and len(theirs) < len(ours):
            same = [outcomes[replace(task, planner=DEFAULT)] for task in theirs]
            rows.append([*place, f"{DEFAULT}, on those of the next row", *_cells(same)])
        if theirs:
            rows.append([*place, PAPER, *_cells([outcomes[task] for task in theirs])])
    return table(head, rows, texts=3)


def _cells(some: Sequence[Played]) -> list[str]:
    scores = [fmean(one.scores[name] for one in some) for name in ("f1", "precision", "recall")]
    efforts = [fmean(one.runs for one in some), fmean(one.points for one in some)]
    return [
        str(len(some)),
        *(f"{score:.3f}" for score in scores),
        *(f"{effort:,.0f}" for effort in efforts),
        f"{fmean(one.seconds for one in some):.1f}",
    ]


def _said(bars: Sequence[Bar], tasks: Sequence[OracleTask], outcomes: Outcomes) -> str:
    kept: list[str] = []
    missed: list[str] = []
    for bar in bars:
        some = [outcomes[task] for task in _of(tasks, bar, DEFAULT)]
        f1, effort = fmean(one.scores["f1"] for one in some), fmean(getattr(one, bar.unit) for one in some)
        name = f"{percent(bar.noise)} noise, {bar.group} options"
        is_kept = f1 >= bar.f1 and effort <= bar.limit
        (kept if is_kept else missed).append(
            name if is_kept else f"{name} ({f1:.3f}, {effort:,.0f} {bar.unit})"
        )
    said = f"{DEFAULT} does what is asked for in {len(kept)} of {len(bars)} rows"
    return f"{said}; not so: {'; '.join(missed)}." if missed else f"{said}."


def _by_size(systems: Systems, tasks: Sequence[OracleTask], outcomes: Outcomes) -> str:
    planners = [planner for planner in (DEFAULT, PAPER) if any(task.planner == planner for task in tasks)]
    columns = list(product(planners, systems.noises))
    rows = []
    for options, changes in product(systems.options, systems.changes):
        cells = []
        for planner, noise in columns:
            some = [
                outcomes[task].scores["f1"]
                for task in tasks
                if (task.planner, task.noise, task.options, task.changes)
                == (planner, noise, options, changes)
            ]
            cells.append(f"{fmean(some):.2f}" if some else "-")
        rows.append([str(options), str(changes), *cells])
    head = ["options", "changes", *(f"{planner}, {percent(noise)}" for planner, noise in columns)]
    return f"The mean F1 of each size of system, by planner and noise:\n\n{table(head, rows, texts=2)}"
