"""The evidence of terms, against the integral that it stands for."""

from __future__ import annotations

from math import exp, inf, log, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from sonde.methods.pinpointing.shared_steps.belief.boundary import StepHeights
from sonde.methods.pinpointing.shared_steps.belief.evidence import (
    SILENT,
    SURELY,
    evidence_of,
    negligible_steps,
    readings,
)
from sonde.methods.pinpointing.shared_steps.belief.settings import SearchSettings
from tests.methods.history_sampling.made_series import SOME_EXAMPLES
from tests.methods.pinpointing.shared_steps.made_sheets import levels_only

SETTINGS = SearchSettings()
CLEARLY = 2.0


def density(value: float, mean: float, variance: float) -> float:
    return exp(-((value - mean) ** 2) / (2 * variance)) / sqrt(2 * pi * variance)


def slow_evidence(heights, variances, noises, holds, prior_variance, stray, contradiction):
    """The log of the integral over the common height, against no step at all, in plain loops."""
    highest = max(
        max(abs(height) - CLEARLY * sqrt(variance), 0.0)
        for height, variance in zip(heights, variances, strict=True)
    )
    graded = [variance + (SETTINGS.grading * highest) ** 2 for variance in variances]

    def no_step(place):
        plain = density(heights[place], 0.0, variances[place])
        return (1 - stray) * plain + stray * density(heights[place], 0.0, variances[place] + highest**2)

    def is_silent(place):
        return abs(heights[place]) + SURELY * sqrt(noises[place]) < SILENT * highest

    inside = [place for place in range(len(heights)) if holds[place]]
    weight = sum(1 / graded[place] for place in inside) + 1 / prior_variance
    peak = sum(heights[place] / graded[place] for place in inside) / weight  # only to know where to look

    def log_integrand(common: float) -> float:
        return log(density(common, 0.0, prior_variance)) + sum(
            log(density(heights[place], common, graded[place])) - log(no_step(place)) for place in inside
        )

    top, width = log_integrand(peak), 12 / sqrt(weight)
    area, _ = quad(lambda common: exp(log_integrand(common) - top), peak - width, peak + width, limit=200)
    return top + log(float(area)) - contradiction * sum(is_silent(place) for place in inside)


@st.composite
def some_steps(draw, most=5):
    """Heights, their deviations, and levels of a few configurations."""
    count = draw(st.integers(1, most))
    heights = draw(st.lists(st.floats(-0.5, 0.5), min_size=count, max_size=count))
    deviations = draw(st.lists(st.floats(0.03, 0.5), min_size=count, max_size=count))
    levels = draw(st.lists(st.floats(0.5, 5), min_size=count, max_size=count))
    return np.array(heights), np.array(deviations) ** 2, np.array(levels)


@SOME_EXAMPLES
@given(
    steps=some_steps(),
    data=st.data(),
    stray=st.sampled_from([0.0, 1e-3, 0.2]),
    contradiction=st.sampled_from([0.0, 8.0]),
)
def test_the_evidence_is_the_integral_over_the_common_height(steps, data, stray, contradiction):
    heights, variances, levels = steps
    holds = data.draw(st.lists(st.booleans(), min_size=len(heights), max_size=len(heights)))
    table, negligible = levels_only(levels), np.full(len(heights), 0.005)

    found = readings(StepHeights(heights, variances), table, negligible, SETTINGS, stray, contradiction)

    floored = variances + 0.005**2
    over = np.array(holds, dtype=float)
    as_ratio = slow_evidence(
        heights.tolist(),
        floored.tolist(),
        variances.tolist(),
        holds,
        SETTINGS.step_deviation**2,
        stray,
        contradiction,
    )
    differences = [(exp(height) - 1) * level for height, level in zip(heights, levels, strict=True)]
    spreads, noises = (
        [
            (min(exp(height), 1.0) * level) ** 2 * variance
            for height, level, variance in zip(heights, levels, given_variances, strict=True)
        ]
        for given_variances in (floored, variances)
    )
    as_difference = slow_evidence(
        differences, spreads, noises, holds, float(levels.min()) ** 2, stray, contradiction
    )
    assert float(found[1].evidence(lambda column: over @ column)) == pytest.approx(as_ratio, abs=1e-5)
    assert float(found[0].evidence(lambda column: over @ column)) == pytest.approx(as_difference, abs=1e-5)
    both = log(exp(as_ratio) / 2 + exp(as_difference) / 2)
    assert float(evidence_of(found, lambda column: over @ column)) == pytest.approx(both, abs=1e-5)


@given(steps=some_steps())
def test_a_term_that_holds_nowhere_says_nothing(steps):
    heights, variances, levels = steps
    found = readings(
        StepHeights(heights, variances), levels_only(levels), np.zeros(len(heights)), SETTINGS, 1e-3
    )

    nowhere = np.zeros(len(heights))
    assert float(evidence_of(found, lambda column: nowhere @ column)) == pytest.approx(0.0, abs=1e-12)


