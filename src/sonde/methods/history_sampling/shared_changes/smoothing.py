"""The course of a series between its changes: a Brownian motion under noise, as in the paper.

How fast it drifts is learnt from all series together, by leaving out one sample at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sonde.methods.history_sampling.facts import Array, Flags, Integers
from sonde.numerics.gaussian_processes.brownian import BrownianMotion, BrownianPosterior, FreeStart
from sonde.numerics.gaussian_processes.observations import Observations

# Variance of the drift over the whole history, as a multiple of that of the noise of one sample.
DRIFTS = (0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1e3, 1e4, 1e5)
UNKNOWN_DRIFT = 100.0
SLOW_DRIFT = 1.0
NEARLY_NOTHING = 1e-4  # mean error, as log
NEARLY_BEST = 1.02  # the fastest drift whose error is within so much of the best: it follows the samples most
LOST = 0.2  # larger errors, as log, are those of changes that nobody noticed
BLANK = 1e6  # relative noise of a sample that tells nothing


@dataclass(frozen=True, eq=False)
class SampleStretch:
    """Samples of one series between two of its changes, on a clock that runs from 0 to 1 over the history."""

    series: int
    first: int  # ordinal of its first sample
    times: Array
    logs: Array
    relative_noise: Array

    @property
    def end(self) -> int:
        """Ordinal behind that of its last sample."""
        return self.first + len(self.times)

    def smoothed(self, drift: float) -> BrownianPosterior:
        """The motion behind the samples, in units of the noise of one."""
        motion = BrownianMotion(drift, 1.0, FreeStart())
        return motion.condition(Observations.of(self.times, self.logs, self.relative_noise))


def stretches(
    series: int, times: Array, logs: Array, runs: Integers, cuts: Flags, spikes: Flags
) -> Iterator[SampleStretch]:
    """The stretches of a series that is cut behind sample i where cuts[i]; spikes tell nothing."""
    noise = float(np.median(runs)) / runs
    noise[1:][spikes] = BLANK
    edges = [0, *(np.flatnonzero(cuts) + 1).tolist(), len(times)]
    for first, end in pairwise(edges):
        part = slice(first, end)
        yield SampleStretch(series, first, times[part], logs[part], noise[part])


def lone_errors(parts: Sequence[SampleStretch]) -> Iterator[tuple[int, float, float]]:
    """Series, error and weight of each sample that has a stretch for itself, between two others.

    Left out, it would have been taken for one of its neighbours.
    """
    for before, alone, after in zip(parts[:-2], parts[1:-1], parts[2:], strict=True):
        if len(alone.times) == 1:
            level = float(alone.logs[0])
            error = min(abs(level - float(before.logs[-1])), abs(level - float(after.logs[0])))
            yield alone.series, error, float(after.times[0] - before.times[-1]) / 2


def learn_drift(parts: Sequence[SampleStretch]) -> float:
    """The drift that predicts best each sample that is left out."""
    tellable = [part for part in parts if len(part.times) > 1]
    if not tellable:
        return UNKNOWN_DRIFT
    errors = np.array([sum(_error(part, drift) for part in tellable) for drift in DRIFTS])
    weight = sum(float(left_out(part, DRIFTS[0])[1].sum()) for part in tellable)
    if errors.min() <= NEARLY_NOTHING * weight:
        return SLOW_DRIFT  # levels do not drift at all, so the samples cannot tell how fast
    return DRIFTS[int(np.flatnonzero(errors <= NEARLY_BEST * errors.min())[-1])]


def _error(part: SampleStretch, drift: float) -> float:
    residuals, weights = left_out(part, drift)
    return float((np.minimum(np.abs(residuals), LOST) * weights).sum())


def left_out(part: SampleStretch, drift: float) -> tuple[Array, Array]:
    """How far each sample is from what the others predict, and for how much of the history it stands."""
    mean, _ = predicted_without(part, drift)
    spacing = np.diff(part.times)
    share = (np.append(spacing, 0.0) + np.insert(spacing, 0, 0.0)) / 2
    return part.logs - mean, np.where(part.relative_noise < BLANK, share, 0.0)


def predicted_without(part: SampleStretch, drift: float) -> tuple[Array, Array]:
    """Mean and variance, in units of the noise, of each sample as the others of its stretch predict it."""
    posterior = part.smoothed(drift)
    growth = drift * np.diff(part.times)
    left, right = posterior.from_left, posterior.from_right
    precision, weighted = np.zeros(len(part.times)), np.zeros(len(part.times))
    for side, here, there in (
        (left, slice(1, None), slice(None, -1)),
        (right, slice(None, -1), slice(1, None)),
    ):
        certainty = 1 / (side.variance[there] + growth)
        precision[here] += certainty
        weighted[here] += certainty * side.mean[there]
    return weighted / precision, 1 / precision + part.relative_noise
