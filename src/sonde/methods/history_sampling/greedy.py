"""A simple policy that is hard to beat: each series on its own, and more samples where its value changes.

It splits in its middle the gap with the largest w * (max(|d| - 0.02, 0) / 4 + 0.02 * sqrt(w / n)), where w is
its width, d the difference of the logs at its ends and n the length of the series. For one change at an
unknown place the nearest sample is the best guess: its expected error is |d| w / 4, that of a line |d| w / 3.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from sonde.methods.history_sampling.drawn_course import infer_by_detection
from sonde.methods.history_sampling.facts import Facts, Pick, SeriesFacts
from sonde.methods.history_sampling.policy import Inferred, nothing_open

UNNOTICED = 0.02
HIDDEN = 0.02


@dataclass(frozen=True)
class Greedy:
    """The best policy without sharing and without a model of noise."""

    def choose(self, facts: Facts, at_most: int) -> Sequence[Pick]:
        """The best gaps of all series, those first that hold the largest expected error."""
        scored = [
            (-score, at, step)
            for at, series in enumerate(facts.series)
            if not nothing_open(series)
            for score, step in _offers(series)[: series.allowance]
        ]
        return [Pick(at, step) for _, at, step in heapq.nsmallest(at_most, scored)]

    def infer(self, facts: Facts) -> Sequence[Inferred | None]:
        """The value of the nearest sample, the earlier one of two."""
        return [_nearest(series) if len(series.measured) else None for series in facts.series]


def _offers(series: SeriesFacts) -> list[tuple[float, int]]:
    """Scores and steps, the best first: one a gap in which nothing is pending."""
    if len(series.known) < 2:
        ends = [_missing_end(series, end) for end in (0, series.steps - 1)]
        return [(np.inf, step) for step in dict.fromkeys(ends) if step is not None]
    offers = []
    logs = dict(zip(series.measured.tolist(), series.logs.tolist(), strict=True))
    for first, last in zip(series.known[:-1].tolist(), series.known[1:].tolist(), strict=True):
        if first not in logs or last not in logs:
            continue
        step = series.nearest_open((first + last) // 2, first + 1, last - 1)
        if step is not None:
            width = last - first
            change = max(abs(logs[last] - logs[first]) - UNNOTICED, 0.0) / 4
            offers.append((width * (change + HIDDEN * sqrt(width / series.steps)), step))
    return sorted(offers, reverse=True)


def _missing_end(series: SeriesFacts, end: int) -> int | None:
    """The open step at an end of the series, if nothing is known so far out."""
    known = series.known
    step = series.nearest_open(end, 0, series.steps - 1)
    if step is None or not len(known):
        return step
    is_outside = step < known[0] if end == 0 else step > known[-1]
    return step if is_outside else None


def _nearest(series: SeriesFacts) -> Inferred:
    middles = (series.measured[:-1] + series.measured[1:]) / 2
    owner = np.searchsorted(middles, np.arange(series.steps))
    mean = series.logs[owner]
    return infer_by_detection(series, mean, mean, mean)
