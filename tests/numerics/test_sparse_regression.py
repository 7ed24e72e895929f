"""Regression on the few columns that matter."""

from math import inf, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.numerics.sparse_regression import PATIENCE, ROUNDS, extended_bic_price, select_columns

SOME = settings(max_examples=40, deadline=None)


@st.composite
def some_regression(draw, noise: float):
    """Columns of zeros and ones, a few of which make up the response."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows, candidates = draw(st.integers(40, 80)), draw(st.integers(5, 30))
    columns = (rng.random((rows, candidates)) < 0.5).astype(float)
    true = rng.choice(candidates, draw(st.integers(1, 4)), replace=False)
    coefficients = np.zeros(candidates)
    coefficients[true] = rng.uniform(1, 3, len(true)) * rng.choice([-1, 1], len(true))
    return columns, columns @ coefficients + noise * rng.normal(size=rows), coefficients


def slowly(columns, response):
    """The module's description, with a least squares fit for every choice."""
    rows, candidates = columns.shape
    price = log(rows) + 2 * log(candidates)

    def squares(chosen):
        part = columns[:, chosen]
        if np.linalg.matrix_rank(part) < len(chosen):
            return inf
        left = response - part @ np.linalg.lstsq(part, response, rcond=None)[0]
        return float(left @ left) / float(response @ response)

    def cost(chosen):
        return rows * log(squares(chosen) + 1e-14) + rows / (rows - len(chosen) - 1) * price * len(chosen)

    def entered(chosen):
        path = [chosen]
        best = chosen
        while (
            len(path[-1]) < rows // 2 and len(path[-1]) - len(best) < PATIENCE and squares(path[-1]) > 1e-14
        ):
            wider = [path[-1] + [column] for column in range(candidates) if column not in path[-1]]
            wider = [each for each in wider if squares(each) < inf]
            if not wider:
                break
            path.append(min(wider, key=cost))
            best = min(best, path[-1], key=cost)
        return best

    def left(chosen):
        while chosen:
            fewer = min(([each for each in chosen if each != column] for column in chosen), key=cost)
            if cost(fewer) > cost(chosen):
                break
            chosen = fewer
        return chosen

    chosen: list[int] = []
    for _ in range(ROUNDS):
        more = entered(chosen)
        fewer = left(more)
        is_settled = len(fewer) == len(more) or set(fewer) == set(chosen)
        chosen = fewer
        if is_settled:
            break
    return tuple(sorted(chosen))


@SOME
@given(some_regression(noise=0.0))
def test_without_noise_it_finds_exactly_what_makes_up_the_response(made):
    columns, response, coefficients = made

    found = select_columns(columns, response)

    full = np.zeros(len(coefficients))
    full[list(found.chosen)] = found.coefficients
    np.testing.assert_allclose(full, coefficients, atol=1e-9)


@settings(max_examples=15, deadline=None)
@given(some_regression(noise=0.5))
def test_it_equals_fitting_every_choice_anew(made):
    columns, response, _ = made

    assert select_columns(columns, response).chosen == slowly(columns, response)


@SOME
@given(made=some_regression(noise=0.5), data=st.data())
def test_coefficients_are_those_of_least_squares_on_the_chosen(made, data):
    columns, response, _ = made
    weights = data.draw(
        st.lists(st.integers(1, 9), min_size=len(response), max_size=len(response)).map(np.array)
    )

    found = select_columns(columns, response, weights)

    repeated = np.repeat(np.arange(len(response)), weights)
    part = columns[repeated][:, list(found.chosen)]
    expected = np.linalg.lstsq(part, response[repeated], rcond=None)[0]
    np.testing.assert_allclose(found.coefficients, expected, atol=1e-9)


@SOME
@given(made=some_regression(noise=0.5), scale=st.floats(0.01, 100), seed=st.integers(0, 99))
def test_scale_and_order_of_rows_do_not_matter(made, scale, seed):
    columns, response, _ = made
    order = np.random.default_rng(seed).permutation(len(response))

    found = select_columns(columns[order], scale * response[order])

    assert found.chosen == select_columns(columns, response).chosen


