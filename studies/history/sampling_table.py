"""Table IV: sampling actively, at random, greedily, and by our default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from scipy.stats import shapiro, wilcoxon

from sonde.effects.recordings.points import RecordedSeries
from sonde.methods.history_sampling.at_random import AtRandom
from sonde.methods.history_sampling.facts import SeriesFacts, SubjectFacts
from sonde.methods.history_sampling.policy import Policy
from sonde.methods.history_sampling.widest_gap import WidestGap
from studies.history.markdown import percent, table
from studies.history.recordings import SHARES, Studied, mape, points_of
from studies.history.replays import DEFAULT, GREEDY, Replay, at_share

REPETITIONS = 10
ACTIVE, RANDOM = "active", "random"
COLUMNS = (ACTIVE, RANDOM, GREEDY, DEFAULT)
TESTS = ((ACTIVE, RANDOM), (GREEDY, ACTIVE), (DEFAULT, ACTIVE), (DEFAULT, GREEDY))  # is the first one better?

Errors = Mapping[str, Sequence[float]]  # MAPE of each series, by column


@dataclass(frozen=True)
class Cell:
    """A recording at a share."""

    recording: str
    share: float
    errors: Errors


def bridge_error(policy: Policy, series: RecordedSeries, points: int, seed: int = 0) -> float:
    """MAPE of the Brownian kernel without noise, which is the line between the samples of a policy."""
    length = len(series.revisions)
    nothing = np.zeros(0, dtype=np.int64)
    facts = SeriesFacts(
        np.arange(length),
        nothing,
        np.zeros(0),
        nothing,
        nothing,
        np.ones(length, dtype=np.bool_),
        nothing,
        points,
        noise_floor=0.01,
        magnitude=0.05,
    )
    # Neither policy looks at values, so all picks come at once.
    picks = sorted(pick.step for pick in policy.choose(SubjectFacts(length, (facts,), seed), points))
    values = np.array(series.values)
    return mape(np.interp(np.arange(length), picks, values[picks]), values)


def cells(recordings: Sequence[Studied], replays: Sequence[Replay]) -> list[Cell]:
    """The errors of all series of all recordings."""
    return [
        Cell(recording.name, share, _errors(recording, share, replays))
        for recording in recordings
        for share in SHARES
    ]


def _errors(recording: Studied, share: float, replays: Sequence[Replay]) -> Errors:
    found: dict[str, list[float]] = {column: [] for column in COLUMNS}
    ours = {planner: at_share(replays, recording.name, planner, share) for planner in (GREEDY, DEFAULT)}
    for at, series in enumerate(recording.series):
        points = points_of(share, len(series.revisions))
        found[ACTIVE].append(bridge_error(WidestGap(), series, points))
        seeds = range(at * REPETITIONS, (at + 1) * REPETITIONS)
        found[RANDOM].append(
            float(np.mean([bridge_error(AtRandom(), series, points, seed) for seed in seeds]))
        )
        for planner, replay in ours.items():
            found[planner].append(mape(replay.estimates[series.key], series.values))
    return found


def p_value(better: Sequence[float], worse: Sequence[float]) -> float:
    """Of the one-sided paired Wilcoxon signed-rank test that the first errors are smaller; 1 if all agree."""
    if np.array_equal(better, worse):
        return 1.0
    return float(wilcoxon(better, worse, alternative="less").pvalue)


def normality(better: Sequence[float], worse: Sequence[float]) -> float:
    """The p-value of Shapiro and Wilk of the differences; not a number where there is nothing to test."""
    differences = np.subtract(better, worse)
    if len(differences) < 3 or np.ptp(differences) == 0:
        return nan
    return float(shapiro(differences).pvalue)


def section(found: Sequence[Cell]) -> str:
    """The table of errors, that of tests, and what they say."""
    head = ["recording", "share", "series", *COLUMNS]
    names = [f"{better} < {worse}" for better, worse in TESTS]
    rows, tests = [], []
    for cell in found:
        means = {column: float(np.mean(cell.errors[column])) for column in COLUMNS}
        shown = [f"**{one:.2f}**" if one == min(means.values()) else f"{one:.2f}" for one in means.values()]
        rows.append([cell.recording, percent(cell.share), str(len(cell.errors[ACTIVE])), *shown])
        tests.append([cell.recording, percent(cell.share), *_tested(cell.errors)])
    pooled: Errors = {column: [float(np.mean(cell.errors[column])) for cell in found] for column in COLUMNS}
    tests.append(["all, as the paper pairs them", "", *_tested(pooled)])
    return "\n\n".join(
        [
            table(head, rows, texts=2),
            "p-values, and in brackets whether the differences look normal (Shapiro-Wilk, p):",
            table(["recording", "share", *names], tests, texts=2),
            _said(found, pooled),
        ]
    )


def _tested(errors: Errors) -> list[str]:
    return [
        f"{p_value(errors[better], errors[worse]):.2g} ({normality(errors[better], errors[worse]):.1g})"
        for better, worse in TESTS
    ]


def _said(found: Sequence[Cell], pooled: Errors) -> str:
    parts = []
    for better, worse in TESTS:
        wins = sum(np.less(pooled[better], pooled[worse]).tolist())
        clear = sum(p_value(cell.errors[better], cell.errors[worse]) < 0.05 for cell in found)
        parts.append(
            f"{better} has a lower mean than {worse} in {wins} of {len(found)} cells, significantly so by "
            f"series in {clear} (p < 0.05), p = {p_value(pooled[better], pooled[worse]):.2g} over the cells"
        )
    return "; ".join(parts) + "."
