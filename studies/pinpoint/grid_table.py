"""Figures 5a to 5c, as tables, and the parameters of Table 1."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np

from sonde.methods.pinpointing.likelihoods.search import SETTLED
from sonde.workflows.pinpoint.searches import DEFAULT, PAPER
from studies.history.markdown import table
from studies.pinpoint.grid import Grid, beside
from studies.pinpoint.replays import OracleTask, Played
from studies.pinpoint.running import Outcomes

PARAMETERS = ("options", "revisions", "changes", "p", "initial_factor", "measurements")
SYMBOLS = {
    "options": "options",
    "revisions": "revisions",
    "changes": "changes",
    "p": "p of interactions",
    "initial_factor": "N initial",
    "measurements": "measurements an iteration",
}

Pair = tuple[OracleTask, Played, Played]  # an experiment, the paper's planner and the default one


def section(grid: Grid, judge: Path, outcomes: Outcomes) -> str:
    """All tables and what they say."""
    pairs = [(task, outcomes[task], outcomes[beside(task)]) for task in grid.tasks(judge)]
    return "\n\n".join(
        [
            _all(pairs),
            _ITERATIONS.strip(),
            _by_iteration(pairs),
            _CHANGES.strip(),
            _by_changes(pairs),
            "The parameters of Table 1, one at a time:",
            _by_parameter(pairs),
        ]
    )


def _all(pairs: Sequence[Pair]) -> str:
    settled = [paper for _, paper, _ in pairs if paper.ending == SETTLED]
    nothing = sum(not paper.findings for paper in settled)
    f1, points = ([_mean(pairs, at, name) for at in (1, 2)] for name in (_f1, _points))
    return (
        f"{PAPER} settles in {len(settled)} of {len(pairs)} experiments, in {nothing} of them without a "
        f"finding. Mean F1: {PAPER} {f1[0]:.3f} with {points[0]:,.0f} points, "
        f"{DEFAULT} {f1[1]:.3f} with {points[1]:,.0f} points."
    )


def _by_iteration(pairs: Sequence[Pair]) -> str:
    groups: defaultdict[tuple[int, bool], list[float]] = defaultdict(list)
    for _, paper, _ in pairs:
        groups[paper.iterations, paper.ending == SETTLED].append(_f1(paper))
    rows = [
        [
            str(iteration),
            "settled" if is_settled else "not",
            str(len(some)),
            f"{fmean(some):.2f}",
            *(f"{np.quantile(some, part):.2f}" for part in (0.25, 0.5, 0.75)),
        ]
        for (iteration, is_settled), some in sorted(groups.items())
    ]
    head = ["iterations", "ended", "experiments", "mean F1", "first quartile", "median", "third quartile"]
    return table(head, rows, texts=2)


def _by_changes(pairs: Sequence[Pair]) -> str:
    groups: defaultdict[tuple[int, int], list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[pair[0].changes, pair[1].degree].append(pair)
    rows = [
        [str(changes), str(degree), str(len(some)), *_two(some, _f1, ".2f"), *_two(some, _points, ",.0f")]
        for (changes, degree), some in sorted(groups.items())
    ]
    head = ["changes", "largest term", "experiments", *_heads("F1"), *_heads("points")]
    return table(head, rows, texts=2)


def _by_parameter(pairs: Sequence[Pair]) -> str:
    rows = []
    for name in PARAMETERS:
        for value in sorted({getattr(task, name) for task, _, _ in pairs}):
            some = [pair for pair in pairs if getattr(pair[0], name) == value]
            settled = sum(paper.ending == SETTLED for _, paper, _ in some)
            rows.append(
                [
                    SYMBOLS[name],
                    str(value),
                    str(len(some)),
                    str(settled),
                    f"{fmean(paper.iterations for _, paper, _ in some):.1f}",
                    *_two(some, _f1, ".2f"),
                    *_two(some, _points, ",.0f"),
                ]
            )
    head = ["parameter", "value", "experiments", "settled", "iterations", *_heads("F1"), *_heads("points")]
    return table(head, rows, texts=2)


def _heads(figure: str) -> list[str]:
    return [f"{figure}, {planner}" for planner in (PAPER, DEFAULT)]


def _two(some: Sequence[Pair], figure: Callable[[Played], float], spelling: str) -> list[str]:
    return [format(_mean(some, at, figure), spelling) for at in (1, 2)]


def _mean(some: Sequence[Pair], at: int, figure: Callable[[Played], float]) -> float:
    return fmean(figure(pair[1] if at == 1 else pair[2]) for pair in some)


def _f1(played: Played) -> float:
    return float(played.scores["f1"])


def _points(played: Played) -> float:
    return float(played.points)


_ITERATIONS = """
Figures 5a and 5b: at which iteration the paper's planner ended, and the F1 of what it had then. *Settled* is
its own criterion of ending; the others came to the limit of 30 iterations.
"""
_CHANGES = """
Figure 5c: the number of changes, and the number of options in the largest term whose change counts.
"""
