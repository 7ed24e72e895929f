"""The budget of an iteration, reckoned by hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.pinpointing.likelihoods.budget import Budget, split
from sonde.methods.pinpointing.likelihoods.settings import PaperSettings


def test_at_first_half_goes_to_configurations_and_a_quarter_to_either_way_of_steps():
    assert split(200, 0, PaperSettings()) == Budget(100, 50, 50)


def test_it_shifts_to_configurations_and_to_exploitation():
    # 200 * .5 * .95 = 95 steps, of which .5 * .9 = .45 explore: 42.75
    assert split(200, 1, PaperSettings()) == Budget(105, 43, 52)
    # 200 * .5 * .95² = 90.25 steps, of which .405 explore: 36.45
    assert split(200, 2, PaperSettings()) == Budget(110, 36, 54)
    # 200 * .5 * .95²⁹ = 22.6 steps, of which .0236 explore: .54
    assert split(200, 29, PaperSettings()) == Budget(177, 1, 22)


@given(total=st.integers(0, 1000), iteration=st.integers(0, 40))
def test_nothing_is_lost(total, iteration):
    budget = split(total, iteration, PaperSettings())

    assert budget.configurations + budget.exploration + budget.exploitation == total
    assert min(budget.configurations, budget.exploration, budget.exploitation) >= 0
