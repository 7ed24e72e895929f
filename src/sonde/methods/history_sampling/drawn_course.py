"""What a policy without a model of changes makes of its course: changes by detection on the whole of it."""

from __future__ import annotations

import numpy as np

from sonde.methods.history_sampling.facts import Array, SeriesFacts
from sonde.methods.history_sampling.policy import Inferred, Shift
from sonde.numerics.segmentation.detection import DetectionSettings, detect_changes

SHORTEST_COURSE = 4  # steps; in fewer there is nothing to detect


def infer_by_detection(series: SeriesFacts, mean: Array, low: Array, high: Array) -> Inferred:
    """The course as drawn, and the changes that the default detector finds in it."""
    if len(mean) < SHORTEST_COURSE or not len(series.measured):
        return Inferred(mean, low, high, ())
    settings = DetectionSettings(magnitude=series.magnitude, clip=np.inf)
    measured = series.measured
    shifts = []
    for change in detect_changes(np.exp(mean), settings):
        right = int(np.searchsorted(measured, change.position))
        earliest = int(measured[right - 1]) + 1 if right > 0 else 1
        latest = int(measured[right]) if right < len(measured) else len(mean) - 1
        deviation = (change.effect_high - change.effect_low) / (2 * 1.6449)
        position = min(max(change.position, earliest), latest)
        shifts.append(
            Shift(
                position,
                earliest,
                latest,
                float(np.log(change.before)),
                float(np.log(change.after)),
                deviation,
            )
        )
    return Inferred(mean, low, high, tuple(shifts))
