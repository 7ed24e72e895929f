"""The Lasso, also where nothing can be learnt."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.pinpointing.likelihoods.lasso import fit_lasso
from tests.methods.history_sampling.made_series import SOME_EXAMPLES


def random_rows(count, columns, seed=0):
    return np.random.default_rng(seed).integers(0, 2, (count, columns)).astype(np.float64)


def test_it_finds_the_column_that_matters():
    rows = random_rows(40, 8)

    coefficients, intercept = fit_lasso(rows, 0.02 * rows[:, 3], 3)

    assert coefficients[3] == pytest.approx(0.02, rel=0.05)
    assert np.abs(np.delete(coefficients, 3)).max() < 0.001
    assert abs(intercept) < 0.001


@pytest.mark.parametrize(
    ("rows", "targets", "intercept"),
    [
        (np.zeros((0, 4)), np.zeros(0), 0.0),
        (random_rows(2, 4), np.array([0.1, 0.3]), 0.1),
        (random_rows(9, 4), np.full(9, 0.25), 0.25),
        (random_rows(9, 4), np.zeros(9), 0.0),
        (np.ones((9, 4)), np.linspace(0.1, 0.9, 9), 0.1),
        (np.zeros((5, 0)), np.linspace(0.1, 0.5, 5), 0.1),
    ],
)
def test_where_nothing_can_be_learnt_no_column_matters(rows, targets, intercept):
    coefficients, found = fit_lasso(rows, targets, 3)

    assert not coefficients.any()
    assert found == pytest.approx(intercept)


@SOME_EXAMPLES
@given(data=st.data(), count=st.integers(1, 12), columns=st.integers(1, 5))
def test_it_is_always_finite(data, count, columns):
    cell = st.sampled_from([0.0, 1.0])
    row = st.lists(cell, min_size=columns, max_size=columns)
    rows = np.array(data.draw(st.lists(row, min_size=count, max_size=count)))
    likelihood = st.sampled_from([0.0, 1e-12, 0.01]) | st.floats(0, 1)
    targets = np.array(data.draw(st.lists(likelihood, min_size=count, max_size=count)))

    coefficients, intercept = fit_lasso(rows, targets, 3)

    assert np.isfinite(coefficients).all()
    assert np.isfinite(intercept)
