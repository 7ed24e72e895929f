"""The solution cache, reckoned by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Literal
from sonde.methods.pinpointing.likelihoods.settings import PaperSettings
from sonde.methods.pinpointing.likelihoods.solution_cache import Association, SolutionCache

X, Y = Literal("x", True), Literal("y", True)
AT_50, AT_90, CORE = Association(50, X), Association(90, Y), Association(50, None)


def cache_after(*iterations):
    cache = SolutionCache(PaperSettings())
    for found in iterations:
        cache.update(found)
    return cache


def test_a_weight_is_increased_and_then_decreased():
    assert cache_after([AT_50]).weights == pytest.approx({AT_50: 0.3})
    assert cache_after([AT_50], [AT_50]).weights == pytest.approx({AT_50: 0.39})
    assert cache_after([AT_50], [AT_50], []).weights == pytest.approx({AT_50: 0.117})
    assert cache_after([AT_50], [AT_90]).weights == pytest.approx({AT_50: 0.09, AT_90: 0.3})


def test_what_is_found_for_ever_weighs_three_sevenths_and_never_more_than_one():
    cache = cache_after(*[[AT_50]] * 30)

    assert cache.weights[AT_50] == pytest.approx(3 / 7)
    assert cache.probability(AT_50) == pytest.approx(1)


def test_what_is_found_once_is_dropped_after_three_iterations_without_it():
    assert AT_50 in cache_after([AT_50], [], []).weights  # .027 is not smaller than .3³
    assert cache_after([AT_50], [], [], []).weights == {}


def test_it_is_settled_when_all_were_found_again_and_nothing_was_dropped_three_times_in_a_row():
    assert not cache_after([AT_50], [AT_50]).is_settled
    assert cache_after([AT_50], [AT_50], [AT_50]).is_settled
    assert not cache_after([AT_50], [AT_50], [AT_50, AT_90]).is_settled  # one is new
    assert not cache_after([AT_50], [AT_50], [AT_50], []).is_settled  # one is missing


def test_dropping_begins_the_count_anew():
    stays, drops = [AT_50], [AT_50, AT_90]

    dropped = cache_after(drops, stays, stays, stays)
    assert AT_90 not in dropped.weights
    assert not dropped.is_settled
    assert not cache_after(drops, *[stays] * 5).is_settled
    assert cache_after(drops, *[stays] * 6).is_settled


def test_nothing_found_three_times_is_settled_too():
    assert not cache_after([], []).is_settled
    assert cache_after([], [], []).is_settled
    assert cache_after([], [], []).calm == 3


def test_a_step_that_moves_a_little_is_the_same_association():
    moved = cache_after([Association(50, X)], [Association(54, X)])

    assert moved.weights == pytest.approx({Association(54, X): 0.39})


def test_one_that_is_far_or_of_another_literal_is_another():
    assert len(cache_after([Association(50, X)], [Association(56, X)]).weights) == 2
    assert len(cache_after([Association(50, X)], [Association(50, Y)]).weights) == 2
    assert len(cache_after([AT_50], [CORE]).weights) == 2


def test_the_nearest_one_is_taken_and_only_once():
    cache = cache_after([Association(53, X)], [Association(52, X), Association(53, X)])

    assert cache.weights == pytest.approx({Association(52, X): 0.3, Association(53, X): 0.39})


associations = st.builds(Association, st.integers(0, 40), st.sampled_from([X, Y, None]))


@given(iterations=st.lists(st.lists(associations, max_size=6), max_size=12), data=st.data())
def test_the_order_within_an_iteration_does_not_matter_and_probabilities_are_such(iterations, data):
    cache = cache_after(*iterations)
    other = cache_after(*[data.draw(st.permutations(found)) for found in iterations])

    assert cache.weights == other.weights
    assert all(0 < cache.probability(each) <= 1 for each in cache.weights)
    assert all(0.3**3 * (1 - 1e-6) <= weight < 3 / 7 for weight in cache.weights.values())
