"""Whether the level changes between two neighbouring samples, judged from the samples around them.

The model: levels are constant but for changes, the prior of a new level is normal and wide, and every sample
is its level plus normal noise. Of all ways to cut the window into segments, weighed by their probability, the
posterior asks whether a cut lies in its middle. It is exact within the window, and all windows are worked on
at once: the evidence of a segment has a closed form, and the cuts left and right of the middle are summed
over by recursion (Fearnhead 2006, "Exact and efficient Bayesian inference for multiple changepoint
problems").
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sonde.methods.history_sampling.facts import Array, Flags, Integers

REACH = 8  # samples to either side of the middle


@dataclass(frozen=True, eq=False)
class Windows:
    """Samples around the gaps between neighbours: one row a gap, which lies in the middle of its columns."""

    values: Array  # logs
    weights: Array  # 1 is a usual sample; 0 where the series has none
    log_change: Array  # log prior of a change in each of the 2 * REACH - 1 gaps; 0 where there is no gap
    log_stay: Array  # the same of no change
    noise: Array  # standard deviation of a sample of weight 1, one a row

    @property
    def is_there(self) -> Flags:
        """Which samples there are."""
        return self.weights > 0

    def mirrored(self) -> Windows:
        """The same windows, read from right to left."""
        return Windows(
            self.values[:, ::-1],
            self.weights[:, ::-1],
            self.log_change[:, ::-1],
            self.log_stay[:, ::-1],
            self.noise,
        )


@dataclass(frozen=True, eq=False)
class Levels:
    """Mean and variance of a level, one a window."""

    mean: Array
    variance: Array


@dataclass(frozen=True, eq=False)
class LocalPosterior:
    """What the samples of each window say about the gap in its middle."""

    change: Array  # probability that the level changes in the gap
    left: Levels  # before the gap, if it changes there
    right: Levels  # behind it
    flat: Levels  # of the samples around it, if it does not change


def local_posterior(windows: Windows, level_deviation: float) -> LocalPosterior:
    """The posterior of every window; `level_deviation` is that of the prior of a new level."""
    segments = _Segments(windows, level_deviation)
    before = _evidence_before(windows, segments)
    mirrored = windows.mirrored()
    behind = _evidence_before(mirrored, _Segments(mirrored, level_deviation))[:, ::-1]
    near = np.arange(REACH)
    left = segments.between(near, np.full(REACH, REACH - 1))
    right = segments.between(np.full(REACH, REACH), REACH + near)
    both = segments.between(*np.meshgrid(near, REACH + near, indexing="ij"))
    with_left, with_right = left.evidence + before, right.evidence + behind
    with_both = both.evidence + before[:, :, None] + behind[:, None, :]
    change = windows.log_change[:, REACH - 1] + _log_sum(with_left) + _log_sum(with_right)
    stay = _log_sum(with_both.reshape(len(with_both), -1))
    return LocalPosterior(
        1 / (1 + np.exp(np.clip(stay - change, -60, 60))),
        _levels(with_left, left),
        _levels(with_right, right),
        _levels(with_both, both),
    )


@dataclass(frozen=True, eq=False)
class _Segment:
    """Segments of all windows: log evidence, with no change inside, and the posterior of their level."""

    evidence: Array
    mean: Array
    variance: Array


class _Segments:
    """Evidence of any segment from running sums."""

    def __init__(self, windows: Windows, level_deviation: float) -> None:
        values = np.where(windows.is_there, windows.values, 0.0)
        self._count = _running(windows.weights)
        self._sum = _running(windows.weights * values)
        self._square = _running(windows.weights * values**2)
        self._stay = _running(windows.log_stay)
        self._precision = 1 / windows.noise**2
        self._prior_precision = 1 / level_deviation**2

    def between(self, first: Integers, last: Integers) -> _Segment:
        """The segments from sample `first` to sample `last`, one a pair, for all windows."""
        precision = self._precision.reshape(-1, *([1] * first.ndim))
        count = (self._count[:, last + 1] - self._count[:, first]) * precision
        total = (self._sum[:, last + 1] - self._sum[:, first]) * precision
        square = (self._square[:, last + 1] - self._square[:, first]) * precision
        whole = self._prior_precision + count
        evidence = -0.5 * (np.log(whole / self._prior_precision) + square - total**2 / whole)
        stay = self._stay[:, last] - self._stay[:, first]
        return _Segment(evidence + stay, total / whole, 1 / whole)


def _evidence_before(windows: Windows, segments: _Segments) -> Array:
    """Log evidence of what lies before a segment that begins at each left sample, with the change there."""
    rows = len(windows.values)
    begin = np.argmax(windows.is_there, axis=1)  # of the samples that there are
    evidence = np.full((rows, REACH + 1), -np.inf)
    evidence[np.arange(rows), begin] = 0.0
    for end in range(1, REACH + 1):
        first = np.arange(end)
        parts = evidence[:, :end] + segments.between(first, np.full(end, end - 1)).evidence
        parts[:, 1:] += windows.log_change[:, : end - 1]
        evidence[:, end] = np.where(end > begin, _log_sum(parts), evidence[:, end])
    evidence[:, 1:REACH] += windows.log_change[:, : REACH - 1]
    return evidence[:, :REACH]


def _levels(evidence: Array, segment: _Segment) -> Levels:
    """The level, averaged over segments by their evidence."""
    rows = len(evidence)
    evidence, mean = evidence.reshape(rows, -1), segment.mean.reshape(rows, -1)
    weight = np.exp(evidence - _log_sum(evidence)[:, None])
    average = (weight * mean).sum(axis=1)
    spread = (weight * (segment.variance.reshape(rows, -1) + mean**2)).sum(axis=1) - average**2
    return Levels(average, np.maximum(spread, 0.0))


def _running(numbers: Array) -> Array:
    """Sums of the first 0, 1, 2, ... columns."""
    return np.concatenate([np.zeros((len(numbers), 1)), np.cumsum(numbers, axis=1)], axis=1)


def _log_sum(logs: Array) -> Array:
    """log(sum(exp(logs))) of each row; -inf where all are."""
    highest = logs.max(axis=1, keepdims=True)
    highest = np.where(np.isfinite(highest), highest, 0.0)
    with np.errstate(divide="ignore"):
        sums: Array = highest[:, 0] + np.log(np.exp(logs - highest).sum(axis=1))
    return sums
