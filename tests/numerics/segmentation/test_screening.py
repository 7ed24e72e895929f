"""Which positions can be changes at all."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sonde.numerics.segmentation.least_squares import segment_by_least_squares
from sonde.numerics.segmentation.screening import possible_changes
from sonde.numerics.segmentation.series import Sums
from tests.numerics.segmentation.series import optimal_partitioning, some_series, some_weights

PENALTIES = st.sampled_from([0.01, 0.5, 3.0, 10.0, 40.0])


@given(
    values=some_series(shortest=2, longest=80), penalty=PENALTIES, shortest=st.integers(1, 4), data=st.data()
)
def test_no_change_of_the_quadratic_programme_is_ruled_out(values, penalty, shortest, data):
    weights = data.draw(some_weights(len(values)))

    possible = possible_changes(Sums.of(values, weights), penalty, shortest)

    best = optimal_partitioning(values, penalty, weights, shortest) if len(values) >= 2 * shortest else ()
    assert set(best) <= set(possible.tolist())


@given(values=some_series(longest=300), penalty=PENALTIES, shortest=st.integers(1, 4))
def test_possible_changes_are_in_order_and_leave_room_for_segments(values, penalty, shortest):
    possible = possible_changes(Sums.of(values, np.ones(len(values))), penalty, shortest)

    assert (np.diff(possible) > 0).all()
    assert all(shortest <= position <= len(values) - shortest for position in possible)


def test_hardly_a_position_of_a_quiet_series_is_possible():
    values = np.random.default_rng(1).normal(size=3_000)

    possible = possible_changes(Sums.of(values, np.ones(3_000)), 6 * np.log(3_000), 3)

    assert len(possible) < 30


def test_most_of_what_is_far_from_changes_is_ruled_out():
    values = np.random.default_rng(1).normal(size=4_000)
    values[1_000:2_000] += 5
    values[2_000:3_000] -= 3
    penalty = 6 * np.log(4_000)

    possible = possible_changes(Sums.of(values, np.ones(4_000)), penalty, 3)

    assert set(segment_by_least_squares(values, penalty, shortest=3)) <= set(possible.tolist())
    assert len(possible) < 600
