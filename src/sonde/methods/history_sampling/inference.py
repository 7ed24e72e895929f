"""What the default policy makes of the facts: a course with a 90 % band for every series, and its changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from sonde.methods.history_sampling.beliefs import Beliefs, believe
from sonde.methods.history_sampling.facts import Array, Facts, SeriesFacts
from sonde.methods.history_sampling.policy import Inferred, Shift
from sonde.methods.history_sampling.settings import Expectations
from sonde.methods.history_sampling.smoothing import (
    Stretch,
    learn_drift,
    left_out,
    lone_errors,
    predicted_without,
    stretches,
)
from sonde.methods.history_sampling.splitting import switching_step

NORMAL_95 = 1.6449  # 90 % lie within both sides
UNLIKELY = 0.05  # what is less likely does not widen a band
LIKELY = 0.5
CERTAIN = 0.8  # from here on a change is told
SHORTEST = 3  # steps; two changes nearer to each other than this, in one direction, are one
FELLOWS = 0.25  # the errors of other series weigh as much as this part of the history


def infer(facts: Facts, expected: Expectations) -> Sequence[Inferred | None]:
    """What is believed of each series; None of one without any value."""
    beliefs = believe(facts, expected, spikes=expected.spikes)
    parts = [_stretches(facts, beliefs, at) for at in range(len(facts.series))]
    drift = learn_drift([part for some in parts for part in some])
    scales = _scales(facts, parts, drift, beliefs.noise)
    return [
        _Course(facts, beliefs, at, parts[at], drift, float(scales[at])).inferred() if parts[at] else None
        for at in range(len(facts.series))
    ]


def _stretches(facts: Facts, beliefs: Beliefs, series: int) -> list[Stretch]:
    known, gaps = facts.series[series], beliefs.gaps.of_series(series)
    if not len(known.measured):
        return []
    times = known.measured / max(known.steps - 1, 1)
    cuts, spikes = beliefs.change[gaps] > LIKELY, beliefs.ends_at_spike[gaps]
    return list(stretches(series, times, known.logs, known.runs, cuts, spikes))


def _scales(facts: Facts, parts: Sequence[Sequence[Stretch]], drift: float, noise: Array) -> Array:
    """The noise of one sample of each series, such that 90 % of the samples left out lie within the band.

    Series with few samples lean on the errors of the others, relative to their noise.
    """
    errors, weights, owners = [], [], []
    for some in parts:
        for owner, error, share in lone_errors(some):
            errors.append(np.array([error / noise[owner]]))
            weights.append(np.array([share]))
            owners.append(np.array([owner]))
        for part in some:
            if len(part.times) < 2:
                continue
            residuals, shares = left_out(part, drift)
            _, variance = predicted_without(part, drift)
            errors.append(np.abs(residuals) / np.sqrt(variance) / noise[part.series])
            weights.append(shares)
            owners.append(np.full(len(shares), part.series))
    if not errors:
        return noise
    all_errors, weight, owned_by = np.concatenate(errors), np.concatenate(weights), np.concatenate(owners)
    shared = weight * FELLOWS / max(float(weight.sum()), 1e-12)
    scales = np.empty(len(facts.series))
    for series in range(len(facts.series)):
        mine = np.where(owned_by == series, weight, 0.0)
        scales[series] = noise[series] * _quantile(all_errors, mine + shared, 0.9) / NORMAL_95
    return np.maximum(scales, 1e-6)


def _quantile(values: Array, weights: Array, share: float) -> float:
    """The value below which so large a share of the weight lies."""
    order = np.argsort(values)
    until = np.cumsum(weights[order])
    return float(values[order][min(np.searchsorted(until, share * until[-1]), len(values) - 1)])


@dataclass(frozen=True, eq=False)
class _Course:
    """One series: its levels at the samples, and what lies between them."""

    facts: Facts
    beliefs: Beliefs
    series: int
    parts: Sequence[Stretch]
    drift: float
    scale: float  # noise of one sample

    @property
    def known(self) -> SeriesFacts:
        return self.facts.series[self.series]

    def inferred(self) -> Inferred:
        """The whole course."""
        known, steps = self.known, np.arange(self.known.steps)
        mean, variance = np.empty(known.steps), np.empty(known.steps)
        level, uncertainty = np.empty(len(known.measured)), np.empty(len(known.measured))
        for part in self.parts:
            posterior = part.smoothed(self.drift)
            first = 0 if part.first == 0 else int(known.measured[part.first])
            end = known.steps if part.end == len(known.measured) else int(known.measured[part.end])
            times = steps[first:end] / max(known.steps - 1, 1)
            mean[first:end], variance[first:end] = posterior.mean(times), posterior.variance(times)
            level[part.first : part.end] = posterior.mean(part.times)
            uncertainty[part.first : part.end] = posterior.variance(part.times)
        reach = NORMAL_95 * self.scale
        low, high = mean - reach * np.sqrt(variance + 1), mean + reach * np.sqrt(variance + 1)
        shifts = []
        for gap, (left, right) in enumerate(zip(known.measured[:-1], known.measured[1:], strict=True)):
            chance = float(self.beliefs.change[self.beliefs.gaps.of_series(self.series)][gap])
            if chance <= UNLIKELY:
                continue
            between = slice(int(left) + 1, int(right))
            location = self.beliefs.location(self.facts, self.beliefs.gaps.of_series(self.series).start + gap)
            before, after = float(level[gap]), float(level[gap + 1])
            ends = [
                (centre - reach * sqrt(spread + 1), centre + reach * sqrt(spread + 1))
                for centre, spread in ((before, uncertainty[gap]), (after, uncertainty[gap + 1]))
            ]
            is_after = np.cumsum(location)[:-1]
            if chance > LIKELY:
                switch = int(left) + 1 + switching_step(location, before, after)
                mean[int(left) + 1 : switch], mean[switch : int(right)] = before, after
                low[between], high[between] = np.inf, -np.inf
                deviation = self.scale * sqrt(uncertainty[gap] + uncertainty[gap + 1])
                middle = int(left) + 1 + int(np.searchsorted(np.cumsum(location), 0.5))
                if chance > CERTAIN:
                    middle = min(middle, int(right))
                    shifts.append(Shift(middle, int(left) + 1, int(right), before, after, deviation))
            for (lower, upper), likely in zip(ends, (1 - is_after, is_after), strict=True):
                possible = chance * likely > UNLIKELY
                low[between] = np.where(possible, np.minimum(low[between], lower), low[between])
                high[between] = np.where(possible, np.maximum(high[between], upper), high[between])
        low, high = np.minimum(low, mean), np.maximum(high, mean)
        mean[known.measured] = known.logs
        own = reach * np.sqrt(np.median(known.runs) / known.runs)
        low[known.measured], high[known.measured] = known.logs - own, known.logs + own
        return Inferred(mean, low, high, _worth_telling(shifts, known))


def _worth_telling(shifts: Sequence[Shift], known: SeriesFacts) -> tuple[Shift, ...]:
    """Those that matter and are beyond doubt; what happens in several steps at once is one change."""
    joined: list[Shift] = []
    for shift in shifts:
        last = joined[-1] if joined else None
        is_same_way = last is not None and (last.after > last.before) == (shift.after > shift.before)
        if last is not None and is_same_way and shift.step - last.step < SHORTEST:
            larger = max(last, shift, key=lambda one: abs(one.after - one.before))
            joined[-1] = Shift(
                larger.step,
                last.earliest,
                shift.latest,
                last.before,
                shift.after,
                sqrt(last.deviation**2 + shift.deviation**2),
            )
        else:
            joined.append(shift)
    least = np.log1p(known.magnitude)
    return tuple(
        shift
        for shift in joined
        if abs(shift.after - shift.before) >= max(least, NORMAL_95 * shift.deviation)
    )
