"""The paper's policy: measure where the variance of the Gaussian process is largest (eq. 9).

For a Brownian motion observed without noise the variance is that of a bridge, largest in the middle of the
widest gap, whatever the values. So each pick halves a widest gap, and the means are lines between samples.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from sonde.methods.history_sampling.facts import Flags, Integers, Pick, SeriesFacts, SubjectFacts
from sonde.methods.history_sampling.noise import HIGHEST_NOISE, first_noise
from sonde.methods.history_sampling.policy import Inferred, nothing_open
from sonde.methods.history_sampling.shifts import detected_shifts
from sonde.numerics.gaussian_processes.brownian import BrownianMotion, FreeStart
from sonde.numerics.gaussian_processes.brownian_fit import fit_variance
from sonde.numerics.gaussian_processes.observations import Observations
from sonde.numerics.normal import NORMAL_95


@dataclass(frozen=True)
class WidestGap:
    """The planner of the ASE'19 paper, with the Brownian kernel."""

    def choose(self, facts: SubjectFacts, at_most: int) -> Sequence[Pick]:
        """Middles of widest gaps, series by series in turn; what is pending counts as measured."""
        waiting = [_picks(at, series) for at, series in enumerate(facts.series)]
        return list(islice(_in_turn(waiting), at_most))

    def infer(self, facts: SubjectFacts) -> Sequence[Inferred | None]:
        """The bridge: a line between two samples, and a band that is widest in the middle."""
        noise = first_noise(facts, HIGHEST_NOISE)
        pairs = zip(facts.series, noise, strict=True)
        return [_bridge(series, float(each)) if len(series.measured) else None for series, each in pairs]


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
    known, left, is_open = series.known, series.allowance, series.is_open.copy()
    for end in (0, series.steps - 1):
        if left and not _reaches(known, end, is_open):
            step = series.nearest_open(end, 0, series.steps - 1)
            if step is not None and step not in known:
                known, left = np.sort(np.append(known, step)), left - 1
                is_open[step] = False
                yield Pick(at, step)
    for variance, first, last in (gaps := _Gaps(known)):
        if not left:
            return
        step = _nearest_open(is_open, first, last)
        if step is None:
            continue
        if _bridge_variance(first, step, last) < variance:  # its middle failed: another gap may be worth more
            gaps.add(first, step, last)
            continue
        is_open[step] = False
        left -= 1
        yield Pick(at, step)
        for begin, end in ((first, step), (step, last)):
            gaps.add(begin, (begin + end) // 2, end)


def _reaches(known: Integers, end: int, is_open: Flags) -> bool:
    """Whether nothing can be measured beyond the outermost known step."""
    if not len(known):
        return False
    outermost = int(known[0] if end == 0 else known[-1])
    return outermost == end or not is_open[min(end, outermost) : max(end, outermost) + 1].any()


def _bridge_variance(first: int, step: int, last: int) -> float:
    """Of the step, where the two others are known, and sigma is 1."""
    return (step - first) * (last - step) / (last - first)


class _Gaps:
    """The gaps between known steps, that with the largest variance first, and of equal ones the earliest.

    That is the widest, unless its middle cannot be measured.
    """

    def __init__(self, known: Integers) -> None:
        # Sorting numbers at once takes a fraction of the time that a heap of all gaps would.
        order = np.argsort(known[:-1] - known[1:], kind="stable")
        self._first, self._last = known[:-1][order], known[1:][order]
        self._reached = 0
        self._halves: list[tuple[float, int, int]] = []  # a heap

    def add(self, first: int, step: int, last: int) -> None:
        """A gap that came about by splitting another one, or of which another step is the best."""
        heapq.heappush(self._halves, (-_bridge_variance(first, step, last), first, last))

    def __iter__(self) -> Iterator[tuple[float, int, int]]:
        while self._reached < len(self._first) or self._halves:
            if self._reached < len(self._first):
                first, last = int(self._first[self._reached]), int(self._last[self._reached])
                variance = _bridge_variance(first, (first + last) // 2, last)
                if not self._halves or (-variance, first, last) < self._halves[0]:
                    self._reached += 1
                    yield variance, first, last
                    continue
            negative, first, last = heapq.heappop(self._halves)
            yield -negative, first, last


def _nearest_open(is_open: Flags, first: int, last: int) -> int | None:
    """The open step nearest to the middle between two steps, the earlier one of two; or None."""
    middle = (first + last) // 2
    if first < middle and is_open[middle]:
        return middle
    steps = first + 1 + np.flatnonzero(is_open[first + 1 : last])
    return int(steps[np.argmin(np.abs(2 * steps - first - last))]) if len(steps) else None


def _bridge(series: SeriesFacts, noise: float) -> Inferred:
    """Means and variances of eq. 8 on the values themselves, as the paper has it; bands and mean as logs."""
    middle = float(np.median(series.logs))
    values, steps = (
        np.exp(np.clip(series.logs - middle, -300, 300)),
        np.arange(series.steps, dtype=np.float64),
    )
    if len(series.measured) < 2 or np.ptp(values) == 0:
        flat = np.full(series.steps, series.logs.mean())
        return Inferred(flat, flat, flat, ())
    unit = float(values.mean())
    observed = Observations.of(series.measured, values / unit)
    variance = fit_variance(observed, 0.0, FreeStart()).variance
    posterior = BrownianMotion(variance, 0.0, FreeStart()).condition(observed)
    mean, reach = posterior.mean(steps), NORMAL_95 * np.sqrt(posterior.variance(steps))
    least = float(values.min()) / unit / 100  # a band of times does not reach below zero
    course, low, high = (
        middle + np.log(np.maximum(each, least) * unit) for each in (mean, mean - reach, mean + reach)
    )
    return Inferred(course, low, high, detected_shifts(series, course, noise))
