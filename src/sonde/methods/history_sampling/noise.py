"""How noisy the samples of each series are, from the samples that the planner has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sonde.methods.history_sampling.facts import Array, Flags, SubjectFacts

QUANTILE = 0.35  # of the differences of neighbours: below it lie those that no change separates
OF_ALL = 0.454 * np.sqrt(2)  # that quantile, for normal noise of deviation 1
OF_FLAT = 0.674 * np.sqrt(2)  # the median
FELLOWS = 4.0  # the other series weigh as much as so many samples
UNKNOWN = 0.012
HIGHEST_NOISE = 0.15  # relative; what looks noisier holds changes
FALL = 0.75
LEAST = 1e-5


def first_noise(facts: SubjectFacts, highest: float) -> Array:
    """The relative standard deviation of a sample of each series, before anything is known of changes.

    Differences of neighbouring samples hold changes too, so a low quantile of them is used.
    """
    distances = [np.abs(np.diff(series.logs)) for series in facts.series]
    return _blended(facts, distances, QUANTILE, OF_ALL, highest)


def noise_between_changes(facts: SubjectFacts, change: Array, before: Array, highest: float) -> Array:
    """The same, from those gaps in which the level hardly changes; `change` has one entry a gap.

    Without the gaps that look like changes, noise looks smaller than it is: it falls by a quarter at most.
    """
    counts = [max(len(series.logs) - 1, 0) for series in facts.series]
    chances = np.split(change, np.cumsum(counts)[:-1])
    distances = [
        np.abs(np.diff(series.logs))[chance < 0.5]
        for series, chance in zip(facts.series, chances, strict=True)
    ]
    noise = _blended(facts, distances, 0.5, OF_FLAT, highest)
    fallen: Array = np.where(is_known(facts), noise, np.maximum(noise, FALL * before))
    return fallen


def is_known(facts: SubjectFacts) -> Flags:
    """Which series need not say how noisy they are, because repeats do."""
    return np.array([series.known_noise is not None for series in facts.series], dtype=np.bool_)


def _blended(
    facts: SubjectFacts, distances: Sequence[Array], quantile: float, of_normal: float, highest: float
) -> Array:
    """Series with few samples lean on the others."""
    weight = np.array([len(some) if len(some) > 1 else 0 for some in distances], dtype=np.float64)
    own = np.array([_quantile(some, quantile) for some in distances])
    own = np.maximum(own / of_normal, LEAST)
    common = float(np.nanmedian(own)) if weight.any() else UNKNOWN
    logs = np.log(np.where(np.isnan(own), common, own))
    blended = np.exp((weight * logs + FELLOWS * np.log(common)) / (weight + FELLOWS))
    floors = np.array([max(series.noise_floor, series.repeat_noise) for series in facts.series])
    noise = np.clip(blended, floors, np.maximum(floors, highest))
    known = [max(series.noise_floor, series.known_noise or 0.0) for series in facts.series]
    decided: Array = np.where(is_known(facts), known, noise)
    return decided


def _quantile(distances: Array, quantile: float) -> float:
    """As numpy has it, in a tenth of the time for few numbers; NaN of less than two."""
    if len(distances) < 2:
        return np.nan
    at = quantile * (len(distances) - 1)
    ordered, below = np.sort(distances), int(at)
    return float(ordered[below] + (at - below) * (ordered[below + 1] - ordered[below]))
