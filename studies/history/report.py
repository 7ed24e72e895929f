"""The page of the study: what was done, its tables, and how it differs from the paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from studies.history import (
    authors,
    change_table,
    cusum_table,
    judged_table,
    kernel_table,
    replays,
    sampling_table,
)
from studies.history.kernel_table import KernelRun, KernelTask
from studies.history.markdown import table
from studies.history.recordings import Studied, find_recordings
from studies.history.replays import Replay, ReplayTask


@dataclass(frozen=True)
class Settings:
    """What the user wishes for."""

    recordings: Path
    judge: Path | None = None
    most_series: int = 12  # of a recording, for the kernels
    seed: int = 1
    workers: int = 2


Progress = Callable[[str], None]


def _say_nothing(_: str) -> None:
    pass


class NoRecordings(Exception):
    """A folder without anything to study."""


def write_report(settings: Settings, progress: Progress = _say_nothing) -> str:
    """The whole page; it takes minutes."""
    recordings = find_recordings(settings.recordings)
    if not recordings:
        raise NoRecordings(
            f"{settings.recordings}: no sub-folder has points.csv or points.csv.gz with a series of 20 "
            "revisions. Name the folder that holds the folders of recordings."
        )
    wanted = [task for one in recordings for task in replays.tasks(one, settings.judge)]
    fits = [
        task for one in recordings for task in kernel_table.tasks(one, settings.most_series, settings.seed)
    ]
    played, runs = _run(wanted, fits, settings.workers, progress)
    cells = sampling_table.cells(recordings, played)
    scores = change_table.scores(recordings, runs, played)
    parts = [
        _BEGINNING,
        "## Recordings",
        _sources(recordings),
        "## Are there changes at all? (section II, Figure 2)",
        _CUSUM,
        cusum_table.section(recordings),
        "## Which kernel? (RQ1, Table III)",
        _KERNELS.format(most=settings.most_series, seed=settings.seed),
        kernel_table.section(recordings, runs, settings.most_series),
        "## Does choosing help? (RQ2, Table IV)",
        _SAMPLING,
        sampling_table.section(cells),
        authors.section(settings.recordings, recordings),
        "## Are changes found? (RQ3, Figure 5)",
        _CHANGES,
        change_table.section(recordings, scores),
    ]
    if settings.judge is not None:
        parts += ["## Planners before the judge", _JUDGED, judged_table.section(recordings, played)]
    parts += ["## Where this differs from the paper, and why", _DIFFERENCES]
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def _run(
    wanted: Sequence[ReplayTask], fits: Sequence[KernelTask], workers: int, progress: Progress
) -> tuple[list[Replay], list[KernelRun]]:
    """All tasks, in several processes if there are several workers."""
    if workers == 1:
        return [task.run() for task in wanted], [task.run() for task in fits]
    played: list[Replay] = []
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        playing = pool.map(ReplayTask.run, wanted)
        fitting = pool.map(KernelTask.run, fits, chunksize=4)
        for replay in playing:
            played.append(replay)
            progress(f"{len(played)} of {len(wanted)} replays")
        progress(f"{len(fits)} fits of kernels to series")
        return played, list(fitting)


def _sources(recordings: Sequence[Studied]) -> str:
    rows = [[one.name, one.source, str(len(one.series)), one.revisions] for one in recordings]
    listed = table(
        ["recording", "source, as its README names it", "series", "revisions a series"], rows, texts=2
    )
    return (
        "Recordings are not part of this repository. Series of less than 20 revisions are left out, and so "
        f"are values that are missing, zero or negative.\n\n{listed}"
    )


_BEGINNING = """
# Performance histories: the paper's tables on other recordings

Written by `make study-history RECORDINGS=... JUDGE=... ARGS=--write`; do not edit it by hand. It repeats the
evaluation of S. Mühlbauer, S. Apel, N. Siegmund: Accurate Modeling of Performance Histories for Evolving
Software Systems (ASE 2019), and sets our planners beside theirs. A share of 1, 3 or 5 % is a share of the
revisions of each series, four revisions at least; so in a series of 22 releases all three are the same. MAPE
is the mean absolute percentage error over all revisions, in percent, cut at 100 for each series; then the
mean over series. Sentences below a table are computed from it.
"""
_CUSUM = """
CUSUM, with the paper's drift and threshold (eq. 1 to 6), on each series by itself. Given are the changes a
series for some sizes of the window, as parts of the series, and at the plateau: the longest range of windows
in which the number stays the same. *Its windows* are the quartiles of the middle of the plateau; *amplitude*
is the step at a change, relative to the mean of its series.
"""
_KERNELS = """
Active sampling by eq. 9. Dense fits are slow, so at most {most} series of a recording are drawn, with seed
{seed}. The first, the middle and the last revision are measured first; all hyperparameters and the noise are
fitted anew after every sample by marginal likelihood. The mean is constant: that of the samples. The Brownian
kernel runs through the code in linear time, with a free start. *max σ* is the largest predictive standard
deviation, in percent of the mean of the samples. The last two rows of a recording are controls: the Brownian
kernel without noise, which is Table IV's, and the RBF with what GPy begins with. Bold: the lowest MAPE.
"""
_SAMPLING = """
The Brownian kernel without noise on all series: *active* is the paper's planner (which then halves the widest
gap), *random* the mean of ten repetitions. *greedy* and *shared-changes*, our default, are those of
`sonde replay history`. The tests are one-sided paired Wilcoxon signed-rank tests over series; series of one
subject change together, so these p-values are too small. The last row pairs the means of recordings and
shares, as the paper does; recordings whose shares are all the same count three times there.
"""
_CHANGES = """
Both algorithms as in ruptures (segments of two values or more, every fifth place), on logs, with the penalty
of our own detector from the noise of the full series, the same for estimate and truth. A change counts if it
is within five positions; F1 is the mean over those of the drawn series that change at all.
"""
_JUDGED = """
`sonde replay history --rows --changes` on whole recordings, scored by the judge that was given. F1 is against
the recording's own reference changes; a dash where it has none. *builds* are the distinct revisions that any
series measured.
"""
_DIFFERENCES = """
- The recordings are those above, not the paper's.
- Each series counts by itself. The paper's macrobenchmarks of libraries are sums of all methods; with methods
  that come and go such a sum jumps with every one of them.
- The paper's percentages seem to count iterations: the authors' published curves of the Brownian kernel on
  lrzip give the figures of Table III at iterations 8, 25 and 42, which are 1, 3 and 5 % of 850 revisions, and
  they have an iteration 0 with a model, so that its samples come on top. Ours count every measurement.
- Hyperparameters begin at the scale of the history, and the mean is that of the samples. Between samples that
  are farther apart than its lengthscale a stationary kernel falls back to its mean: to zero if it has none.
- CUSUM's deviations are between successive values, and eq. 6 is read as a mean of the windows' deviations.
- The paper gives no penalty for its segmentations; ours is stated above.
"""
