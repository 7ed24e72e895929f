"""The changes of level that are worth telling: what the default detector finds in an estimated course."""

from __future__ import annotations

from collections.abc import Sequence
from math import log1p, sqrt

import numpy as np

from sonde.methods.history_sampling.facts import Array, SeriesFacts
from sonde.methods.history_sampling.policy import Shift
from sonde.numerics.normal import NORMAL_95
from sonde.numerics.segmentation.detection import DetectionSettings, detect_changes

QUIET = 0.005  # with less noise, one step is enough to tell a level from a spike
LONG = 4096  # steps
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
    positions = _one_a_gap(series, _detected(course, settings), course)
    edges = [0, *positions, len(course)]
    least = log1p(series.magnitude)
    found = []
    for position, begin, end in zip(positions, edges[:-2], edges[2:], strict=True):
        before, after = _samples(series, begin, position), _samples(series, position, end)
        deviation = noise * sqrt(1 / max(len(before), 1) + 1 / max(len(after), 1))
        shift = Shift(
            position,
            *_range(series, position),
            float((before if len(before) else course[begin:position]).mean()),
            float((after if len(after) else course[position:end]).mean()),
            deviation,
        )
        # The 90 % interval of its size does not hold zero.
        if abs(shift.after - shift.before) >= max(least, NORMAL_95 * deviation):
            found.append(shift)
    return tuple(found)


def _detected(course: Array, settings: DetectionSettings) -> list[int]:
    """Where the detector finds changes; a long course is looked at where it jumps, and at even distances."""
    middle = float(np.median(course))
    values = np.exp(np.clip(course - middle, -300, 300))
    if len(course) <= LONG:
        return [change.position for change in detect_changes(values, settings)]
    jumps = np.flatnonzero(np.abs(np.diff(course)) > settings.noise_floor / 2) + 1
    even = np.linspace(0, len(course) - 1, LONG).astype(np.int64)
    at = np.unique(np.concatenate([even, jumps, jumps - 1]))
    widths = np.diff(np.append(at, len(course))).astype(np.float64)
    return [int(at[change.position]) for change in detect_changes(values[at], settings, widths)]


def _one_a_gap(series: SeriesFacts, positions: Sequence[int], course: Array) -> list[int]:
    """Of several changes between the same two samples, the one at which the course rises or falls most."""
    found: dict[tuple[int, int], int] = {}
    for position in positions:
        place = _range(series, position)
        rival = found.get(place)
        if rival is None or _jump(course, position) > _jump(course, rival):
            found[place] = position
    return list(found.values())


def _jump(course: Array, position: int) -> float:
    return float(abs(course[position] - course[position - 1]))


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
