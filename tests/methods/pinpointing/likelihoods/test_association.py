"""Equation 7, against its slow twin, and what is associated."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Configuration, Literal, Option
from sonde.methods.pinpointing.likelihoods.association import (
    LikelihoodModel,
    OptionColumns,
    as_shares,
    associated,
    influence_threshold,
)
from sonde.space.space import Space
from tests.methods.pinpointing.likelihoods import slow_twin
from tests.methods.pinpointing.likelihoods.made_systems import switch

NAMES = tuple("abcdefgh")
SWITCHES = Space.of([switch(name) for name in NAMES])
METHOD = Space.of([Option("method", ("lz", "rle", "none"), "lz"), *(switch(name) for name in NAMES[:4])])

influence = st.sampled_from([0.0, 0.1, 1.0]) | st.floats(0, 1)


def of(values, core=0.0):
    literals = tuple(Literal(f"o{at}", True) for at in range(len(values)))
    return LikelihoodModel(literals, np.array(values, dtype=np.float64), core)


def names(influences):
    literals, is_core = associated(influences, 1.0)
    return [str(literal) for literal in literals] + ["(core)"] * is_core


def random_configurations(space, count=60):
    rng = np.random.default_rng(1)
    return [
        Configuration.of(
            {option.name: option.values[rng.integers(len(option.values))] for option in space.options}
        )
        for _ in range(count)
    ]


def found_in(space, likelihood):
    configurations = random_configurations(space)
    columns = OptionColumns(space)
    targets = np.array([likelihood(each) for each in configurations], dtype=np.float64)
    return names(columns.influences(columns.of(configurations), targets, 3))


@given(values=st.lists(influence, min_size=3, max_size=12), factor=st.sampled_from([0.0, 1.0, 2.0]))
def test_the_threshold_is_that_of_the_twin(values, factor):
    assert influence_threshold(np.array(values), factor) == pytest.approx(
        slow_twin.influence_threshold(values, factor)
    )


@given(values=st.lists(influence, max_size=12), core=st.floats(-1, 1))
def test_shares_add_up_and_are_compared_to_the_threshold_of_the_twin(values, core):
    influences = of(values, core)
    shares, share_of_core = as_shares(influences)
    padded = [*shares.tolist(), *[0.0] * (3 - len(values))]
    threshold = slow_twin.influence_threshold(padded, 1.0)

    total = shares.sum() + share_of_core
    assert total == pytest.approx(1) or total == 0
    if all(abs(share - threshold) > 1e-9 for share in (*padded, share_of_core)):  # else rounding decides
        expected = [f"o{at}" for at, share in enumerate(shares) if share > threshold]
        assert names(influences) == expected + ["(core)"] * (share_of_core > threshold)


def test_reckoned_by_hand():
    assert names(of([1, 0, 0, 0])) == ["o0"]  # 1/4 + sqrt((9 + 1 + 1 + 1) / 64) = .68
    assert names(of([1, 1, 0, 0, 0, 0, 0, 0])) == ["o0", "o1"]  # 1/8 + sqrt(3) / 8 = .34 < .5
    assert names(of([1, 1, 1, 1])) == []  # none is more than equal
    assert names(of([0, 0, 0, 0], core=0.02)) == ["(core)"]
    assert names(of([0.001, 0, 0, 0], core=0.02)) == ["(core)"]
    assert names(of([1, 0, 0, 0], core=-0.4)) == ["o0"]
    assert names(of([0, 0, 0, 0])) == []


def test_a_single_option_can_be_associated_too():
    assert names(of([1.0])) == ["o0"]
    assert names(of([0.0], core=1.0)) == ["(core)"]
    assert names(of([], core=1.0)) == ["(core)"]


def test_the_option_with_which_a_step_is_likely_is_associated():
    assert found_in(SWITCHES, lambda one: 0.03 if one["c"] else 0.0) == ["c"]
    assert found_in(SWITCHES, lambda one: 0.03 if one["c"] and one["f"] else 0.0) == ["c", "f"]
    assert found_in(SWITCHES, lambda one: 0.03) == ["(core)"]
    assert found_in(SWITCHES, lambda one: 0.03 if one["a"] else 0.028) == ["(core)"]


def test_what_is_likely_without_an_option_is_associated_with_its_being_off():
    assert found_in(SWITCHES, lambda one: 0.0 if one["c"] else 0.03) == ["!c"]


def test_a_value_of_one_of_several_is_associated_by_itself():
    assert found_in(METHOD, lambda one: 0.03 if one["method"] == "rle" else 0.0) == ["method=rle"]


def test_all_values_but_one_are_associated_if_it_is_unlikely_with_that_one_alone():
    found = found_in(METHOD, lambda one: 0.0 if one["method"] == "rle" else 0.03)

    assert found == ["method=lz", "method=none"]
