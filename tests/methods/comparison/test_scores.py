"""How strongly each pair speaks for a slower head."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from sonde.methods.comparison.scores import mid_ranks, scores

logs = st.integers(-6, 6).map(lambda number: number / 4)  # so that many are tied, and differences are exact
some_pairs = st.lists(st.tuples(logs, logs), min_size=1, max_size=12)


def scores_of(pairs):
    given_logs = np.array(pairs, dtype=float)
    return scores(given_logs[None, :, 0], given_logs[None, :, 1])[0]


def in_a_plain_loop(pairs):
    """The same, pair by pair."""
    changes = [head - base for base, head in pairs]
    runs = [run for pair in pairs for run in pair]

    def rank(value, values):
        return sum(each < value for each in values) + (sum(each == value for each in values) + 1) / 2

    def speed(run):
        return log(rank(run, runs) / (len(runs) + 1))

    sizes = [abs(change) for change in changes]
    by_pair = [np.sign(change) * rank(abs(change), sizes) for change in changes]
    by_run = [speed(head) - speed(base) for base, head in pairs]
    lengths = [sqrt(sum(each**2 for each in made)) or 1.0 for made in (by_pair, by_run)]
    return [one / lengths[0] + other / lengths[1] for one, other in zip(by_pair, by_run, strict=True)]


@given(some_pairs)
def test_they_are_those_of_the_plain_loop(pairs):
    assert scores_of(pairs) == pytest.approx(in_a_plain_loop(pairs))


@given(some_pairs, st.data())
def test_exchanging_the_runs_of_a_pair_turns_its_sign_and_nothing_else(pairs, data):
    at = data.draw(st.integers(0, len(pairs) - 1))
    exchanged = [*pairs[:at], pairs[at][::-1], *pairs[at + 1 :]]
    expected = scores_of(pairs)
    expected[at] *= -1

    assert scores_of(exchanged) == pytest.approx(expected)


@given(some_pairs)
def test_the_unit_does_not_matter(pairs):
    assert scores_of([(base + 8, head + 8) for base, head in pairs]) == pytest.approx(scores_of(pairs))


def test_pairs_of_equal_runs_say_nothing():
    assert scores_of([(0.5, 0.5)] * 3).tolist() == [0, 0, 0]
    assert scores_of([(0.5, 0.5), (0.1, 0.2), (2.0, 2.0)]).tolist() == pytest.approx([0, 2, 0])


def test_among_equal_changes_that_of_the_fastest_runs_says_most():
    found = scores_of([(0.0, 0.25), (1.0, 1.25), (4.0, 4.25)])

    assert found[0] > found[1] > found[2] > 0


def test_rows_do_not_know_of_each_other_and_a_single_one_stands_beside_all():
    rng = np.random.default_rng(1)
    base, head = rng.normal(size=(1, 9)), rng.normal(size=(4, 9))
    alone = np.concatenate([scores(base, row[None, :]) for row in head])

    assert np.array_equal(scores(base, head), alone)
    assert np.array_equal(scores(np.repeat(base, 4, axis=0), head), alone)


@given(st.lists(st.lists(logs, min_size=7, max_size=7), min_size=1, max_size=4))
def test_tied_values_share_the_mean_of_their_ranks(rows):
    assert np.array_equal(mid_ranks(np.array(rows)), rankdata(rows, axis=1))
