"""The changes of level that are worth telling: what the default detector finds in an estimated course."""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from sonde.methods.history_sampling.facts import Array, SeriesFacts
from sonde.methods.history_sampling.policy import Shift
from sonde.numerics.segmentation.detection import DetectionSettings, detect_changes

BEYOND_DOUBT = 2.0  # standard deviations; of normal noise, one value in twenty is further away
QUIET = 0.005  # with less noise, one step is enough to tell a level from a spike
SHORTEST = 3  # steps that a level lasts, otherwise


def detected_shifts(series: SeriesFacts, course: Array, noise: float) -> tuple[Shift, ...]:
    """The changes in a course of logs, one a step; `noise` is the relative deviation of a sample.

    The samples say how large a change is, how surely, and between which of them it lies.
    """
    shortest = 1 if series.noise_floor < QUIET else SHORTEST
    if len(course) < 2 * shortest:
        return ()
    settings = DetectionSettings(
        series.noise_floor, shortest=shortest, clip=np.inf, magnitude=series.magnitude
    )
    changes = detect_changes(np.exp(course), settings)
    edges = [0, *(change.position for change in changes), len(course)]
    found = []
    for change, begin, end in zip(changes, edges[:-2], edges[2:], strict=True):
        before = _samples(series, begin, change.position)
        after = _samples(series, change.position, end)
        deviation = noise * sqrt(1 / max(len(before), 1) + 1 / max(len(after), 1))
        shift = Shift(
            change.position,
            *_range(series, change.position),
            float(before.mean()) if len(before) else log(change.before),
            float(after.mean()) if len(after) else log(change.after),
            deviation,
        )
        if abs(shift.after - shift.before) >= BEYOND_DOUBT * deviation:
            found.append(shift)
    return tuple(found)


def _samples(series: SeriesFacts, begin: int, end: int) -> Array:
    """The logs of the samples from step `begin` to before `end`."""
    first, last = np.searchsorted(series.measured, [begin, end])
    return series.logs[first:last]


def _range(series: SeriesFacts, position: int) -> tuple[int, int]:
    """The steps at which a change that was found at `position` can lie: between two samples."""
    right = int(np.searchsorted(series.measured, position))
    earliest = int(series.measured[right - 1]) + 1 if right > 0 else 1
    latest = int(series.measured[right]) if right < len(series.measured) else series.steps - 1
    return min(earliest, position), max(latest, position)
