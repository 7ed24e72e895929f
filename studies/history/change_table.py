"""Figure 5: changes found on estimates against those found on the full series."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import log

import numpy as np

from sonde.effects.recordings.points import RecordedSeries
from sonde.numerics.gaussian_processes.observations import Array
from sonde.numerics.segmentation.binary_segmentation import split_from_top
from sonde.numerics.segmentation.bottom_up import merge_from_bottom
from sonde.numerics.segmentation.detection import DEFAULT_SETTINGS
from sonde.numerics.segmentation.noise import estimate_noise
from sonde.numerics.segmentation.stopping import Penalty
from studies.history.active_sampling import KERNELS
from studies.history.kernel_table import KernelRun
from studies.history.markdown import bars, percent, table
from studies.history.recordings import SHARES, Studied
from studies.history.replays import DEFAULT, Replay, at_share

TOLERANCE = 5  # positions
OWN = f"{DEFAULT}, its own changes"

Algorithm = Callable[[Array, Penalty], tuple[int, ...]]
ALGORITHMS: Mapping[str, Algorithm] = {
    "binary segmentation": split_from_top,
    "bottom-up": merge_from_bottom,
}
Key = tuple[str, str, str, float]  # recording, algorithm, estimate, share


def matches(truth: Sequence[int], found: Sequence[int]) -> int:
    """How many match one to one, as the judge counts: each true one, in order, with the nearest left."""
    left = list(found)
    for change in truth:
        nearest = min(left, key=lambda other: (abs(other - change), other), default=None)
        if nearest is not None and abs(nearest - change) <= TOLERANCE:
            left.remove(nearest)
    return len(found) - len(left)


def f1(truth: Sequence[int], found: Sequence[int]) -> float:
    """The harmonic mean of precision and recall; `truth` is not empty."""
    return 2 * matches(truth, found) / (len(truth) + len(found))


def penalty_of(series: RecordedSeries) -> Penalty:
    """The penalty of our own detector, from the noise of the full series."""
    noise = estimate_noise(np.log(series.values), DEFAULT_SETTINGS.noise_floor)
    return Penalty(DEFAULT_SETTINGS.penalty * noise**2 * log(len(series.values)))


def scores(
    recordings: Sequence[Studied], runs: Sequence[KernelRun], replays: Sequence[Replay]
) -> Mapping[Key, list[float]]:
    """F1 of each series that changes at all, by recording, algorithm, estimate and share."""
    found: defaultdict[Key, list[float]] = defaultdict(list)
    drawn = {
        recording.name: {run.series.key: run.series for run in runs if run.recording == recording.name}
        for recording in recordings
    }
    for algorithm, detect in ALGORITHMS.items():
        truths = {
            (name, series.key): detect(np.log(series.values), penalty_of(series))
            for name, some in drawn.items()
            for series in some.values()
        }
        for run in runs:
            truth = truths[run.recording, run.series.key]
            for share, course in zip(SHARES, run.courses, strict=True):
                least = min(run.series.values) / 100  # a kernel may dip below zero
                changes = detect(np.log(np.maximum(course.mean, least)), penalty_of(run.series))
                _note(found, (run.recording, algorithm, run.kernel, share), truth, changes)
        for name, some in drawn.items():
            for share in SHARES:
                replay = at_share(replays, name, DEFAULT, share)
                for key, series in some.items():
                    changes = detect(np.log(replay.estimates[key]), penalty_of(series))
                    _note(found, (name, algorithm, DEFAULT, share), truths[name, key], changes)
                    position = {revision: at for at, revision in enumerate(series.revisions)}
                    own = tuple(position[revision] for revision in replay.changes.get(key, ()))
                    _note(found, (name, algorithm, OWN, share), truths[name, key], own)
    return found


def _note(
    found: defaultdict[Key, list[float]], key: Key, truth: tuple[int, ...], changes: tuple[int, ...]
) -> None:
    if truth:
        found[key].append(f1(truth, changes))


def section(recordings: Sequence[Studied], found: Mapping[Key, list[float]]) -> str:
    """The table, the chart of its means, and what they say."""
    names = [*KERNELS, DEFAULT, OWN]
    head = ["recording", "algorithm", "estimate", "series", *(percent(share) for share in SHARES)]
    rows = []
    for recording in recordings:
        for algorithm in ALGORITHMS:
            for name in names:
                columns = [found.get((recording.name, algorithm, name, share), []) for share in SHARES]
                shown = [f"{np.mean(column):.2f}" if column else "-" for column in columns]
                rows.append([recording.name, algorithm, name, str(len(columns[0])), *shown])
    charts = []
    for share in SHARES:
        heights = {name: _mean(found, name, share) for name in names}
        charts.append(f"Mean over recordings and algorithms at {percent(share)}:\n\n{bars(heights)}")
    return "\n\n".join([table(head, rows, texts=3), *charts, _said(found)])


def _mean(found: Mapping[Key, list[float]], name: str, share: float) -> float:
    """Every recording and algorithm counts alike."""
    means = [
        float(np.mean(some)) for key, some in found.items() if key[2] == name and key[3] == share and some
    ]
    return float(np.mean(means)) if means else 0.0


def _said(found: Mapping[Key, list[float]]) -> str:
    sentences = []
    for share in SHARES:
        heights = {name: _mean(found, name, share) for name in KERNELS}
        best = max(heights, key=heights.__getitem__)
        sentences.append(
            f"At {percent(share)} the best kernel is {best} with {heights[best]:.2f}; "
            f"our default has {_mean(found, DEFAULT, share):.2f}, "
            f"and {_mean(found, OWN, share):.2f} by the changes that it tells itself."
        )
    return " ".join(sentences)
