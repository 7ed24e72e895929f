"""Greedy segmentations, from the top and from the bottom."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.numerics.segmentation.binary_segmentation import split_from_top
from sonde.numerics.segmentation.bottom_up import merge_from_bottom
from sonde.numerics.segmentation.stopping import Grid, NumberOfChanges, Penalty
from tests.numerics.segmentation.series import deviation, some_series

BOTH = pytest.mark.parametrize("segment", [split_from_top, merge_from_bottom])
GRIDS = st.builds(Grid, st.integers(1, 4), st.integers(1, 5))
STOPS = st.builds(Penalty, st.floats(0.5, 40)) | st.builds(NumberOfChanges, st.integers(0, 6))


def gain(values, start, change, end):
    def cost(begin, end):
        return deviation(values[begin:end], np.ones(end - begin))

    return cost(start, end) - cost(start, change) - cost(change, end)


def splits_one_by_one(values, stop, grid):
    """Binary segmentation as ruptures describes it, with every gain computed anew."""
    changes: list[int] = []
    while True:
        splits = [
            (gain(values, start, change, end), change)
            for start, end in pairwise([0, *sorted(changes), len(values)])
            for change in range(start, end, grid.step)
            if change - start >= grid.shortest and end - change >= grid.shortest
        ]
        most, change = max(splits, default=(0.0, 0))
        is_done = len(changes) >= stop.number if isinstance(stop, NumberOfChanges) else most <= stop.cost
        if is_done or not splits:
            return tuple(sorted(changes))
        changes.append(change)


def merges_one_by_one(values, stop, grid):
    """Bottom-up segmentation as ruptures describes it, with every gain computed anew."""
    changes = finest_one_by_one(len(values), grid)
    while changes:
        edges = [0, *changes, len(values)]
        merges = [(gain(values, *edges[at : at + 3]), edges[at + 1]) for at in range(len(changes))]
        least, change = min(merges)
        is_done = len(changes) <= stop.number if isinstance(stop, NumberOfChanges) else least >= stop.cost
        if is_done:
            break
        changes.remove(change)
    return tuple(changes)


def finest_one_by_one(length, grid):
    changes: list[int] = []
    while True:
        segments = list(pairwise([0, *changes, length]))
        start, end = max(segments, key=lambda segment: segment[1] - segment[0])
        places = [
            place
            for place in range(start, end)
            if place % grid.step == 0 and place - start >= grid.shortest and end - place >= grid.shortest
        ]
        if not places:
            return changes
        changes = sorted([*changes, min(places, key=lambda place: abs(place - (start + end) / 2))])


@given(values=some_series(), stop=STOPS, grid=GRIDS)
def test_splitting_equals_the_plain_loop(values, stop, grid):
    assert split_from_top(values, stop, grid) == splits_one_by_one(values, stop, grid)


@given(values=some_series(), stop=STOPS, grid=GRIDS)
def test_merging_equals_the_plain_loop(values, stop, grid):
    assert merge_from_bottom(values, stop, grid) == merges_one_by_one(values, stop, grid)


@BOTH
@given(values=some_series(), stop=STOPS, grid=GRIDS)
def test_changes_lie_on_the_grid(segment, values, stop, grid):
    changes = segment(values, stop, grid)

    assert all(change % grid.step == 0 for change in changes)
    assert all(end - start >= grid.shortest for start, end in pairwise([0, *changes, len(values)]) if changes)


@BOTH
@given(values=some_series(), shift=st.floats(-100, 100), scale=st.floats(0.01, 100), grid=GRIDS)
def test_shift_and_scale_do_not_matter(segment, values, shift, scale, grid):
    moved = segment(shift + scale * values, Penalty(scale**2 * 5), grid)

    assert moved == segment(values, Penalty(5), grid)


@BOTH
@given(values=some_series(shortest=2), number=st.integers(0, 8))
def test_so_many_changes_as_wanted_or_as_there_can_be(segment, values, number):
    changes = segment(values, NumberOfChanges(number), Grid(1, 1))

    assert len(changes) == min(number, len(values) - 1)


@BOTH
@given(before=st.integers(1, 10), after=st.integers(1, 10))
def test_a_planted_step_is_found(segment, before, after):
    values = np.random.default_rng(before).normal(0, 0.1, 5 * (before + after))
    values[5 * before :] += 10

    assert segment(values, Penalty(5.0)) == (5 * before,)


@BOTH
@pytest.mark.parametrize("values", [[], [1.0], [1.0, 5.0], [3.0] * 30])
def test_too_few_values_or_constant_ones_have_no_change(segment, values):
    assert segment(values, Penalty(1.0)) == ()


@BOTH
def test_missing_values_are_refused(segment):
    with pytest.raises(ValueError, match="Value 0 of the series is nan"):
        segment([np.nan, 1.0], Penalty(1.0))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Penalty(-1.0), "The penalty is -1.0, but it cannot be negative."),
        (lambda: NumberOfChanges(-2), "-2 changes are asked for, but the number cannot be negative."),
        (
            lambda: Grid(0, 1),
            "Grid(shortest=0, step=1) does not work: segments and steps have a length of 1 at least.",
        ),
    ],
)
def test_stops_and_grids_that_make_no_sense_are_refused(make, message):
    with pytest.raises(ValueError) as refusal:
        make()

    assert str(refusal.value) == message
