"""What the default policy believes: where levels change, between which levels, and how surely."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sonde.methods.history_sampling.facts import Array, Flags, Integers, SubjectFacts
from sonde.methods.history_sampling.noise import first_noise, noise_between_changes
from sonde.methods.history_sampling.shared_changes.intensity import Intensity, learn_intensity
from sonde.methods.history_sampling.shared_changes.local_posterior import REACH, Windows, local_posterior
from sonde.methods.history_sampling.shared_changes.settings import Expectations


@dataclass(frozen=True, eq=False)
class Gaps:
    """The gaps between neighbouring samples of all series, one after the other."""

    series: Integers
    ordinal: Integers  # of the sample on the left, within its series
    left: Integers  # the steps on either side
    right: Integers
    left_place: Integers  # and their positions in the history
    right_place: Integers
    offsets: Integers  # gaps of series s are those from offsets[s] to offsets[s + 1]

    @classmethod
    def of(cls, facts: SubjectFacts) -> Gaps:
        """The gaps of all series with two samples or more."""
        counts = np.array([max(len(series.measured) - 1, 0) for series in facts.series], dtype=np.int64)
        left = [series.measured[:-1] for series in facts.series]
        right = [series.measured[1:] for series in facts.series]
        pairs = list(zip(facts.series, left, right, strict=True))
        return cls(
            np.repeat(np.arange(len(counts)), counts),
            _joined([np.arange(count) for count in counts]),
            _joined(left),
            _joined(right),
            _joined([series.places[steps] for series, steps, _ in pairs]),
            _joined([series.places[steps] for series, _, steps in pairs]),
            np.concatenate([[0], np.cumsum(counts)]),
        )

    def __len__(self) -> int:
        return len(self.series)

    def of_series(self, series: int) -> slice:
        """Which gaps belong to a series."""
        return slice(int(self.offsets[series]), int(self.offsets[series + 1]))


@dataclass(frozen=True, eq=False)
class Beliefs:
    """One entry a gap, unless it says otherwise."""

    gaps: Gaps
    change: Array  # probability that the level changes in the gap
    left: Array  # the level before the gap if it changes, as log
    right: Array
    flat: Array  # the level around it if it does not
    is_brief: Flags  # both changes around the sample on its right take each other back
    ends_at_spike: Flags  # that sample tells nothing of its neighbours
    noise: Array  # one a series: relative standard deviation of a sample
    changes: Array  # one a series: expected number over the whole history
    intensity: Intensity

    def location(self, facts: SubjectFacts, gap: int) -> Array:
        """Probability that a change in a gap happens at each of its steps; the last is its right sample.

        Levels that were met once, and left again, are rather short: their length is as likely to be from 1 to
        2 steps as from 10 to 20. So their changes are likelier near to that sample.
        """
        gaps, left, right = self.gaps, int(self.gaps.left[gap]), int(self.gaps.right[gap])
        places = facts.series[gaps.series[gap]].places[left : right + 1]
        share = self.intensity.between(places[:-1], places[1:])
        if self.is_brief[gap]:
            share = share / np.arange(right - left, 0, -1)
        if gap > 0 and gaps.ordinal[gap] > 0 and self.is_brief[gap - 1]:
            share = share / np.arange(1, right - left + 1)
        probability: Array = share / share.sum()
        return probability


def believe(facts: SubjectFacts, expected: Expectations, *, spikes: float = 0.0) -> Beliefs:
    """What follows from the facts; `spikes` is the share of samples that tell nothing of their neighbours."""
    gaps = Gaps.of(facts)
    nothing = np.zeros(len(gaps))
    beliefs = Beliefs(
        gaps,
        change=nothing,
        left=nothing,
        right=nothing,
        flat=nothing,
        is_brief=nothing.astype(np.bool_),
        ends_at_spike=nothing.astype(np.bool_),
        noise=first_noise(facts, expected.highest_noise),
        changes=np.full(len(facts.series), expected.changes),
        intensity=Intensity.even(facts.revisions),
    )
    if not len(gaps):
        return beliefs
    samples = _Samples(facts, gaps)
    for _ in range(2):  # first with an even intensity, then with the learnt one
        beliefs = _explain_spikes(_with_posterior(beliefs, samples, expected), spikes)
        beliefs = _learn(beliefs, facts, expected)
    return beliefs


class _Samples:
    """The samples around each gap, and where in the list of gaps their own gaps stand."""

    def __init__(self, facts: SubjectFacts, gaps: Gaps) -> None:
        counts = np.array([len(series.measured) for series in facts.series])
        begins = np.concatenate([[0], np.cumsum(counts)])[gaps.series][:, None]
        count = counts[gaps.series][:, None]
        logs = np.concatenate([series.logs for series in facts.series])
        runs = np.concatenate([_relative(series.runs) for series in facts.series])
        index = gaps.ordinal[:, None] + np.arange(1 - REACH, REACH + 1)
        is_there = (index >= 0) & (index < count)
        at = begins + np.clip(index, 0, count - 1)
        middle = logs[at[:, REACH - 1 : REACH + 1]].mean(axis=1)
        self.middle = middle
        self.values = logs[at] - middle[:, None]
        self.weights = np.where(is_there, runs[at], 0.0)
        index = gaps.ordinal[:, None] + np.arange(1 - REACH, REACH)
        self.is_gap = (index >= 0) & (index < count - 1)
        self.gap = gaps.offsets[gaps.series][:, None] + np.clip(index, 0, count - 2)


def _with_posterior(beliefs: Beliefs, samples: _Samples, expected: Expectations) -> Beliefs:
    prior = _prior(beliefs)
    windows = Windows(
        samples.values,
        samples.weights,
        np.where(samples.is_gap, np.log(prior)[samples.gap], 0.0),
        np.where(samples.is_gap, np.log1p(-prior)[samples.gap], 0.0),
        beliefs.noise[beliefs.gaps.series],
    )
    posterior = local_posterior(windows, expected.level_deviation)
    return replace(
        beliefs,
        change=posterior.change,
        left=posterior.left.mean + samples.middle,
        right=posterior.right.mean + samples.middle,
        flat=posterior.flat.mean + samples.middle,
    )


def _prior(beliefs: Beliefs) -> Array:
    """Prior probability of a change in each gap: changes come as a Poisson process with the intensity."""
    gaps = beliefs.gaps
    share = beliefs.intensity.between(gaps.left_place, gaps.right_place)
    prior: Array = np.clip(1 - np.exp(-beliefs.changes[gaps.series] * share), 1e-4, 0.9)
    return prior


def _explain_spikes(beliefs: Beliefs, spikes: float) -> Beliefs:
    """Doubt pairs of changes that take each other back around one sample: it may be a spike.

    The narrower the two gaps, the less likely are two changes in them, and the likelier is a spike.
    """
    gaps, prior = beliefs.gaps, _prior(beliefs)
    is_pair = (gaps.series[:-1] == gaps.series[1:]) & (beliefs.change[:-1] > 0.5) & (beliefs.change[1:] > 0.5)
    returns = np.abs(beliefs.left[:-1] - beliefs.right[1:]) < 3 * beliefs.noise[gaps.series[:-1]]
    is_brief = np.append(is_pair & returns, False)
    first = np.flatnonzero(is_brief)
    both = prior[first] * prior[first + 1]
    trust = both / (both + spikes)
    change, flat = beliefs.change.copy(), beliefs.flat.copy()
    level = (beliefs.left[first] + beliefs.right[first + 1]) / 2
    for gap in (first, first + 1):
        np.multiply.at(change, gap, trust)
        flat[gap] = np.where(trust < 1, level, flat[gap])
    is_spike = np.zeros(len(gaps), dtype=np.bool_)
    is_spike[first] = trust < 0.5
    return replace(beliefs, change=change, flat=flat, is_brief=is_brief, ends_at_spike=is_spike)


def _learn(beliefs: Beliefs, facts: SubjectFacts, expected: Expectations) -> Beliefs:
    """The noise and number of changes of each series, and where changes happen, from all gaps."""
    gaps, count = beliefs.gaps, len(facts.series)
    samples = np.diff(gaps.offsets) + 1
    seen = np.bincount(gaps.series, beliefs.change, count)
    changes = (samples * seen + expected.weight * expected.changes) / (samples + expected.weight)
    noise = noise_between_changes(facts, beliefs.change, beliefs.noise, expected.highest_noise)
    beliefs = replace(beliefs, changes=changes, noise=noise)
    if count == 1:
        return beliefs
    floors = np.array([series.noise_floor for series in facts.series])[gaps.series]
    size = np.minimum(1.0, np.abs(beliefs.right - beliefs.left) / (3 * floors))
    intensity = learn_intensity(
        gaps.left_place, gaps.right_place, beliefs.change * size, facts.revisions, expected.unshared
    )
    return replace(beliefs, intensity=intensity)


def _relative(runs: Integers) -> Array:
    """Weights of medians of so many runs; the usual one weighs 1."""
    return runs / max(1.0, float(np.median(runs))) if len(runs) else runs.astype(np.float64)


def _joined(parts: list[Integers]) -> Integers:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
