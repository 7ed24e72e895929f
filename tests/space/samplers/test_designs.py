"""Orthogonal designs: every pair of levels of two factors equally often."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.space.samplers.designs import (
    columns_of,
    is_prime,
    largest_within,
    longest_recurrence,
    orthogonal_design,
)

SIZES = [(4, 2), (8, 2), (16, 2), (9, 3), (27, 3), (81, 3), (25, 5), (125, 5), (49, 7), (343, 7), (121, 11)]

# The seed rows of 9 and 25 runs of the paper, as SPL Conqueror has them.
PUBLISHED = {
    (3, 2): (0, 1, 2, 2, 0, 2, 1, 1),
    (5, 2): (0, 4, 1, 1, 2, 1, 0, 3, 2, 2, 4, 2, 0, 1, 4, 4, 3, 4, 0, 2, 3, 3, 1, 3),
}


@pytest.mark.parametrize(("runs", "levels"), SIZES)
def test_every_level_and_every_pair_of_levels_is_equally_frequent(runs, levels):
    factors = min(columns_of(runs, levels), 40)
    design = orthogonal_design(levels, factors, runs)
    columns = list(zip(*design, strict=True))

    assert len(design) == runs
    for column in columns:
        assert set(Counter(column).values()) == {runs // levels}
    for left, right in combinations(columns, 2):
        pairs = Counter(zip(left, right, strict=True))
        assert set(pairs.values()) == {runs // levels**2}
        assert len(pairs) == levels**2


@pytest.mark.parametrize(("prime", "order"), PUBLISHED)
def test_the_published_rows_are_such_recurrences(prime, order):
    """Each number follows from the two before it by one rule modulo the prime, with the period of ours."""
    row = PUBLISHED[prime, order]
    rules = [
        (first, second)
        for first in range(prime)
        for second in range(prime)
        if all(
            (first * row[at] + second * row[(at + 1) % len(row)]) % prime == row[(at + 2) % len(row)]
            for at in range(len(row))
        )
    ]

    assert len(rules) == 1
    assert len(row) == len(longest_recurrence(prime, order))


@given(levels=st.sampled_from([2, 3, 5, 7]), factors=st.integers(1, 60), runs=st.integers(0, 100))
def test_the_design_is_the_smallest_that_is_large_enough(levels, factors, runs):
    size = len(orthogonal_design(levels, factors, runs))
    smaller = size // levels

    assert size >= runs
    assert columns_of(size, levels) >= factors
    assert smaller == levels or smaller < runs or columns_of(smaller, levels) < factors


@given(number=st.integers(-3, 500))
def test_primes_are_those_of_the_plain_loop(number):
    assert is_prime(number) == (number > 1 and not any(number % each == 0 for each in range(2, number)))


@pytest.mark.parametrize(
    ("levels", "count", "runs"), [(3, 8, 0), (3, 9, 9), (3, 26, 9), (3, 100, 81), (5, 125, 125), (4, 99, 0)]
)
def test_the_largest_design_within_a_count(levels, count, runs):
    assert largest_within(levels, count) == runs
