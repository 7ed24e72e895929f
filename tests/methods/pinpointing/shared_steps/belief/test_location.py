"""Where a boundary lies, against the posterior of plain loops."""

from __future__ import annotations

from itertools import pairwise
from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary
from sonde.methods.pinpointing.shared_steps.belief.location import (
    FOOT,
    MASS,
    STEP_VARIANCE,
    VALLEY,
    Location,
    _hill,
    locate,
)
from tests.methods.pinpointing.shared_steps.made_sheets import (
    CONFIGURATIONS,
    MadeSheet,
    affects,
    does_hold,
    keys,
    level_between,
    log_gain,
    some_boundaries,
    some_sheets,
)

NEGLIGIBLE = 0.005


def slow_scores(made, boundary, others, key):
    """Gaps between steps at which something affected was measured, and the log probability of each."""
    mine = [(each, course) for each, course in made.courses if does_hold(key, each)]
    stretches = [_stretch(made, boundary, others, each) for each, _ in mine]
    if not mine:
        return []
    first, last = min(steps[0] for steps in stretches), max(steps[1] for steps in stretches)
    places = sorted({step for _, course in mine for step in course if first <= step < last})
    scores = []
    for before, at in pairwise(places):
        score = log(at - before)
        for (_, course), (start, end) in zip(mine, stretches, strict=True):
            left, below = level_between(made, course, range(start, at))
            right, above = level_between(made, course, range(at, end))
            variance = below + above + 0.1 * NEGLIGIBLE**2
            if variance < float("inf"):
                score += log_gain(right - left, variance, STEP_VARIANCE)
        scores.append((before, at, score))
    return scores


def _stretch(made, boundary, others, configuration):
    """The steps from which on, and up to which, a configuration is of the boundary's levels."""
    mine = [each for each in others if affects(each, configuration)]
    earlier = [each.latest for each in mine if each.is_before(boundary)]
    later = [each.earliest for each in mine if not each.is_before(boundary)]

    def column(step):  # what was measured is what counts
        return min((each for each in made.steps if each >= step), default=made.steps[-1] + 1)

    start, end = column(max(earlier, default=0)), column(min(later, default=99))
    return min(start, column(boundary.earliest)), max(end, column(boundary.latest))


def slow_hill(height, top):
    """The places on both sides that are not far below the top, up to a valley with a higher peak beyond."""
    hill = [top]
    for direction in (-1, 1):
        place, lowest = top + direction, height[top]
        while 0 <= place < len(height):
            lowest = min(lowest, height[place])
            is_another = height[place] > height[top] + VALLEY and lowest < height[top] - VALLEY
            if height[place] <= height[top] - FOOT or is_another:
                break
            hill.append(place)
            place += direction
    return sorted(hill)


@given(heights=st.lists(st.integers(-9, 9), min_size=1, max_size=9), data=st.data())
def test_a_hill_ends_at_its_foot_or_where_another_one_begins(heights, data):
    top = data.draw(st.integers(0, len(heights) - 1))

    hill = _hill(np.array(heights, dtype=float), top)

    assert list(range(len(heights)))[hill] == slow_hill(heights, top)


@given(
    made=some_sheets(), boundary=some_boundaries(), others=st.lists(some_boundaries(), max_size=2), key=keys
)
def test_the_probabilities_of_gaps_are_those_of_plain_loops(made, boundary, others, key):
    table = made.table()
    affected = np.array([does_hold(key, each) for each, _ in made.courses])

    found = locate(table, boundary, others, affected, np.full(len(affected), NEGLIGIBLE))

    scores = slow_scores(made, boundary, others, key)
    height = [score for *_, score in scores]
    inside = [
        place
        for place, (before, at, _) in enumerate(scores)
        if at >= boundary.earliest and before < boundary.latest
    ]
    if not inside:
        assert found is None
        return
    hill = [scores[place] for place in slow_hill(height, max(inside, key=lambda place: height[place]))]
    assert found is not None
    assert found.before.tolist() == [before for before, _, _ in hill]
    assert found.at.tolist() == [at for _, at, _ in hill]
    best = max(score for *_, score in hill)
    weights = [exp(score - best) for *_, score in hill]
    assert found.probability == pytest.approx([each / sum(weights) for each in weights], abs=1e-6)


