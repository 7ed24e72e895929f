"""Where the performance of a series changed: the detector to use by default.

1. Changes are relative, so it works on the logs of the values.
2. The noise is estimated from successive values, with a floor (see `noise`).
3. Spikes are clipped: a value that is further than some noises from the median of its neighbourhood is moved
   to that distance. The neighbourhood is so small that a change that stays is its majority, and not clipped.
4. The exact segmentation by least squares (see `least_squares`), with a penalty of c * noise^2 * log n for
   each change and a shortest segment.
5. The magnitude gate: while changes are smaller than what matters, the least significant of these is dropped,
   and the levels beside it are merged.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, log1p, sqrt

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike

from sonde.numerics.normal import NORMAL_95
from sonde.numerics.segmentation.least_squares import segment_by_least_squares
from sonde.numerics.segmentation.noise import estimate_noise
from sonde.numerics.segmentation.series import Array, Sums, checked_series, checked_weights


@dataclass(frozen=True)
class DetectionSettings:
    """What counts as a change. The defaults suit times of whole programs and of small benchmarks alike."""

    # Relative, of one value. Layout, caches and other processes move even a quiet time by so much.
    noise_floor: float = 0.01
    # c in c * noise^2 * log n. Independent normal noise needs 2, but that of performance is correlated: with
    # r between neighbours, and so on by powers, first differences show (1 - r)^2 / (1 + r) of the variance
    # that the mean of a long segment feels: a third at r = 0.35.
    penalty: float = 6.0
    # Values. What stays for less can be neither told from a spike nor pinned to a revision.
    shortest: int = 3
    # Noises from the local median; a normal value in 370 is further away.
    clip: float = 3.0
    # Relative: a rise by 5 %, or the fall that takes it back.
    magnitude: float = 0.05
    # Relative, of one value, where repeats say it; None: estimated from successive values.
    noise: float | None = None

    def __post_init__(self) -> None:
        for name in ("noise_floor", "penalty", "clip"):
            if not getattr(self, name) > 0:
                raise ValueError(f"'{name}' is {getattr(self, name)}, but it has to be positive.")
        if self.shortest < 1:
            raise ValueError(f"'shortest' is {self.shortest}, but a segment has one value at least.")
        if not self.magnitude >= 0:
            raise ValueError(f"'magnitude' is {self.magnitude}, but it cannot be negative.")


DEFAULT_SETTINGS = DetectionSettings()


@dataclass(frozen=True)
class Change:
    """The level of a series differs before and from `position` on."""

    position: int  # of the first value with the new level
    before: float  # geometric mean of the segment, spikes clipped
    after: float
    effect: float  # log ratio, after / before
    effect_low: float  # of the 90 % interval; it knows nothing of doubts about the position
    effect_high: float


def detect_changes(
    values: ArrayLike, settings: DetectionSettings = DEFAULT_SETTINGS, weights: ArrayLike | None = None
) -> tuple[Change, ...]:
    """The changes of a series of positive values, in order.

    `weights` are the numbers of repeats behind each value (None: all alike). Only their ratios matter: the
    noise, and so its floor, is that of a value with the mean weight. Raises ValueError for a value that is
    missing, zero or negative.
    """
    series = checked_series(values)
    if (series <= 0).any():
        position = int(np.flatnonzero(series <= 0)[0])
        raise ValueError(
            f"Value {position} of the series is {series[position]}. Leave out what is not positive."
        )
    relative_weights = checked_weights(weights, len(series))
    if len(series) < 2 * settings.shortest:
        return ()
    relative_weights /= relative_weights.mean()
    logs = np.log(series)
    noise = settings.noise or estimate_noise(logs, settings.noise_floor, relative_weights)
    clipped = _clip_spikes(logs, noise * settings.clip / np.sqrt(relative_weights), settings.shortest)
    penalty = settings.penalty * noise**2 * log(len(series))
    candidates = segment_by_least_squares(clipped, penalty, relative_weights, settings.shortest)
    sums = Sums.of(clipped, relative_weights)
    changes = _drop_small(sums, candidates, log1p(settings.magnitude))
    return _described(sums, changes, float(np.average(clipped, weights=relative_weights)), noise)


def _clip_spikes(logs: Array, reach: Array, shortest: int) -> Array:
    """No value is further than `reach` from the median of the 2 * shortest - 1 values around it.

    At both ends the window is the outermost one that fits, so that a spike there is one, too.
    """
    medians = np.median(sliding_window_view(logs, 2 * shortest - 1), axis=1)
    local = np.pad(medians, shortest - 1, mode="edge")
    return np.clip(logs, local - reach, local + reach)


def _drop_small(sums: Sums, changes: tuple[int, ...], magnitude: float) -> tuple[int, ...]:
    """The changes that are left when each has an effect of `magnitude` or more."""
    while changes:
        weight, level = sums.segments(changes)
        effect = np.abs(np.diff(level))
        significance = effect / np.sqrt(1 / weight[1:] + 1 / weight[:-1])
        small = np.flatnonzero(effect < magnitude)
        if not len(small):
            break
        weakest = int(small[np.argmin(significance[small])])
        changes = changes[:weakest] + changes[weakest + 1 :]
    return changes


def _described(sums: Sums, changes: tuple[int, ...], mean: float, noise: float) -> tuple[Change, ...]:
    weights, levels = (each.tolist() for each in sums.segments(changes))
    described = []
    for at, position in enumerate(changes):
        effect = levels[at + 1] - levels[at]
        doubt = NORMAL_95 * noise * sqrt(1 / weights[at] + 1 / weights[at + 1])
        before, after = exp(mean + levels[at]), exp(mean + levels[at + 1])
        described.append(Change(position, before, after, effect, effect - doubt, effect + doubt))
    return tuple(described)
