"""What most series have in common is found from few samples each, and nothing where they have nothing."""

from __future__ import annotations

import numpy as np
import pytest

from sonde.methods.history_sampling.facts import SeriesFacts, SubjectFacts
from sonde.methods.history_sampling.shared_changes.common_course import common_course, without


def facts_of(values, samples, seed):
    """Every row of `values` is a series of logs, of which so many steps are measured."""
    rng = np.random.default_rng(seed)
    revisions = values.shape[1]
    series = []
    for row in values:
        measured = np.sort(rng.choice(revisions, samples, replace=False))
        is_open = np.ones(revisions, dtype=np.bool_)
        is_open[measured] = False
        ones = np.ones(samples, dtype=np.int64)
        nothing = np.zeros(0, dtype=np.int64)
        series.append(
            SeriesFacts(
                np.arange(revisions), measured, row[measured], ones, ones, is_open, nothing, 0, 0.01, 0.05
            )
        )
    return SubjectFacts(revisions, tuple(series), seed)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_course_that_most_share_is_found_from_four_samples_each(seed):
    rng = np.random.default_rng(seed)
    shared = np.repeat([0.0, 0.4, -0.2, 0.1], 5)
    values = rng.normal(0, 1, (200, 1)) + shared + rng.normal(0, 0.01, (200, 20))
    values[:40, 12:] += 0.5  # some differ

    course = common_course(facts_of(values, 4, seed))

    assert np.abs(course - np.median(course) - shared + np.median(shared)).max() < 0.03


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_series_without_anything_in_common_are_left_alone(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(0, 1, (200, 1)) + rng.normal(0, 0.03, (200, 20))

    assert not common_course(facts_of(values, 6, seed)).any()


def test_few_samples_have_nothing_to_say_of_a_common_course():
    values = np.repeat([0.0, 1.0], 50)[None, :] + np.zeros((3, 1))

    assert not common_course(facts_of(values, 4, 0)).any()
    assert not common_course(SubjectFacts(10, (), 0)).any()


def test_what_is_common_is_taken_off_the_samples_only():
    facts = facts_of(np.zeros((2, 10)), 3, 0)

    rest = without(facts, np.arange(10.0))

    for before, after in zip(facts.series, rest.series, strict=True):
        assert np.allclose(before.logs - after.logs, before.measured)
        assert after.measured is before.measured
