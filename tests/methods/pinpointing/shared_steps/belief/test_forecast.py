"""Guesses of values that were not measured."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.pinpointing.search import DemandResult
from sonde.methods.pinpointing.shared_steps.belief.forecast import LEAST, forecast
from sonde.space.space import Space
from tests.methods.pinpointing.shared_steps.made_searches import switches
from tests.methods.pinpointing.shared_steps.made_sheets import knowledge_of

SPACE = Space(switches(6))


def value(row, parts):
    return 1.0 + sum(part for part, is_on in zip(parts, row.tolist(), strict=True) if is_on)


def told(knowledge, rows, parts):
    """What is known once these rows were measured."""
    configurations = [knowledge.alphabet.configuration(row) for row in rows]
    knowledge.sheet.hear(
        [DemandResult(0, each, (value(row, parts),)) for each, row in zip(configurations, rows, strict=True)]
    )


@given(parts=st.lists(st.floats(0.05, 3), min_size=6, max_size=6))
def test_where_single_options_are_known_their_sums_are_nearly_right(parts):
    knowledge = knowledge_of(SPACE)
    singles = list(np.eye(6, dtype=np.int64))
    told(knowledge, [knowledge.lowest, knowledge.highest, *singles], parts)
    asked = np.array([row for row in product((0, 1), repeat=6) if sum(row) in (2, 3, 4)])

    found = forecast(knowledge.sheet, knowledge.lowest, asked)

    truth = np.array([value(row, parts) for row in asked])
    assert np.median(np.abs(found / truth - 1)) < 0.15
    assert (np.abs(found / truth - 1)).max() < 0.5


def test_without_more_than_the_extremes_every_option_costs_the_same():
    knowledge = knowledge_of(SPACE)
    told(knowledge, [knowledge.lowest, knowledge.highest], [0.5] * 6)

    found = forecast(knowledge.sheet, knowledge.lowest, np.array([[1, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0]]))

    assert found == pytest.approx([1.5, 2.5], rel=0.02)


@given(
    parts=st.lists(st.floats(0, 5), min_size=6, max_size=6),
    seed=st.integers(0, 99),
)
def test_a_guess_is_never_far_below_the_lowest_configuration(parts, seed):
    knowledge = knowledge_of(SPACE)
    rng = np.random.default_rng(seed)
    told(knowledge, [knowledge.lowest, *rng.integers(0, 2, (4, 6))], parts)

    found = forecast(knowledge.sheet, knowledge.lowest, np.array(knowledge.variants.listed))

    assert np.isfinite(found).all()
    assert (found >= LEAST * 1.0 - 1e-9).all()


def test_where_a_recording_lacks_the_lowest_configuration_the_cheapest_stands_in():
    knowledge = knowledge_of(SPACE)
    told(knowledge, [np.array([1, 0, 0, 0, 0, 0]), knowledge.highest], [0.5] * 6)

    found = forecast(knowledge.sheet, knowledge.lowest, np.array([[1, 1, 1, 0, 0, 0]]))

    assert 1.5 < found[0] < 4
    assert knowledge.sheet.known_line(knowledge.lowest) is None


def test_values_that_lie_very_far_apart_leave_a_guess():
    knowledge = knowledge_of(SPACE)
    values = {"default": 1e-9, "o0": 1e9, "o1": 1e-9, "o0,o1": 1e9, "o2": 1e-9, "o3": 1.0}
    knowledge.sheet.hear([DemandResult(0, SPACE.parse(text), (value,)) for text, value in values.items()])

    found = forecast(knowledge.sheet, knowledge.lowest, np.array([[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]]))

    assert np.isfinite(found).all()


def test_expensive_options_are_told_from_cheap_ones():
    parts = [3.0, 0.1, 3.0, 0.1, 3.0, 0.1]
    knowledge = knowledge_of(SPACE)
    rng = np.random.default_rng(3)
    told(knowledge, [knowledge.lowest, knowledge.highest, *rng.integers(0, 2, (14, 6))], parts)

    cheap, expensive = forecast(
        knowledge.sheet, knowledge.lowest, np.array([[0, 1, 0, 1, 0, 1], [1, 0, 1, 0, 1, 0]])
    )

    assert cheap < 2.5
    assert expensive > 7