def course_of(values):
    return {step: (value,) for step, value in values.items()}


@settings(max_examples=50)
@given(change=st.integers(1, 11), measured=st.sets(st.integers(0, 11), min_size=2))
def test_a_clear_change_lies_between_the_measured_steps_around_it(change, measured):
    steps = {*measured, 0, 11}
    course = course_of({step: 0.5 if step >= change else 0.0 for step in steps})
    table = MadeSheet(((CONFIGURATIONS[0], course),), floor=0.01).table()
    boundary = Boundary(1, 11)

    found = locate(table, boundary, [], np.array([True]), np.array([NEGLIGIBLE]))
    assert found is not None
    found.narrow(boundary)

    assert boundary.earliest == max(step for step in steps if step < change) + 1
    assert boundary.latest == boundary.likeliest == min(step for step in steps if step >= change)


def test_where_nothing_affected_was_measured_on_two_steps_nothing_is_known():
    table = MadeSheet(((CONFIGURATIONS[0], {3: (0.0, 0.1)}), (CONFIGURATIONS[1], {2: (0.0,)}))).table()

    for affected in ([False, False], [True, False]):
        assert locate(table, Boundary(1, 11), [], np.array(affected), np.zeros(2)) is None


def test_a_higher_hill_beyond_a_valley_is_another_change():
    """The boundary is said to lie near 3, where a small step is; the large one is at 8."""
    course = course_of({step: 0.1 * (step >= 3) + 0.9 * (step >= 8) for step in range(12)})
    table = MadeSheet(((CONFIGURATIONS[0], course),), floor=0.01).table()
    small, large = Boundary(8, 8, term=()), Boundary(3, 3)

    found = locate(table, large, [small], np.array([True]), np.array([NEGLIGIBLE]))

    assert found is not None
    found.narrow(large)
    assert (large.earliest, large.latest) == (3, 3)


@st.composite
def some_locations(draw):
    widths = draw(st.lists(st.integers(1, 9), min_size=1, max_size=6))
    ends = np.cumsum([draw(st.integers(0, 5)), *widths])
    weights = np.array(draw(st.lists(st.floats(0.01, 1), min_size=len(widths), max_size=len(widths))))
    return Location(ends[:-1], ends[1:], weights / weights.sum())


@given(location=some_locations())
def test_a_boundary_is_narrowed_to_where_nearly_all_of_the_probability_lies(location):
    boundary = Boundary(1, 99)
    location.narrow(boundary)

    gaps = sorted(
        zip(location.probability.tolist(), location.before.tolist(), location.at.tolist(), strict=True),
        key=lambda gap: -gap[0],
    )
    taken = next(count for count in range(1, len(gaps) + 1) if sum(gap[0] for gap in gaps[:count]) >= MASS)
    assert boundary.earliest == min(before for _, before, _ in gaps[:taken]) + 1
    assert boundary.latest == max(at for _, _, at in gaps[:taken])
    assert boundary.likeliest == gaps[0][2]


@given(location=some_locations())
def test_the_middle_halves_the_probability_as_well_as_a_step_can(location):
    boundary = Boundary(1, 99)
    location.narrow(boundary)

    share: dict[int, float] = {}
    for before, at, mass in zip(location.before, location.at, location.probability, strict=True):
        share |= dict.fromkeys(range(int(before) + 1, int(at) + 1), mass / (at - before))
    steps = sorted(share)
    up_to = {step: sum(share[each] for each in steps if each <= step) for step in steps}
    candidates = steps[:-1]  # measuring where it surely lies before tells nothing
    if candidates:
        best = min(abs(up_to[step] - 0.5) for step in candidates)
        assert boundary.middle in candidates
        assert abs(up_to[boundary.middle] - 0.5) <= best + max(share.values())