def test_noise_alone_is_hardly_ever_explained():
    rng = np.random.default_rng(1)
    chosen = [
        select_columns((rng.random((30, 60)) < 0.5).astype(float), rng.normal(size=30)).chosen
        for _ in range(100)
    ]

    assert sum(map(bool, chosen)) <= 5


def test_of_equal_columns_the_first_is_chosen():
    rng = np.random.default_rng(1)
    column = (rng.random(30) < 0.5).astype(float)

    found = select_columns(np.column_stack([column, column, 1 - column, np.ones(30)]), 3 * column)

    assert found.chosen == (0,)


def test_forced_columns_that_depend_on_earlier_ones_are_left_out():
    rng = np.random.default_rng(1)
    column = (rng.random(30) < 0.5).astype(float)
    columns = np.column_stack([np.ones(30), column, 1 - column, np.zeros(30)])

    found = select_columns(columns, 1 + 2 * column, forced=(0, 1, 2, 3))

    assert found.chosen == (0, 1)
    np.testing.assert_allclose(found.coefficients, [1, 2])


def test_forced_columns_stay_though_they_explain_nothing():
    rng = np.random.default_rng(1)
    columns = rng.normal(size=(50, 3))

    found = select_columns(columns, 2 * columns[:, 0], forced=[2])

    assert found.chosen == (0, 2)


def test_a_small_coefficient_is_not_worth_a_column():
    rng = np.random.default_rng(1)
    columns = (rng.random((200, 2)) < 0.5).astype(float)
    response = columns @ [1.0, 0.04]

    assert select_columns(columns, response).chosen == (0, 1)
    assert select_columns(columns, response, least=0.05).chosen == (0,)


def test_what_lies_below_the_noise_is_not_explained():
    rng = np.random.default_rng(1)
    columns = (rng.random((50, 2)) < 0.5).astype(float)
    columns[:, 0] = 1.0
    response = columns @ [1.0, 0.01]

    assert select_columns(columns, response).chosen == (0, 1)
    assert select_columns(columns, response, noise=0.1).chosen == (0,)


def test_at_most_so_many_are_chosen():
    columns = np.random.default_rng(1).normal(size=(50, 6))

    assert len(select_columns(columns, columns.sum(axis=1), most=4).chosen) == 4


def test_rows_that_repeat_each_other_allow_fewer_columns():
    rng = np.random.default_rng(1)
    few = rng.normal(size=(8, 40))
    columns, response = np.repeat(few, 20, axis=0), np.repeat(rng.normal(size=8), 20)

    assert len(select_columns(columns, response, independent=8).chosen) <= 4


def test_a_ridge_draws_coefficients_to_zero():
    rng = np.random.default_rng(1)
    columns, response = rng.normal(size=(20, 3)), rng.normal(size=20)
    ridge = np.array([1.0, 2.0, 3.0])

    found = select_columns(columns, response, forced=range(3), ridge=ridge)

    expected = np.linalg.solve(columns.T @ columns + np.diag(ridge), columns.T @ response)
    np.testing.assert_allclose(found.coefficients, expected)


@pytest.mark.parametrize("columns", [np.zeros((3, 2)), np.zeros((3, 0)), np.ones((3, 1))])
def test_a_response_of_zeros_needs_no_column(columns):
    assert select_columns(columns, np.zeros(3)).chosen == ()


def test_nothing_is_chosen_where_there_is_nothing_to_choose_from():
    assert select_columns(np.zeros((3, 2)), [1.0, 2.0, 3.0]).chosen == ()
    assert select_columns(np.zeros((3, 0)), [1.0, 2.0, 3.0]).squares == 14.0


def test_a_column_costs_more_the_more_there_are():
    assert extended_bic_price(100, 1) == log(100)
    assert extended_bic_price(100, 10) == pytest.approx(log(100) + 2 * log(10))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], "There are 2 rows, but 1 weights. Give one for each row."),
        ([1.0, 0.0], "A weight is not a positive number. Leave out rows that do not count."),
    ],
)
def test_bad_weights_are_told(weights, message):
    with pytest.raises(ValueError) as raised:
        select_columns([[1.0], [2.0]], [1.0, 2.0], weights)

    assert str(raised.value) == message
