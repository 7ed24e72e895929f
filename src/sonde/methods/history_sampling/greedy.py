"""A simple policy that is hard to beat: each series on its own, and more samples where its value changes.

It splits in its middle the gap with the largest w * (max(|d| - 0.02, 0) / 4 + 0.02 * sqrt(w / n)), where w is
its width, d the difference of the logs at its ends and n the length of the series. For one change at an
unknown place the nearest sample is the best guess: its expected error is |d| w / 4, that of a line |d| w / 3.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from sonde.methods.history_sampling.facts import Array, Integers, Pick, SeriesFacts, SubjectFacts
from sonde.methods.history_sampling.noise import HIGHEST_NOISE, first_noise
from sonde.methods.history_sampling.policy import Inferred, nothing_open
from sonde.methods.history_sampling.shifts import detected_shifts
from sonde.numerics.normal import NORMAL_95

UNNOTICED = 0.02
HIDDEN = 0.02


@dataclass(frozen=True)
class GreedyPolicy:
    """The best policy without sharing and without a model of noise."""

    def choose(self, facts: SubjectFacts, at_most: int) -> Sequence[Pick]:
        """The best gaps of all series, those first that hold the largest expected error."""
        scored = [
            (-score, at, step)
            for at, series in enumerate(facts.series)
            if not nothing_open(series)
            for score, step in islice(_offers(series, at_most), series.allowance)
        ]
        return [Pick(at, step) for _, at, step in heapq.nsmallest(at_most, scored)]

    def infer(self, facts: SubjectFacts) -> Sequence[Inferred | None]:
        """The value of the nearest sample, the earlier one of two; the band reaches over both neighbours."""
        noise = first_noise(facts, HIGHEST_NOISE)
        pairs = zip(facts.series, noise, strict=True)
        return [_nearest(series, float(each)) if len(series.measured) else None for series, each in pairs]


def _offers(series: SeriesFacts, at_most: int) -> Iterator[tuple[float, int]]:
    """Scores and steps, the best first: one a gap in which nothing is pending.

    There can be more than `at_most`, for the caller decides between equal ones; but those are all of them
    that can be among the `at_most` best.
    """
    ends = [_missing_end(series, end) for end in (0, series.steps - 1)]
    yield from ((np.inf, step) for step in dict.fromkeys(ends) if step is not None)
    firsts, lasts, scores = _scored_gaps(series)
    order = np.lexsort((firsts, -scores))
    found, least = 0, -np.inf
    for gap in order.tolist():
        score = float(scores[gap])
        if found >= at_most and score < least:
            return
        first, last = int(firsts[gap]), int(lasts[gap])
        step = series.nearest_open((first + last) // 2, first + 1, last - 1)
        if step is not None:
            found, least = found + 1, score
            yield score, step


def _scored_gaps(series: SeriesFacts) -> tuple[Integers, Integers, Array]:
    """The gaps between two neighbours that both have a value, and the expected error in each."""
    logs = np.full(len(series.known), np.nan)
    logs[np.searchsorted(series.known, series.measured)] = series.logs
    gaps = np.flatnonzero(np.isfinite(np.diff(logs)))
    firsts, lasts = series.known[gaps], series.known[gaps + 1]
    widths = lasts - firsts
    changes = np.maximum(np.abs(logs[gaps + 1] - logs[gaps]) - UNNOTICED, 0.0) / 4
    return firsts, lasts, widths * (changes + HIDDEN * np.sqrt(widths / series.steps))


def _missing_end(series: SeriesFacts, end: int) -> int | None:
    """The open step at an end of the series, if nothing is known so far out."""
    known = series.known
    if not len(known):
        return series.nearest_open(end, 0, series.steps - 1)
    first, last = (0, int(known[0]) - 1) if end == 0 else (int(known[-1]) + 1, series.steps - 1)
    return series.nearest_open(end, first, last)


def _nearest(series: SeriesFacts, noise: float) -> Inferred:
    middles = (series.measured[:-1] + series.measured[1:]) / 2
    owner = np.searchsorted(middles, np.arange(series.steps))
    mean = series.logs[owner]
    behind = np.searchsorted(series.measured, np.arange(series.steps))
    last = len(series.measured) - 1
    sides = np.stack([series.logs[np.clip(behind - 1, 0, last)], series.logs[np.minimum(behind, last)]])
    reach = NORMAL_95 * noise
    low, high = sides.min(axis=0) - reach, sides.max(axis=0) + reach
    return Inferred(mean, low, high, detected_shifts(series, mean, noise))