@given(
    height=st.floats(0.01, 3.0) | st.floats(-3.0, -0.01),
    deviation=st.floats(1e-6, 0.3),
    level=st.floats(0.1, 100),
    stray=st.floats(1e-6, 0.5),
)
def test_one_configuration_can_say_no_more_than_the_stray_allowance(height, deviation, level, stray):
    steps = StepHeights(np.array([height]), np.array([deviation**2]))
    found = readings(steps, levels_only([level]), np.zeros(1), SETTINGS, stray)

    # The rest of it is by how much a common height fits better than one of its own.
    assert float(evidence_of(found, lambda column: column.sum(axis=0))) < log(1 / stray) + 3


def test_without_the_allowance_one_configuration_can_say_anything():
    steps = StepHeights(np.array([0.5]), np.array([1e-8]))

    def evidence(stray):
        found = readings(steps, levels_only([1.0]), np.zeros(1), SETTINGS, stray)
        return float(evidence_of(found, lambda column: column.sum(axis=0)))

    assert evidence(0.0) > 1e6
    assert evidence(1e-3) < 10


@given(steps=some_steps(), data=st.data(), stray=st.sampled_from([0.0, 1e-3]))
def test_unknown_steps_change_nothing(steps, data, stray):
    heights, variances, levels = steps
    more = data.draw(st.lists(st.floats(-30, 30), min_size=1, max_size=3))
    everywhere = [*levels, *(float(levels.min()) + abs(each) for each in more)]
    with_unknown = StepHeights(np.append(heights, more), np.append(variances, [inf] * len(more)))
    places = np.full(len(everywhere), 0.01)

    without = readings(
        StepHeights(heights, variances), levels_only(levels), places[: len(heights)], SETTINGS, stray
    )
    found = readings(with_unknown, levels_only(everywhere), places, SETTINGS, stray)

    def total(column):
        return column.sum(axis=0)

    assert float(evidence_of(found, total)) == pytest.approx(float(evidence_of(without, total)), rel=1e-9)
    for one, other in zip(found, without, strict=True):
        assert float(one.height(total)) == pytest.approx(float(other.height(total)), rel=1e-9)


@settings(max_examples=50)
@given(
    common=st.floats(0.1, 1.0),
    count=st.integers(2, 6),
    level=st.floats(1.0, 3.0),
    sign=st.sampled_from([-1, 1]),
)
def test_the_common_height_is_near_that_of_all(common, count, level, sign):
    heights = np.full(count, sign * common)
    found = readings(
        StepHeights(heights, np.full(count, 1e-4)),
        levels_only([level] * count),
        np.zeros(count),
        SETTINGS,
        1e-3,
    )

    def total(column):
        return column.sum(axis=0)

    assert float(found[1].height(total)) == pytest.approx(sign * common, rel=0.35)
    assert abs(float(found[1].height(total))) < common  # the prior draws it towards none


@given(shift=st.floats(0.1, 10))
def test_the_unit_of_the_values_does_not_matter(shift):
    heights, variances = np.array([0.3, 0.2, 0.0]), np.array([1e-3, 2e-3, 1e-3])
    levels = np.array([1.0, 2.0, 3.0])
    found = [
        readings(StepHeights(heights, variances), levels_only(levels * unit), np.zeros(3), SETTINGS, 1e-3)
        for unit in (1.0, shift)
    ]
    over = np.array([1.0, 1.0, 0.0])

    first, second = (float(evidence_of(each, lambda column: over @ column)) for each in found)
    assert first == pytest.approx(second, abs=1e-6)


def test_the_right_term_of_additive_steps_is_favoured_though_their_ratios_differ():
    """The same difference is a small ratio where the value is large."""
    levels = np.array([1.0, 4.0, 9.0, 1.2, 5.0])
    heights = np.array([log(1 + 0.5 / level) for level in levels[:3]] + [0.0, 0.0])
    found = readings(
        StepHeights(heights, np.full(5, 1e-6)), levels_only(levels), np.full(5, 1e-4), SETTINGS, 1e-3
    )
    terms = np.array([[1, 1, 1, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]], dtype=float)

    assert int(np.argmax(evidence_of(found, lambda column: terms @ column))) == 0


@given(threshold=st.floats(0.01, 0.5), levels=st.lists(st.floats(0.5, 9), min_size=1, max_size=4))
def test_steps_are_negligible_against_the_smallest_configuration(threshold, levels):
    found = negligible_steps(levels_only(levels), threshold, SETTINGS)

    assert found == pytest.approx(threshold * SETTINGS.negligible)


def test_a_configuration_that_surely_does_not_step_contradicts_a_term_that_holds_in_it():
    heights, variances = np.array([0.3, 0.3, 0.0]), np.full(3, 1e-6)
    over = np.array([1.0, 1.0, 1.0])

    def evidence(contradiction):
        found = readings(
            StepHeights(heights, variances),
            levels_only([1.0] * 3),
            np.full(3, 0.01),
            SETTINGS,
            1e-3,
            contradiction,
        )
        return float(evidence_of(found, lambda column: over @ column))

    assert evidence(8.0) == pytest.approx(evidence(0.0) - 8.0, abs=1e-9)
