"""Observations are sorted and checked."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.numerics.gaussian_processes.observations import Observations
from tests.numerics.gaussian_processes.strategies import POSITIONS, SOME_EXAMPLES, VALUES


@SOME_EXAMPLES
@given(pairs=st.lists(st.tuples(POSITIONS, VALUES), min_size=1))
def test_observations_are_sorted_and_keep_their_values(pairs):
    positions, values = zip(*pairs, strict=True)
    observations = Observations.of(positions, values)

    assert np.all(np.diff(observations.positions) >= 0)
    assert sorted(zip(observations.positions, observations.values, strict=True)) == sorted(pairs)


@pytest.mark.parametrize(
    ("positions", "values", "noise", "text"),
    [
        ([], [], 1.0, "No observation"),
        ([1.0], [1.0, 2.0], 1.0, "1 positions and 2 values"),
        ([1.0, 2.0], [1.0, np.nan], 1.0, "values are not all finite"),
        ([1.0, np.inf], [1.0, 2.0], 1.0, "positions are not all finite"),
        ([[1.0]], [1.0], 1.0, "2 dimensions"),
        ([1.0, 2.0], [1.0, 2.0], -1.0, "negative"),
        ([1.0, 2.0], [1.0, 2.0], [1.0, np.inf], "not finite"),
        ([1.0, 2.0], [1.0, 2.0], [1.0, 1.0, 1.0], "2 observations and 3 noises"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_reason(positions, values, noise, text):
    with pytest.raises(ValueError, match=text):
        Observations.of(positions, values, noise)


def test_observations_do_not_share_memory_with_their_arguments():
    values = np.array([1.0, 2.0])
    observations = Observations.of([0.0, 1.0], values)
    values[0] = 9.0

    assert observations.values[0] == 1.0
