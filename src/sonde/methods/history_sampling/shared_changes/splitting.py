"""Where to measure in a gap in which the level changes, and how much error that takes away."""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1

import numpy as np

from sonde.methods.history_sampling.facts import Array, Integers

MOST_CANDIDATES = 60
LARGEST_ERROR = 8.0  # relative; a level that is lost cannot cost more


@dataclass(frozen=True)
class Split:
    """The best step to measure, counted from the first of its gap, and the error it takes away."""

    step: int
    gain: float  # relative errors, summed over the steps


def best_split(location: Array, before: float, after: float) -> Split:
    """The step that leaves the least error, if the change happens at step i with probability location[i].

    The last step is the sample on the right. A relative error weighs a level that is too high more than one
    that is too low: `before` and `after` are logs.
    """
    is_after = np.cumsum(location)[:-1]  # probability that a step has the new level
    costs = relative_error(after, before), relative_error(before, after)
    now = _error(is_after, 1.0 - is_after, costs).sum()
    candidates = _candidates(is_after)
    reached = is_after[candidates][:, None]
    step, chosen = np.arange(len(is_after)), candidates[:, None]
    # The change lies at the measured step or before it: the steps behind it have the new level for certain.
    earlier = _error(is_after, reached - is_after, costs) * (step < chosen)
    later = _error(is_after - reached, 1.0 - is_after, costs) * (step > chosen)
    left_over = earlier.sum(axis=1) + later.sum(axis=1)
    best = int(np.argmin(left_over + 1e-9 * np.abs(candidates - len(is_after) / 2)))
    return Split(int(candidates[best]), float(now - left_over[best]))


def switching_step(location: Array, before: float, after: float) -> int:
    """The step from which on the new level is the better guess, by relative error."""
    is_after = np.cumsum(location)
    threshold = 1 / (1 + np.exp(np.clip(before - after, -50, 50)))
    return min(int(np.searchsorted(is_after, threshold)), len(location) - 1)


def relative_error(predicted: float, true: float) -> float:
    """|predicted / true - 1| of two logs, with a ceiling."""
    return min(abs(expm1(min(predicted - true, 50.0))), LARGEST_ERROR)


def _error(is_after: Array, is_before: Array, costs: tuple[float, float]) -> Array:
    """Expected error of the better one of two guesses, given the probabilities that either is right."""
    wrongly_after, wrongly_before = costs
    return np.minimum(is_before * wrongly_after, is_after * wrongly_before)


def _candidates(is_after: Array) -> Integers:
    """The steps to compare: all of a narrow gap, and some even places and quantiles of a wide one."""
    steps = len(is_after)
    if steps <= MOST_CANDIDATES:
        return np.arange(steps)
    at_quantiles = np.searchsorted(is_after, np.linspace(0.05, 0.95, 19))
    even = np.linspace(0, steps - 1, 16).astype(np.int64)
    return np.unique(np.clip(np.concatenate([even, at_quantiles, at_quantiles - 1]), 0, steps - 1))
