"""What is known of the series of a subject, as policies see it: numbers only."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

UNLIMITED = 2**62
SEVERAL = 2


@dataclass(frozen=True, eq=False)
class Exact:
    """The values of a series whose repeats agree."""

    noise: float  # relative; values that differ by no more are equal
    logs: Array  # of each measured step: the mean of the logs of its samples ...
    lowest: Array  # ... the lowest one ...
    highest: Array  # ... the highest one ...
    variance: Array  # ... and the variance of one; 0 of a single one
    usual_variance: float  # the mean of these where runs differ; 0 if they do nowhere
    usual_runs: int  # of a revision, where nothing hangs on it


@dataclass(frozen=True, eq=False)
class SeriesFacts:
    """What is known of one series, on its own clock.

    A step of that clock is a run of successive revisions that are proven equal: twins take no time.
    """

    places: Integers  # the position in the history at which each step begins, increasing
    measured: Integers  # the steps that have a value, increasing
    logs: Array  # of the median value of each measured step
    runs: Integers  # how many samples each of these medians is made of
    most_runs: Integers  # and how many it may be made of
    is_open: Flags  # a flag a step: neither measured nor asked for, and not known to fail
    pending: Integers  # the steps that were asked for, increasing
    allowance: int  # so many further steps may be measured, beside the pending ones
    noise_floor: float  # relative deviation that is always reckoned with
    magnitude: float  # relative size from which on a change matters
    failed: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # increasing
    repeat_noise: float = 0.0  # relative deviation of a median, as repeated runs of one revision show it
    known_noise: float | None = None  # the same where repeats alone decide it; None: the series says, too
    exact: Exact | None = None  # what holds where repeats agree; None: values scatter

    @property
    def steps(self) -> int:
        """The length of the clock."""
        return len(self.places)

    @cached_property
    def known(self) -> Integers:
        """The steps that have a value or will have one, increasing."""
        if not len(self.pending):
            return self.measured
        both = np.sort(np.concatenate((self.measured, self.pending)))  # np.union1d takes many times as long
        return both[np.concatenate(([True], both[1:] > both[:-1]))]

    def nearest_open(self, step: int, first: int, last: int) -> int | None:
        """The open step nearest to `step` from `first` to `last`, the earlier one of two; or None.

        Where several of a gap have failed, their neighbours are likely to fail too: then it is the nearest
        one that is no nearer to a failure than to a value, or the one that is farthest from all failures.
        """
        open_steps = first + np.flatnonzero(self.is_open[first : last + 1])
        if not len(open_steps):
            return None
        at = int(np.searchsorted(self.measured, step))
        left = int(self.measured[at - 1]) if at > 0 else -1
        right = int(self.measured[at]) if at < len(self.measured) else self.steps
        failed = self.failed[(self.failed > left) & (self.failed < right)]
        if len(failed) >= SEVERAL:
            from_failure = distance(open_steps, failed)
            if not len(self.measured):
                return int(open_steps[np.argmax(from_failure)])
            safe = open_steps[distance(open_steps, self.measured) <= from_failure]
            open_steps = safe if len(safe) else open_steps
        return int(open_steps[np.argmin(np.abs(open_steps - step))])


def distance(numbers: Integers, others: Integers) -> Integers:
    """How far each number is from the nearest one of `others`, which increase."""
    at = np.searchsorted(others, numbers)
    left, right = others[np.maximum(at - 1, 0)], others[np.minimum(at, len(others) - 1)]
    nearest: Integers = np.minimum(np.abs(numbers - left), np.abs(right - numbers))
    return nearest


@dataclass(frozen=True, eq=False)
class SubjectFacts:
    """What is known of all series of a subject."""

    revisions: int  # the length of the history
    series: tuple[SeriesFacts, ...]
    seed: int
    build_cost: float = 10.0  # of a revision, in runs

    @property
    def samples(self) -> int:
        """How many steps have a value, over all series."""
        return sum(len(series.measured) for series in self.series)


@dataclass(frozen=True)
class Pick:
    """A policy's demand: `runs` samples, in all, of one step of one series."""

    series: int
    step: int
    runs: int = 1
    gain: float = 1.0  # what it is worth, in a unit that is the same for all series
