"""Definition 6 of the paper."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.comparison.definition_6 import Definition6

runs = st.lists(st.floats(0.01, 100), min_size=2, max_size=12)


@given(runs, runs)
def test_it_is_the_formula_of_the_paper(base, head):
    difference = abs(np.mean(head) - np.mean(base))
    limits = (0.1 * np.mean(base), 3 * max(np.std(base, ddof=1), np.std(head, ddof=1)))
    if abs(difference - max(limits)) > 1e-9:
        assert Definition6().holds(base, head) == (difference >= max(limits))


def test_it_needs_two_runs_on_each_side():
    assert Definition6().holds([1.0], [2.0, 2.0]) is None
    assert Definition6().holds([], []) is None


def test_speed_ups_count_and_the_size_of_numbers_does_not():
    assert Definition6().holds([1.0, 1.0], [0.8, 0.8])
    assert Definition6().holds([1e308, 1e308], [1.5e308, 1.5e308])
    assert Definition6().holds([5e-324, 5e-324], [1e-320, 1e-320])


def test_more_runs_do_not_sharpen_it():
    rng = np.random.default_rng(3)
    for size in (10, 1000):
        base, head = (rng.normal(mean, 0.08, size).tolist() for mean in (1, 1.2))
        assert not Definition6().holds(base, head)


def test_its_numbers_can_be_chosen():
    assert not Definition6().holds([1.0, 1.0], [1.05, 1.05])
    assert Definition6(threshold=0.05).holds([1.0, 1.0], [1.06, 1.06])
    assert not Definition6(0.01, deviations=3).holds([1.0, 1.1], [1.2, 1.3])
    assert Definition6(0.01, deviations=1).holds([1.0, 1.1], [1.2, 1.3])
