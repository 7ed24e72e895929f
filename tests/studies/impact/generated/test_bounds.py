"""Exact bounds of a share."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.impact.generated.bounds import Share


def at_least(part: int, whole: int, share: float) -> float:
    """The probability of so many or more, term by term."""
    return sum(comb(whole, k) * share**k * (1 - share) ** (whole - k) for k in range(part, whole + 1))


@given(whole=st.integers(1, 60), data=st.data())
def test_at_a_bound_what_was_seen_has_half_of_the_error(whole, data):
    part = data.draw(st.integers(0, whole))
    share = Share(part, whole)

    assert share.low <= share.value <= share.high
    if part:
        assert at_least(part, whole, share.low) == pytest.approx(0.025)
    if part < whole:
        assert 1 - at_least(part + 1, whole, share.high) == pytest.approx(0.025)


def test_none_of_many_leaves_a_small_share_possible():
    assert Share(0, 2000).high == pytest.approx(0.00184, abs=1e-5)
    assert str(Share(2000, 2000)).startswith("100.00% (2,000 of 2,000; 99.82% to")
    assert str(Share(0, 0)) == "–"
