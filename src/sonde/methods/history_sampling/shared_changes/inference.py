"""What the default policy makes of the facts: a course with a 90 % band for every series, and its changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sonde.methods.history_sampling.facts import Array, SeriesFacts, SubjectFacts
from sonde.methods.history_sampling.noise import first_noise
from sonde.methods.history_sampling.policy import Inferred
from sonde.methods.history_sampling.shared_changes.beliefs import Beliefs, believe
from sonde.methods.history_sampling.shared_changes.common_course import common_course, without
from sonde.methods.history_sampling.shared_changes.settings import Expectations
from sonde.methods.history_sampling.shared_changes.smoothing import (
    SampleStretch,
    learn_drift,
    left_out,
    lone_errors,
    predicted_without,
    stretches,
)
from sonde.methods.history_sampling.shared_changes.splitting import switching_step
from sonde.methods.history_sampling.shifts import detected_shifts
from sonde.numerics.normal import NORMAL_95

LEAST_OF_FLOOR = 0.5  # noise floors; few samples may agree by chance
COVERED = 0.92  # of the samples left out; a little more than 90 %, for what no sample has seen
LIKELY = 0.5  # from here on the level changes
UNLIKELY = 0.05  # what is less likely does not widen a band
FELLOWS = 0.25  # the errors of other series weigh as much as this part of the history


def infer(facts: SubjectFacts, expected: Expectations) -> Sequence[Inferred | None]:
    """What is believed of each series; None of one without any value."""
    common = common_course(facts)
    facts = without(facts, common)
    beliefs = believe(facts, expected, spikes=expected.spikes)
    parts = [_stretches(facts, beliefs, at) for at in range(len(facts.series))]
    drift = learn_drift([part for some in parts for part in some])
    noise = first_noise(facts, expected.highest_noise)
    scales = _scales(facts, parts, drift, beliefs.noise)
    return [
        _Course(facts, beliefs, at, parts[at], drift, float(scales[at]), float(noise[at])).inferred(common)
        if parts[at]
        else None
        for at in range(len(facts.series))
    ]


def _stretches(facts: SubjectFacts, beliefs: Beliefs, series: int) -> list[SampleStretch]:
    known, gaps = facts.series[series], beliefs.gaps.of_series(series)
    if not len(known.measured):
        return []
    times = known.measured / max(known.steps - 1, 1)
    cuts, spikes = beliefs.change[gaps] > LIKELY, beliefs.ends_at_spike[gaps]
    return list(stretches(series, times, known.logs, known.runs, cuts, spikes))


def _scales(
    facts: SubjectFacts, parts: Sequence[Sequence[SampleStretch]], drift: float, noise: Array
) -> Array:
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
    order = np.argsort(all_errors)
    all_errors, weight, owned_by = all_errors[order], weight[order], owned_by[order]
    shared = weight * FELLOWS / max(float(weight.sum()), 1e-12)
    scales = np.empty(len(facts.series))
    for series in range(len(facts.series)):
        mine = np.where(owned_by == series, weight, 0.0)
        scales[series] = noise[series] * _quantile(all_errors, mine + shared, COVERED) / NORMAL_95
    floors = np.array([series.noise_floor for series in facts.series])
    return np.maximum(scales, LEAST_OF_FLOOR * floors)


def _quantile(values: Array, weights: Array, share: float) -> float:
    """The value below which so large a share of the weight lies; the values increase."""
    until = np.cumsum(weights)
    return float(values[min(np.searchsorted(until, share * until[-1]), len(values) - 1)])


@dataclass(frozen=True, eq=False)
class _Course:
    """One series: its levels at the samples, and what lies between them."""

    facts: SubjectFacts
    beliefs: Beliefs
    series: int
    parts: Sequence[SampleStretch]
    drift: float
    scale: float  # noise of one sample, around the course
    noise: float  # the same, before anything was taken for a change

    def inferred(self, common: Array) -> Inferred:
        """The whole course, with what is common to all series."""
        known = self.facts.series[self.series]
        mean, variance = self._smoothed(known, np.arange(known.steps) / max(known.steps - 1, 1))
        reach = NORMAL_95 * self.scale * np.sqrt(variance + 1)
        low, high = mean - reach, mean + reach
        gaps = self.beliefs.gaps.of_series(self.series)
        for gap in gaps.start + np.flatnonzero(self.beliefs.change[gaps] > UNLIKELY):
            self._step(int(gap), mean, low, high)
        mean, low, high = (each + common[known.places] for each in (mean, low, high))
        known = replace(known, logs=known.logs + common[known.places[known.measured]])
        # The errors of samples left out hold changes too, of which repeats are free.
        is_known = known.known_noise is not None
        shifts = detected_shifts(known, mean, self.noise if is_known else max(self.scale, self.noise))
        mean[known.measured] = known.logs
        own = (
            NORMAL_95 * (self.noise if is_known else self.scale) * np.sqrt(np.median(known.runs) / known.runs)
        )
        low[known.measured], high[known.measured] = known.logs - own, known.logs + own
        return Inferred(mean, low, high, shifts, self.scale)

    def _smoothed(self, known: SeriesFacts, times: Array) -> tuple[Array, Array]:
        """Mean and variance, in units of the noise; a stretch reaches to the first sample of the next one."""
        mean, variance = np.empty(known.steps), np.empty(known.steps)
        for part in self.parts:
            first = 0 if part.first == 0 else int(known.measured[part.first])
            end = known.steps if part.end == len(known.measured) else int(known.measured[part.end])
            posterior = part.smoothed(self.drift)
            mean[first:end], variance[first:end] = (
                posterior.mean(times[first:end]),
                posterior.variance(times[first:end]),
            )
        return mean, variance

    def _step(self, gap: int, mean: Array, low: Array, high: Array) -> None:
        """Let the course step where the level changes, and widen the band where it may have done so."""
        chance = float(self.beliefs.change[gap])
        left, right = int(self.beliefs.gaps.left[gap]), int(self.beliefs.gaps.right[gap])
        location = self.beliefs.location(self.facts, gap)
        between, is_after = slice(left + 1, right), np.cumsum(location)[:-1]
        sides = [(float(low[end]), float(high[end])) for end in (left, right)]
        if chance > LIKELY:
            before, after = float(mean[left]), float(mean[right])
            switch = left + 1 + switching_step(location, before, after)
            mean[left + 1 : switch], mean[switch:right] = before, after
            low[between], high[between] = mean[between], mean[between]
        for (lower, upper), likely in zip(sides, (1 - is_after, is_after), strict=True):
            is_possible = chance * likely > UNLIKELY
            low[between] = np.where(is_possible, np.minimum(low[between], lower), low[between])
            high[between] = np.where(is_possible, np.maximum(high[between], upper), high[between])
