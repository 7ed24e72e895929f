"""The changes of level that are worth telling: what the default detector finds in an estimated course."""

from __future__ import annotations

from collections.abc import Sequence
from math import log1p, sqrt

import numpy as np

from sonde.methods.history_sampling.facts import Array, Exact, SeriesFacts
from sonde.methods.history_sampling.policy import Shift
from sonde.numerics.normal import NORMAL_95
from sonde.numerics.segmentation.detection import DetectionSettings, detect_changes

QUIET = 0.005  # with less noise, one step is enough to tell a level from a spike
LONG = 4096  # steps
SHORTEST = 3  # steps that a level lasts, otherwise
ROUNDING = 1e-12  # of logs
OTHERS = 2  # degrees of freedom that the other revisions have in the variance of two
FINE = 0.2  # of the noise floor: a size that is known so well needs no more runs


def detected_shifts(series: SeriesFacts, course: Array, noise: float) -> tuple[Shift, ...]:
    """The changes in a course of logs, one a step; `noise` is the relative deviation of a sample.

    Where repeats agree, every two neighbouring samples that differ are a change. Elsewhere the course says
    where changes are. Either way the two samples around a change say how large it is, and how surely.
    """
    if series.exact is not None:
        return _exact_shifts(series, series.exact, course)
    shortest = 1 if series.noise_floor < QUIET or series.known_noise is not None else SHORTEST
    if len(course) < 2 * shortest:
        return ()
    settings = DetectionSettings(
        series.noise_floor,
        shortest=shortest,
        clip=np.inf,
        magnitude=series.magnitude,
        noise=None if series.known_noise is None else max(series.known_noise, series.noise_floor),
    )
    positions = _one_a_gap(series, _detected(course, settings), course)
    edges = [0, *positions, len(course)]
    least = log1p(series.magnitude)
    found = []
    for position, begin, end in zip(positions, edges[:-2], edges[2:], strict=True):
        before, after = _samples(series, begin, position), _samples(series, position, end)
        deviation = noise * sqrt(1 / max(len(before), 1) + 1 / max(len(after), 1))
        level_before = float((before if len(before) else course[begin:position]).mean())
        level_after = float((after if len(after) else course[position:end]).mean())
        # The 90 % interval of the difference of the levels does not hold zero.
        if abs(level_after - level_before) >= max(least, NORMAL_95 * deviation):
            found.append(_measured_shift(series, course, position, noise))
    return tuple(found)


def _exact_shifts(series: SeriesFacts, exact: Exact, course: Array) -> tuple[Shift, ...]:
    """Each two neighbouring samples that differ by what matters, and of which all runs differ."""
    least = max(log1p(series.magnitude), exact.noise, ROUNDING)
    low, high = exact.lowest[1:] - exact.highest[:-1], exact.highest[1:] - exact.lowest[:-1]
    is_change = (np.abs(np.diff(exact.logs)) > least) & ((low > 0) | (high < 0))
    shifts = []
    for left in np.flatnonzero(is_change).tolist():
        first, last = int(series.measured[left]), int(series.measured[left + 1])
        size, (own, reach) = float(exact.logs[left + 1] - exact.logs[left]), _reaches(series, exact, left)
        shifts.append(
            Shift(
                first + 1 + int(np.argmax(np.abs(np.diff(course[first : last + 1])))),
                first + 1,
                last,
                float(exact.logs[left]),
                float(exact.logs[left + 1]),
                size - reach,
                size + reach,
                is_rough=_is_rough(series, exact, left, own),
            )
        )
    return tuple(shifts)


def _scatter(series: SeriesFacts, exact: Exact, left: int) -> float:
    """The deviation of one run of two neighbours, times the quantile of Student's t for an interval of 90 %.

    Two or three runs may agree by chance, so the variance leans on that of the other revisions.
    """
    runs, variance = series.runs[left : left + 2], exact.variance[left : left + 2]
    if not variance.any():
        return 0.0
    from scipy.special import stdtrit  # imported late: most histories do not vary

    freedom = int(runs.sum()) - 2 + OTHERS
    pooled = (float(((runs - 1) * variance).sum()) + OTHERS * exact.usual_variance) / freedom
    return float(stdtrit(freedom, 0.95)) * sqrt(pooled)


def _reaches(series: SeriesFacts, exact: Exact, left: int) -> tuple[float, float]:
    """Half of the interval of a size, and of what measuring both sides again would show."""
    scatter, own = _scatter(series, exact, left), float((1 / series.runs[left : left + 2]).sum())
    return scatter * sqrt(own), scatter * sqrt(own + 2 / exact.usual_runs)


def _is_rough(series: SeriesFacts, exact: Exact, left: int, reach: float) -> bool:
    """Whether more runs of both sides would make a size surer: counts of this benchmark vary."""
    has_single = exact.usual_variance > 0 and bool((series.runs[left : left + 2] == 1).any())
    return has_single or reach > FINE * series.noise_floor


def _measured_shift(series: SeriesFacts, course: Array, position: int, noise: float) -> Shift:
    """A change by the sample before and the one behind it; what lies between them may have a part in it."""
    earliest, latest = _range(series, position)
    ends = np.searchsorted(series.measured, [earliest - 1, latest])
    is_there = [
        at < len(series.measured) and series.measured[at] == step
        for at, step in zip(ends, (earliest - 1, latest), strict=True)
    ]
    before, after = (
        float(series.logs[at] if there else course[step])
        for at, there, step in zip(ends, is_there, (earliest - 1, latest), strict=True)
    )
    usual = float(np.median(series.runs))
    runs = [float(series.runs[at]) if there else usual for at, there in zip(ends, is_there, strict=True)]
    reach = NORMAL_95 * noise * sqrt(usual / runs[0] + usual / runs[1])
    is_single = any(
        there and series.runs[at] == 1 and series.most_runs[at] > 1
        for at, there in zip(ends, is_there, strict=True)
    )
    size = after - before
    return Shift(position, earliest, latest, before, after, size - reach, size + reach, is_single)


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
