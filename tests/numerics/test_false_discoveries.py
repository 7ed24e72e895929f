"""Few of the findings that stand are chance."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sonde.numerics.false_discoveries import discovered


def by_definition(p_values, rate):
    """The largest k such that the k-th smallest p-value is at most k / m times the rate."""
    m = len(p_values)
    ordered = sorted(p_values)
    limits = [ordered[k - 1] for k in range(1, m + 1) if ordered[k - 1] <= k / m * rate]
    return [bool(limits) and p <= max(limits) for p in p_values]


def test_discoveries_are_those_of_benjamini_and_hochberg():
    rng = np.random.default_rng(2)
    for size in (0, 1, 5, 40):
        p_values = (rng.random(size) ** 3).tolist()
        assert discovered(p_values, 0.1) == by_definition(p_values, 0.1)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=20))
def test_smaller_probabilities_never_lose_a_discovery(given_twice):
    larger = [max(pair) for pair in given_twice]
    smaller = [min(pair) for pair in given_twice]
    before, after = discovered(larger, 0.1), discovered(smaller, 0.1)

    assert all(now or not then for then, now in zip(before, after, strict=True))
