"""The exact segmentation by least squares."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.numerics.segmentation.least_squares import SCREENED, segment_by_least_squares
from sonde.numerics.segmentation.series import Sums
from tests.numerics.segmentation.series import optimal_partitioning, some_series, some_weights, total_cost

PENALTIES = st.floats(0.1, 40.0)


@given(values=some_series(shortest=2), penalty=PENALTIES, shortest=st.integers(1, 4), data=st.data())
def test_it_equals_the_quadratic_programme(values, penalty, shortest, data):
    weights = data.draw(some_weights(len(values)))

    fast = segment_by_least_squares(values, penalty, weights, shortest)

    slow = optimal_partitioning(values, penalty, weights, shortest) if len(values) >= shortest else ()
    assert total_cost(values, fast, penalty, weights) == pytest.approx(
        total_cost(values, slow, penalty, weights), rel=1e-9
    )
    assert fast == slow


@given(values=some_series(shortest=1), penalty=PENALTIES, data=st.data())
def test_a_weight_is_a_number_of_repeats(values, penalty, data):
    weights = data.draw(some_weights(len(values)))
    repeated = np.repeat(values, weights.astype(int))

    weighted = segment_by_least_squares(values, penalty, weights)
    one_by_one = segment_by_least_squares(repeated, penalty)

    assert total_cost(values, weighted, penalty, weights) == pytest.approx(
        total_cost(repeated, one_by_one, penalty), rel=1e-9
    )


@given(
    values=some_series(),
    penalty=PENALTIES,
    shift=st.floats(-100, 100),
    scale=st.floats(0.01, 100),
    sign=st.sampled_from([-1, 1]),
)
def test_shift_and_scale_do_not_matter(values, penalty, shift, scale, sign):
    moved = segment_by_least_squares(shift + sign * scale * values, scale**2 * penalty)

    assert moved == segment_by_least_squares(values, penalty)


@given(values=some_series(), penalty=PENALTIES, shortest=st.integers(1, 3))
def test_the_reverse_of_a_series_has_the_same_changes(values, penalty, shortest):
    changes = segment_by_least_squares(values, penalty, shortest=shortest)

    backwards = segment_by_least_squares(values[::-1], penalty, shortest=shortest)

    assert tuple(len(values) - change for change in reversed(backwards)) == changes


@given(length=st.integers(0, 50), value=st.floats(-1e6, 1e6), penalty=st.floats(1e-3, 10))
def test_a_constant_series_has_no_change(length, value, penalty):
    assert segment_by_least_squares([value] * length, penalty) == ()


@given(before=st.integers(5, 50), after=st.integers(5, 50), seed=st.integers(0, 1000))
def test_a_planted_step_is_found(before, after, seed):
    values = np.random.default_rng(seed).normal(0, 0.1, before + after)
    values[before:] += 10

    assert segment_by_least_squares(values, 5.0) == (before,)


def test_two_values_are_one_segment_or_two():
    assert segment_by_least_squares([0.0, 2.0], penalty=1.0) == (1,)
    assert segment_by_least_squares([0.0, 2.0], penalty=3.0) == ()
    assert segment_by_least_squares([0.0, 2.0], penalty=1.0, shortest=2) == ()


@given(seed=st.integers(0, 2**32 - 1), penalty=PENALTIES, shortest=st.integers(1, 4))
@settings(max_examples=30)
def test_a_long_series_costs_no_more_than_by_the_quadratic_programme(seed, penalty, shortest):
    rng = np.random.default_rng(seed)
    values = np.cumsum(rng.normal(0, 4, SCREENED) * (rng.random(SCREENED) < 0.02)) + rng.normal(
        0, 1, SCREENED
    )

    changes = segment_by_least_squares(values, penalty, shortest=shortest)

    sums = Sums.of(values, np.ones(SCREENED))
    least = np.full(SCREENED + 1, np.inf)
    least[0] = -penalty
    for end in range(shortest, SCREENED + 1):
        begins = np.arange(end - shortest + 1)
        least[end] = np.min(least[begins] + penalty + sums.cost(begins, end))
    assert total_cost(values, changes, penalty) == pytest.approx(least[-1], rel=1e-9)


def test_a_long_quiet_series_has_no_change():
    values = np.random.default_rng(1).normal(size=3_000)

    assert segment_by_least_squares(values, 6 * np.log(3_000)) == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, np.nan], 1.0), "Value 1 of the series is nan. Leave such values out."),
        (([[1.0], [2.0]], 1.0), "The series has 2 dimensions. Give it as one row of numbers."),
        (([1.0], -1.0), "The penalty is -1.0, but it cannot be negative."),
        (([1.0], np.nan), "The penalty is nan, but it cannot be negative."),
        (([1.0, 2.0], 1.0, [1.0]), "There are 2 values, but 1 weights. Give one for each value."),
        (([1.0, 2.0], 1.0, [1.0, 0.0]), "Weight 1 is 0.0. Leave out values that do not count."),
        (
            ([1.0], 1.0, None, 0),
            "The shortest segment is to have 0 values, but it needs one at least.",
        ),
    ],
)
def test_what_cannot_be_segmented_is_refused(arguments, message):
    with pytest.raises(ValueError) as refusal:
        segment_by_least_squares(*arguments)

    assert str(refusal.value) == message
