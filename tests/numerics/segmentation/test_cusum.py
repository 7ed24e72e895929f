"""CUSUM, beside its equations."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sonde.numerics.segmentation.cusum import detect_by_cusum, detect_with_window, find_plateau
from tests.numerics.segmentation.series import some_series


def by_the_equations(y, w):
    """Threshold and changes, with s_t for the deviation of y_t from y_(t-1)."""
    windows = [y[p : p + w] for p in range(len(y) - w + 1)]
    h = 5 * sum(np.sqrt(np.var(window)) for window in windows) / len(windows)  # eq. 6
    v = 0.05 * abs(max(y) - min(y))  # eq. 5
    g_plus = g_minus = 0.0  # eq. 1
    changes = []
    for t in range(1, len(y)):
        s_t = y[t] - y[t - 1]
        g_plus = max(g_plus + s_t - v, 0)  # eq. 2
        g_minus = max(g_minus - s_t - v, 0)  # eq. 3
        if g_plus > h > 0 or g_minus > h > 0:
            changes.append(t)
        g_plus = 0.0 if g_plus > h > 0 else g_plus  # eq. 4
        g_minus = 0.0 if g_minus > h > 0 else g_minus
    return h, tuple(changes)


@given(values=some_series(shortest=2, longest=80), data=st.data())
def test_it_equals_the_equations(values, data):
    window = data.draw(st.integers(2, len(values)))

    found = detect_with_window(values, window)

    threshold, changes = by_the_equations(values, window)
    assert found.threshold == pytest.approx(threshold, rel=1e-9)
    assert found.changes == changes


@given(values=some_series(shortest=2))
def test_the_plateau_is_the_longest_run_of_windows_with_as_many_changes(values):
    counts = [len(by_the_equations(values, window)[1]) for window in range(len(values), 1, -1)]
    runs = [
        (end - start, -start)
        for start in range(len(counts))
        for end in range(start + 1, len(counts) + 1)
        if counts[start] and set(counts[start:end]) == {counts[start]}
    ]

    plateau = find_plateau(values)

    length, minus_start = max(runs, default=(0, 0))
    windows = range(len(values) + minus_start, len(values) + minus_start - length, -1)
    assert [each.window for each in plateau] == list(windows)


def test_windows_of_a_long_series_are_its_percents():
    values = np.random.default_rng(1).normal(size=1_000) + np.repeat([0.0, 60.0], 500)

    windows = [each.window for each in find_plateau(values)]

    assert all(9 <= larger - smaller <= 11 for larger, smaller in pairwise(windows))


@given(values=some_series(), shift=st.floats(-100, 100), scale=st.sampled_from([-4.0, -1.0, 0.5, 8.0]))
def test_shift_and_scale_do_not_matter(values, shift, scale):
    plateau = find_plateau(values)
    assume(plateau)

    moved = find_plateau(shift + scale * values)

    assert [each.changes for each in moved] == [each.changes for each in plateau]


def test_large_steps_do_not_drown_the_deviations_within_windows():
    values = np.random.default_rng(1).normal(0, 1e-3, 400)
    values[200:] += 1e4

    found = detect_with_window(values, 2)

    assert found.threshold == pytest.approx(by_the_equations(values, 2)[0], rel=1e-6)


@given(before=st.integers(10, 50), after=st.integers(10, 50), seed=st.integers(0, 100))
def test_a_planted_step_is_found(before, after, seed):
    values = np.random.default_rng(seed).normal(0, 0.01, before + after)
    values[before:] += 10

    assert detect_by_cusum(values) == (before,)


@pytest.mark.parametrize("values", [[], [1.0], [2.0, 2.0], [3.0] * 200])
def test_too_few_values_or_constant_ones_have_no_change(values):
    assert detect_by_cusum(values) == ()


@pytest.mark.parametrize("window", [1, 4])
def test_a_window_that_does_not_fit_is_refused(window):
    with pytest.raises(ValueError) as refusal:
        detect_with_window([1.0, 2.0, 3.0], window)

    assert str(refusal.value) == (
        f"A window of {window} values does not fit a series of 3. "
        "Choose one from 2 to the length of the series."
    )


def test_missing_values_are_refused():
    with pytest.raises(ValueError, match="Value 1 of the series is nan"):
        detect_by_cusum([1.0, np.nan])
