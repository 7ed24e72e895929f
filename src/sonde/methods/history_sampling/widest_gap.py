"""The paper's policy: measure where the variance of the Gaussian process is largest (eq. 9).

For a Brownian motion observed without noise the variance is that of a bridge, largest in the middle of the
widest gap, whatever the values. So each pick halves a widest gap, and the means are lines between samples.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np

from sonde.methods.history_sampling.drawn_course import infer_by_detection
from sonde.methods.history_sampling.facts import Array, Facts, Pick, SeriesFacts
from sonde.methods.history_sampling.policy import Inferred, nothing_open
from sonde.numerics.gaussian_processes.brownian import BrownianMotion, FreeStart
from sonde.numerics.gaussian_processes.brownian_fit import fit_variance
from sonde.numerics.gaussian_processes.observations import Observations

NORMAL_95 = 1.6449  # 90 % lie within both sides


@dataclass(frozen=True)
class WidestGap:
    """The planner of the ASE'19 paper, with the Brownian kernel."""

    def choose(self, facts: Facts, at_most: int) -> Sequence[Pick]:
        """Middles of widest gaps, series by series in turn; what is pending counts as measured."""
        waiting = [_picks(at, series) for at, series in enumerate(facts.series)]
        return list(islice(_in_turn(waiting), at_most))

    def infer(self, facts: Facts) -> Sequence[Inferred | None]:
        """The bridge: a line between two samples, and a band that is widest in the middle."""
        return [_bridge(series) if len(series.measured) else None for series in facts.series]


def _in_turn(waiting: list[Iterator[Pick]]) -> Iterator[Pick]:
    while waiting:
        for picks in list(waiting):
            pick = next(picks, None)
            if pick is None:
                waiting.remove(picks)
            else:
                yield pick


def _picks(at: int, series: SeriesFacts) -> Iterator[Pick]:
    """The next picks of one series: its two ends, and then the middle of a widest gap each."""
    if nothing_open(series):
        return
    closed = {int(step) for step in np.flatnonzero(~series.is_open)}
    known, left = [int(step) for step in series.known], series.allowance
    for end in (0, series.steps - 1):
        outermost = min(known, default=None) if end == 0 else max(known, default=None)
        if left and (outermost is None or (outermost != end and not _is_shut(closed, end, outermost))):
            step = series.nearest_open(end, 0, series.steps - 1)
            if step is not None and step not in known:
                known, left = [*known, step], left - 1
                closed.add(step)
                yield Pick(at, step)
    known.sort()
    gaps = [(first - last, first, last) for first, last in pairwise(known)]
    heapq.heapify(gaps)
    while gaps and left:
        _, first, last = heapq.heappop(gaps)
        step = _nearest(closed, (first + last) // 2, first, last)
        if step is None:
            continue
        closed.add(step)
        left -= 1
        yield Pick(at, step)
        for gap in ((first - step, first, step), (step - last, step, last)):
            heapq.heappush(gaps, gap)


def _is_shut(closed: set[int], end: int, outermost: int) -> bool:
    """Whether nothing can be measured beyond the outermost known step."""
    return all(step in closed for step in range(min(end, outermost), max(end, outermost) + 1))


def _nearest(closed: set[int], middle: int, first: int, last: int) -> int | None:
    for distance in range(last - first):
        for step in (middle - distance, middle + distance):
            if first < step < last and step not in closed:
                return step
    return None


def _bridge(series: SeriesFacts) -> Inferred:
    """Means and variances of eq. 8 on the values themselves, as the paper has it; bands and mean as logs."""
    values, steps = np.exp(series.logs), np.arange(series.steps, dtype=np.float64)
    if len(series.measured) < 2 or np.ptp(values) == 0:
        flat = np.full(series.steps, series.logs.mean())
        return Inferred(flat, flat, flat, ())
    unit = float(values.mean())
    observed = Observations.of(series.measured, values / unit)
    variance = fit_variance(observed, 0.0, FreeStart()).variance
    posterior = BrownianMotion(variance, 0.0, FreeStart()).condition(observed)
    mean, reach = posterior.mean(steps), NORMAL_95 * np.sqrt(posterior.variance(steps))
    least = float(values.min()) / unit / 100  # a band of times does not reach below zero
    logs: list[Array] = [
        np.log(np.maximum(each, least) * unit) for each in (mean, mean - reach, mean + reach)
    ]
    return infer_by_detection(series, *logs)
