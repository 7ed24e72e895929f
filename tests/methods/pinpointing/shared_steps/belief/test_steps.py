"""Step heights and sums, against plain loops over what was measured."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary
from sonde.methods.pinpointing.shared_steps.belief.steps import runs_beside, steps_across, steps_at_cuts
from tests.methods.pinpointing.shared_steps.made_sheets import (
    ALPHABET,
    CONFIGURATIONS,
    STEPS,
    MadeSheet,
    affects,
    level_between,
    scattered,
    sides_of,
    some_boundaries,
    some_sheets,
)


def assert_step(found_height, found_variance, before, after):
    """A step is the difference of two levels, and unknown where one of them is."""
    variance = before[1] + after[1]
    assert found_variance == pytest.approx(variance, rel=1e-6)
    if variance < inf:
        assert found_height == pytest.approx(after[0] - before[0], abs=1e-7)


@given(made=some_sheets(), boundaries=st.lists(some_boundaries(), max_size=3))
def test_steps_at_cuts_are_differences_of_the_levels_up_to_the_next_boundaries(made, boundaries):
    table = made.table()
    found = steps_at_cuts(table, boundaries)

    steps = made.steps
    assert table.steps.tolist() == steps
    assert found.height.shape == (len(made.courses), len(steps) + 1)
    for line, (configuration, course) in enumerate(made.courses):
        mine = [each for each in boundaries if affects(each, configuration)]
        for cut in range(len(steps) + 1):
            before, after, is_hidden = steps[:cut], steps[cut:], False
            for each in mine:
                if before and before[-1] >= each.latest:
                    before = [step for step in before if step >= each.latest]
                elif after and after[0] < each.earliest:
                    after = [step for step in after if step < each.earliest]
                else:
                    is_hidden = True
            if is_hidden:
                assert found.variance[line, cut] == inf
            else:
                assert_step(
                    found.height[line, cut],
                    found.variance[line, cut],
                    level_between(made, course, before),
                    level_between(made, course, after),
                )


@given(made=some_sheets(), boundary=some_boundaries(), others=st.lists(some_boundaries(), max_size=3))
def test_steps_across_a_boundary_leave_out_what_lies_within_it_and_beyond_others(made, boundary, others):
    found = steps_across(made.table(), boundary, [*others, boundary])

    for line, (configuration, course) in enumerate(made.courses):
        before, after = sides_of(boundary, others, configuration)
        assert_step(
            found.height[line],
            found.variance[line],
            level_between(made, course, before),
            level_between(made, course, after),
        )


@given(
    made=some_sheets() | some_sheets(is_calm=True),
    boundary=some_boundaries(),
    others=st.lists(some_boundaries(), max_size=1),
)
def test_levels_that_scatter_are_known_that_much_worse(made, boundary, others):
    plain = steps_across(made.table(), boundary, others)
    found = steps_across(made.table(), boundary, others, by_scatter=True)

    assert found.height.tolist() == plain.height.tolist()
    for line, (configuration, course) in enumerate(made.courses):
        before, after = sides_of(boundary, others, configuration)
        variance = scattered(made, course, before) + scattered(made, course, after)
        assert found.variance[line] == pytest.approx(variance, rel=1e-5)
        assert found.variance[line] >= plain.variance[line] * (1 - 1e-9)


@given(made=some_sheets(), boundary=some_boundaries(), others=st.lists(some_boundaries(), max_size=3))
def test_runs_beside_a_boundary_are_counted(made, boundary, others):
    counted = runs_beside(made.table(), boundary, others)

    for line, (configuration, course) in enumerate(made.courses):
        for side, steps in zip(counted, sides_of(boundary, others, configuration), strict=True):
            assert side[line] == sum(len(course.get(step, ())) for step in steps)


def test_a_step_is_known_better_the_more_runs_there_are():
    course = {2: (0.0, 0.02), 3: (0.01,), 8: (0.5, 0.52, 0.48, 0.5)}
    made = MadeSheet(((CONFIGURATIONS[0], course),))

    found = steps_across(made.table(), Boundary(5, 6), [])

    noise = made.repeat_deviation
    assert found.height[0] == pytest.approx(0.49)
    assert found.variance[0] == pytest.approx(noise**2 * (1 / 3 + 1 / 4))


@pytest.mark.parametrize(
    ("sizes", "is_wide"),
    [
        ([-1, 1], False),
        ([-40, 40], False),  # two points cannot tell how they scatter
        ([-3, 0, 3], False),  # 9 times the variance, where 1 + 4 + 4 would be needed
        ([-3.1, 0, 3.1], True),
        ([-2, -2, 0, 2, 2], False),  # 4 times, of 1 + 2.83 + 2
        ([-2.5, -2.5, 0, 2.5, 2.5], True),
    ],
)
def test_a_level_scatters_if_noise_is_no_excuse(sizes, is_wide):
    course = {**{place: (0.01 * size,) for place, size in enumerate(sizes)}, 11: (0.3,)}
    table = MadeSheet(((CONFIGURATIONS[0], course),), floor=0.01).table()

    plain = steps_across(table, Boundary(10, 10), [])
    found = steps_across(table, Boundary(10, 10), [], by_scatter=True)

    assert (found.variance[0] > 1.01 * plain.variance[0]) == is_wide


def test_what_another_boundary_explains_is_no_step():
    """A configuration that steps at 4 because of `a` shows no step at 8."""
    course = {step: (0.0 if step < 4 else 1.0,) for step in range(STEPS)}
    on = next(each for each in CONFIGURATIONS if each["a"])
    table = MadeSheet(((on, course),), floor=0.01).table()
    is_on = next(index for index, literal in enumerate(ALPHABET.literals) if str(literal) == "a")

    without = steps_across(table, Boundary(8, 8), [])
    explained = steps_across(table, Boundary(8, 8), [Boundary(4, 4, term=(is_on,))])

    assert without.height[0] == pytest.approx(0.5)
    assert explained.height[0] == pytest.approx(0.0)
    assert np.isfinite(explained.variance[0])
