"""Sets of numbers as bits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.impact.bits import bits_of, positions_of_bits


@given(st.sets(st.integers(0, 60_000), max_size=40))
def test_a_set_is_its_numbers_in_order(numbers: set[int]) -> None:
    bits = bits_of(list(numbers))

    assert bits == sum(1 << each for each in numbers)
    assert positions_of_bits(bits) == sorted(numbers)


def test_numbers_may_be_given_twice() -> None:
    assert bits_of([3, 3, *range(20)]) == (1 << 20) - 1
