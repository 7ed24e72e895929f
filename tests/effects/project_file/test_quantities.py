"""Durations, sizes and budgets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.errors import UsageError
from sonde.effects.project_file.quantities import budget_of, bytes_of, parse_size, seconds_of


@given(number=st.integers(1, 10**6))
def test_a_duration_means_the_same_in_every_unit(number):
    assert seconds_of(number) == seconds_of(f"{number}s") == seconds_of(f"{number * 1000} ms")
    assert seconds_of(f"{number}m") == 60 * number
    assert seconds_of(f"{number}h") == 3600 * number


@given(number=st.integers(0, 10**6))
def test_a_size_means_the_same_in_every_unit(number):
    assert bytes_of(number) == bytes_of(f"{number}B")
    assert bytes_of(f"{number}GB") == bytes_of(f"{number * 1000} MB") == number * 10**9
    assert bytes_of(f"{number}MiB") == number * 2**20


@pytest.mark.parametrize(
    "written", ["", "10", "ten", "-3s", "3 weeks", True, 0, -1, float("inf"), float("nan"), []]
)
def test_what_is_no_duration_is_refused(written):
    with pytest.raises(ValueError, match=r"is not (a duration|positive)"):
        seconds_of(written)


@pytest.mark.parametrize("written", ["", "10", "GB", -1, True, "2 elephants", None])
def test_what_is_no_size_is_refused(written):
    with pytest.raises(ValueError, match="is not a size"):
        bytes_of(written)


@pytest.mark.parametrize(
    ("written", "budget"), [(200, "200"), ("200", "200"), ("3%", "3%"), (" 2h ", "2h"), ("", "")]
)
def test_a_budget_is_kept_as_text(written, budget):
    assert budget_of(written) == budget


@pytest.mark.parametrize("written", [0, "0", "1.5", "101%", "0%", "-3", True, 2.5, "much", "3 weeks"])
def test_what_is_no_budget_is_refused(written):
    with pytest.raises(ValueError, match="is not a budget"):
        budget_of(written)


def test_a_size_can_be_an_argument():
    assert (parse_size("0"), parse_size("1.5 kB")) == (0, 1500)
    with pytest.raises(UsageError, match="'much' is not a size"):
        parse_size("much")
