"""Definition 6 of the paper."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.comparison.definition_6 import is_definition_6

runs = st.lists(st.floats(0.01, 100), min_size=2, max_size=12)


@given(runs, runs)
def test_it_is_the_formula_of_the_paper(base, head):
    difference = abs(np.mean(head) - np.mean(base))
    limits = (0.1 * np.mean(base), 3 * max(np.std(base, ddof=1), np.std(head, ddof=1)))
    if abs(difference - max(limits)) > 1e-9:
        assert is_definition_6(base, head) == (difference >= max(limits))


def test_it_needs_two_runs_on_each_side():
    assert is_definition_6([1.0], [2.0, 2.0]) is None
    assert is_definition_6([], []) is None


def test_speed_ups_count_and_the_size_of_numbers_does_not():
    assert is_definition_6([1.0, 1.0], [0.8, 0.8])
    assert is_definition_6([1e308, 1e308], [1.5e308, 1.5e308])
    assert is_definition_6([5e-324, 5e-324], [1e-320, 1e-320])


def test_more_runs_do_not_sharpen_it():
    rng = np.random.default_rng(3)
    for size in (10, 1000):
        assert not is_definition_6(rng.normal(1, 0.08, size).tolist(), rng.normal(1.2, 0.08, size).tolist())
