"""How noisy the samples of each series are, from the samples that the planner has."""

from __future__ import annotations

import numpy as np

from sonde.methods.history_sampling.facts import Array, Facts

QUANTILE = 0.35  # of the differences of neighbours: below it lie those that no change separates
OF_NORMAL = 0.454 * np.sqrt(2)  # that quantile, for normal noise of deviation 1
FELLOWS = 4.0  # the other series weigh as much as so many samples
UNKNOWN = 0.012
LEAST = 1e-5


def estimate_noise(facts: Facts, highest: float) -> Array:
    """The relative standard deviation of a sample of each series.

    Differences of neighbouring samples hold changes too, so a low quantile of them is used. Series with few
    samples lean on the others.
    """
    own = np.full(len(facts.series), np.nan)
    weight = np.zeros(len(facts.series))
    for at, series in enumerate(facts.series):
        if len(series.measured) >= 3:
            distances = np.abs(np.diff(series.logs))
            own[at] = max(float(np.quantile(distances, QUANTILE)) / OF_NORMAL, LEAST)
            weight[at] = len(distances)
    common = float(np.nanmedian(own)) if weight.any() else UNKNOWN
    logs = np.log(np.where(np.isnan(own), common, own))
    blended = np.exp((weight * logs + FELLOWS * np.log(common)) / (weight + FELLOWS))
    floors = np.array([series.noise_floor for series in facts.series])
    noise: Array = np.clip(blended, floors, np.maximum(floors, highest))
    return noise
