"""The findings."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest

from sonde.core.options import Configuration, Literal
from sonde.methods.pinpointing.likelihoods.changes import changes, terms_of
from sonde.methods.pinpointing.likelihoods.solution_cache import Association
from tests.methods.pinpointing.likelihoods.made_systems import course_of, term

X, Y = Literal("x", True), Literal("y", True)
NOISE = 0.01
BOTH, ONLY_X, NEITHER = (
    Configuration.of({"x": x, "y": y}) for x, y in ((True, True), (True, False), (False, False))
)


def course(configuration, values):
    return course_of(configuration, np.array(sorted(values)), np.array([values[at] for at in sorted(values)]))


COURSES = [
    course(BOTH, {10: 1.0, 46: 1.0, 60: 3.0}),
    course(ONLY_X, {20: 1.0, 40: 1.0, 52: 2.0, 90: 2.0}),
    course(NEITHER, {49: 1.0, 51: 1.0}),
]


def test_the_effect_is_that_of_the_nearest_samples_where_it_shows_most():
    (found,) = changes({Association(50, X): 0.7}, COURSES, 0.05, NOISE)

    assert found.position == 50
    assert found.term == term("x")
    assert found.configurations == 2
    assert found.effect == pytest.approx(log(3))  # that of BOTH
    assert found.effect_high - found.effect == pytest.approx(1.645 * sqrt(2) * NOISE)
    assert found.effect - found.effect_low == pytest.approx(1.645 * sqrt(2) * NOISE)
    assert (found.earliest, found.latest) == (47, 52)
    assert found.shown_in == BOTH
    assert found.probability == 0.7


def test_associations_of_one_step_are_one_term_and_the_core_is_another():
    found = changes(
        {Association(50, X): 0.7, Association(50, Y): 0.4, Association(50, None): 0.9}, COURSES, 0.05, NOISE
    )

    assert [(each.term, each.probability) for each in found] == [(frozenset(), 0.9), (term("x", "y"), 0.4)]
    assert found[0].configurations == 3


def test_values_that_exclude_each_other_are_terms_of_their_own():
    low, high = Literal("level", 1), Literal("level", 9)
    associations = [Association(5, low), Association(5, high), Association(5, X)]

    assert terms_of(associations) == [frozenset({low, X}), frozenset({high, X})]


def test_an_interaction_that_no_measured_configuration_has_is_told_by_its_parts():
    found = changes({Association(50, X): 0.7, Association(50, Y): 0.4}, COURSES[1:], 0.05, NOISE)

    assert [(each.term, each.shown_in, each.probability) for each in found] == [(term("x"), ONLY_X, 0.7)]


def test_values_that_were_only_measured_apart_are_no_interaction():
    only_y = Configuration.of({"x": False, "y": True})
    courses = [*COURSES[1:], course(only_y, {20: 1.0, 60: 4.0})]

    found = changes({Association(50, X): 0.7, Association(50, Y): 0.4}, courses, 0.05, NOISE)

    assert [each.term for each in found] == [term("x"), term("y")]


def test_what_nobody_measured_around_is_left_out():
    assert changes({Association(5, X): 0.7}, COURSES, 0.05, NOISE) == ()
    assert changes({Association(50, X): 0.7}, [], 0.05, NOISE) == ()


def test_what_no_configuration_shows_is_not_told():
    courses = [course(ONLY_X, {20: 1.0, 51: 1.04}), course(BOTH, {49: 1.0, 90: 1.0})]

    assert changes({Association(50, X): 0.7}, courses, 0.05, NOISE) == ()


@pytest.mark.parametrize("values", [{20: 1.0, 51: 1.05}, {20: 1.05, 51: 1.0}])
def test_a_change_of_just_the_threshold_is_told(values):
    (found,) = changes({Association(50, X): 0.7}, [course(ONLY_X, values)], 0.05, NOISE)

    assert abs(found.effect) == pytest.approx(log(1.05))
