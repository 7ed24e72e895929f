"""A space that no solver can decide in a lifetime is told from one that it can."""

from __future__ import annotations

import pytest

from sonde.core.options import Option
from sonde.space.solver.deciding import TooIntricate
from sonde.space.space import Space


def pigeons(count: int) -> Space:
    """`count` pigeons in one hole less: contradictory, and exponentially hard for resolution."""
    holes = range(count - 1)
    options = tuple(Option(f"p{p}h{h}", (False, True), False) for p in range(count) for h in holes)
    somewhere = [" or ".join(f"p{p}h{h}" for h in holes) for p in range(count)]
    alone = [f"at most one of {', '.join(f'p{p}h{h}' for p in range(count))}" for h in holes]
    return Space.of(options, [*somewhere, *alone])


def test_few_pigeons_are_known_to_have_no_place():
    assert not pigeons(5).solver.is_possible()


def test_many_pigeons_are_given_up_with_a_sentence():
    with pytest.raises(TooIntricate, match=r"too complex: no valid configuration was found, nor excluded"):
        pigeons(12).solver.is_possible()
