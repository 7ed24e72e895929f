"""The course that most series share: where all of them rise and fall together, a few samples each tell it.

A release that slows everything down, or a machine that had a bad day, moves all series at once. Where there
are many more samples than revisions, that common course is found from all series, and each one needs to tell
only in what it differs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sonde.methods.history_sampling.facts import Array, Flags, Integers, SubjectFacts

PAIRS_A_PLACE = 10  # so many pairs of neighbouring samples are needed for each place
MOST_PLACES = 1_000
WORTH_IT = 0.8  # of the differences between neighbouring samples may be left over
ROUNDS = 8
SMALLEST = 0.02  # as log: smaller deviations weigh all the same
EVENNESS = 1.0  # weight of "nothing happens" at each place, in pairs of samples that deviate by 1


def common_course(facts: SubjectFacts) -> Array:
    """What most series have in common, as log, one a revision; zero if they have nothing in common.

    Half of the series must predict the other half: the pairs of neighbouring samples must differ by much less
    from the common course of the other half than from each other.
    """
    pairs = _pairs(facts)
    if len(pairs.places) > MOST_PLACES or len(pairs) < PAIRS_A_PLACE * len(pairs.places) or not len(pairs):
        return np.zeros(facts.revisions)
    is_even = pairs.series % 2 == 0
    halves = _fitted(pairs.only(is_even)), _fitted(pairs.only(~is_even))
    left_over = pairs.only(~is_even).distance(halves[0]) + pairs.only(is_even).distance(halves[1])
    if left_over > WORTH_IT * pairs.distance(np.zeros(len(pairs.places))):
        return np.zeros(facts.revisions)
    course = _fitted(pairs)
    nearest = np.clip(np.searchsorted(pairs.places, np.arange(facts.revisions), side="right") - 1, 0, None)
    known: Array = (course - np.median(course))[nearest]
    return known


def without(facts: SubjectFacts, course: Array) -> SubjectFacts:
    """The same facts, in what each series differs from the common course."""
    series = [replace(one, logs=one.logs - course[one.places[one.measured]]) for one in facts.series]
    return replace(facts, series=tuple(series))


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Neighbouring samples of all series: at which places, and how much the log rises between them."""

    places: Integers
    series: Integers
    left: Integers
    right: Integers
    rise: Array

    def __len__(self) -> int:
        return len(self.rise)

    def only(self, wanted: Flags) -> _Pairs:
        """Some of the pairs."""
        return _Pairs(
            self.places, self.series[wanted], self.left[wanted], self.right[wanted], self.rise[wanted]
        )

    def distance(self, course: Array) -> float:
        """How far the pairs are from a course, in sum."""
        return float(np.abs(self.rise - (course[self.right] - course[self.left])).sum())


def _pairs(facts: SubjectFacts) -> _Pairs:
    first = [one.places[one.measured[:-1]] for one in facts.series]
    last = [one.places[one.measured[1:]] for one in facts.series]
    empty = np.zeros(0, dtype=np.int64)
    places = np.unique(np.concatenate([empty, *first, *last]))
    return _Pairs(
        places,
        np.repeat(np.arange(len(first)), [len(some) for some in first]),
        np.searchsorted(places, np.concatenate([empty, *first])),
        np.searchsorted(places, np.concatenate([empty, *last])),
        np.concatenate([np.zeros(0), *(np.diff(one.logs) for one in facts.series)]),
    )


def _fitted(pairs: _Pairs) -> Array:
    """The course f that makes the sum of |rise - (f(right) - f(left))| small: most series decide.

    By weighted least squares, again and again.
    """
    course = np.zeros(len(pairs.places))
    for _ in range(ROUNDS):
        apart = np.abs(pairs.rise - (course[pairs.right] - course[pairs.left]))
        course = _least_squares(pairs, 1 / np.maximum(apart, SMALLEST))
    return course


def _least_squares(pairs: _Pairs, weight: Array) -> Array:
    """The course of least weighted squares; neighbouring places are held together a little."""
    places, ends = len(pairs.places), np.arange(len(pairs.places) - 1)
    matrix, pull = np.zeros((places, places)), np.zeros(places)
    links = (
        (pairs.left, pairs.right, pairs.rise, weight),
        (ends, ends + 1, np.zeros(places - 1), np.full(places - 1, EVENNESS)),
    )
    for begin, end, value, strength in links:
        np.add.at(matrix, (begin, begin), strength)
        np.add.at(matrix, (end, end), strength)
        np.add.at(matrix, (begin, end), -strength)
        np.add.at(matrix, (end, begin), -strength)
        np.add.at(pull, end, strength * value)
        np.add.at(pull, begin, -strength * value)
    matrix[0, 0] += 1.0  # its height is free
    return np.asarray(np.linalg.solve(matrix, pull), dtype=np.float64)
