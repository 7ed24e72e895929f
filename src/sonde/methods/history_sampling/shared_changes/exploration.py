"""What may hide where a series was not measured: what others went through, and what nobody saw yet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sonde.methods.history_sampling.facts import Array, Integers, SeriesFacts, SubjectFacts
from sonde.methods.history_sampling.shared_changes.beliefs import Beliefs
from sonde.methods.history_sampling.shared_changes.settings import Expectations

MOST_FELLOWS = 64
MOST_PLACES = 256
LARGEST_RISE = 2.0  # as log
NOT_ALIKE = 0.5  # distance, as log, beyond which two series are simply not alike
BARELY_ALIKE = 0.03
ANYBODY = 0.3  # weight of all fellows alike, beside that of similar ones


@lru_cache(maxsize=1024)
def spread_over(length: int, most: int) -> Integers:
    """At most so many numbers, evenly spread over 0 to before `length`."""
    numbers = np.unique(np.linspace(0, length - 1, most).astype(np.int64))
    numbers.flags.writeable = False
    return numbers


@dataclass(frozen=True, eq=False)
class Fellows:
    """The expected courses of some series, as logs around their medians, at some places of the history."""

    members: Integers  # which series
    places: Integers
    courses: Array  # one row a member

    @classmethod
    def of(cls, facts: SubjectFacts, beliefs: Beliefs) -> Fellows:
        """Some series with a value, drawn anew whenever more is known."""
        able = np.array([at for at, series in enumerate(facts.series) if len(series.measured)])
        if len(able) > MOST_FELLOWS:
            rng = np.random.default_rng([facts.seed, facts.samples])
            able = np.sort(rng.choice(able, MOST_FELLOWS, replace=False))
        places = spread_over(facts.revisions, 4 * MOST_PLACES)
        rows = [expected_course(facts, beliefs, int(at), places) for at in able]
        courses = np.array([row - np.median(row) for row in rows]).reshape(len(rows), len(places))
        return cls(able, places, courses)

    def at(self, places: Integers) -> Array:
        """The courses at the places nearest to these."""
        right = np.clip(np.searchsorted(self.places, places), 1, max(len(self.places) - 1, 1))
        right = np.minimum(right, len(self.places) - 1)
        left = np.maximum(right - 1, 0)
        nearer = np.where(places - self.places[left] < self.places[right] - places, left, right)
        return self.courses[:, nearer]


def expected_course(facts: SubjectFacts, beliefs: Beliefs, series: int, places: Integers) -> Array:
    """The expected log of a series at places of the history: a change is as likely in the gap as it is."""
    known, gaps = facts.series[series], beliefs.gaps.of_series(series)
    if gaps.stop == gaps.start:
        return np.full(len(places), known.logs[0])
    left, right = beliefs.gaps.left_place[gaps], beliefs.gaps.right_place[gaps]
    gap = np.clip(np.searchsorted(left, places, side="right") - 1, 0, len(left) - 1)
    at = np.clip(places, left[gap], right[gap])
    share = beliefs.intensity.between(left[gap], at) / beliefs.intensity.between(left[gap], right[gap])
    change = beliefs.change[gaps][gap]
    changed = (1 - share) * beliefs.left[gaps][gap] + share * beliefs.right[gaps][gap]
    return change * changed + (1 - change) * beliefs.flat[gaps][gap]


@dataclass(frozen=True, eq=False)
class Doubts:
    """How far off the guess from the neighbouring samples may be, at some steps of a series."""

    steps: Integers
    errors: Array  # relative
    until: Array  # error summed over all steps before each of these, and over all

    def between(self, first: Integers, last: Integers) -> Array:
        """The error of the steps after `first` and before `last`, summed."""
        begin, end = np.searchsorted(self.steps, first, side="right"), np.searchsorted(self.steps, last)
        return np.maximum(self.until[end] - self.until[begin], 0.0)


def doubts(facts: SubjectFacts, fellows: Fellows, series: int, expected: Expectations) -> Doubts:
    """What others went through at each step, and what a gap of its width may hide."""
    known = facts.series[series]
    steps = spread_over(known.steps, MOST_PLACES)
    behind = np.searchsorted(known.measured, steps)  # how many samples lie before each step
    edges = np.concatenate([[0], known.measured, [known.steps - 1]])
    errors = expected.hidden * np.sqrt((edges[behind + 1] - edges[behind]) / known.steps)
    others = fellows.members != series
    if others.any():
        errors = errors / 2
        at_samples = fellows.at(known.places[known.measured])[others]
        here = fellows.at(known.places[steps])[others]
        last = len(known.measured) - 1
        left = _relative_error(at_samples[:, np.clip(behind - 1, 0, last)] - here)
        right = _relative_error(at_samples[:, np.minimum(behind, last)] - here)
        errors = errors + _likeness(known, at_samples) @ np.minimum(left, right)
    errors[known.measured[np.minimum(behind, len(known.measured) - 1)] == steps] = 0.0
    stride = np.diff(np.append(steps, known.steps))
    return Doubts(steps, errors, np.concatenate([[0.0], np.cumsum(errors * stride)]))


def _likeness(known: SeriesFacts, at_samples: Array) -> Array:
    """How much each fellow tells: the more, the more alike its course is at the samples of this series."""
    apart = known.logs - at_samples
    apart = np.abs(apart - np.median(apart, axis=1, keepdims=True))
    alike = (np.minimum(apart, NOT_ALIKE).mean(axis=1) + BARELY_ALIKE) ** -2.0
    weights: Array = (1 - ANYBODY) * alike / alike.sum() + ANYBODY / len(alike)
    return weights


def _relative_error(rise: Array) -> Array:
    return np.abs(np.expm1(np.clip(rise, -3.0, LARGEST_RISE)))
