"""The columns that explain a response, and their coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from sonde.numerics.sparse_regression.cost import ChoiceRules, extended_bic_price
from sonde.numerics.sparse_regression.stepwise import choose
from sonde.numerics.sparse_regression.swept import Array, Swept


@dataclass(frozen=True)
class ColumnSelection:
    """The columns that were chosen, in increasing order, and the coefficient of each."""

    chosen: tuple[int, ...]
    coefficients: Array
    squares: float  # sum of the weighted squared residuals, with the ridge's


def select_columns(
    columns: ArrayLike,
    response: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    prices: ArrayLike | None = None,
    noise: float = 0.0,
    forced: Sequence[int] = (),
    least: float = 0.0,
    most: int | None = None,
    independent: int | None = None,
    ridge: ArrayLike | None = None,
) -> ColumnSelection:
    """The columns that explain the response best for their price, and their coefficients.

    `weights` are inverse variances, up to a factor. `prices` are those of the extended BIC unless given.
    `noise` is the deviation that residuals have at the least, relative to the response's root mean square.
    Columns that are `forced` are chosen first, except where they depend on earlier ones; they have no price,
    and do not leave. Coefficients below `least` are not worth a column. At `most` so many others are chosen
    (None: half as many as there are rows). Of rows that repeat each other only so many are `independent`
    (None: all). `ridge` times the square of each coefficient is added to the squared residuals (None: 0).
    There is no intercept: force a column of ones.
    """
    right = np.asarray(response, dtype=np.float64)
    scale = np.sqrt(_checked_weights(weights, len(right)))
    matrix = np.asarray(columns, dtype=np.float64) * scale[:, np.newaxis]
    right = right * scale
    if not right.any():
        return ColumnSelection((), np.zeros(0), 0.0)
    rows, candidates = matrix.shape
    if ridge is not None:
        matrix = np.vstack([matrix, np.diag(np.sqrt(np.asarray(ridge, dtype=np.float64)))])
        right = np.append(right, np.zeros(candidates))
    free = rows if independent is None else independent
    each = np.full(candidates, extended_bic_price(rows, candidates)) if prices is None else prices
    swept = Swept(matrix, right)
    rules = ChoiceRules(
        np.asarray(each, dtype=np.float64),
        noise,
        least * swept.lengths / np.sqrt(right @ right),
        free // 2 if most is None else most,
        rows,
        free,
    )
    chosen = sorted(choose(swept, rules, forced))
    if not chosen:
        return ColumnSelection((), np.zeros(0), float(right @ right))
    coefficients = np.linalg.lstsq(matrix[:, chosen], right, rcond=None)[0]
    residual = right - matrix[:, chosen] @ coefficients
    return ColumnSelection(
        tuple(chosen), np.asarray(coefficients, dtype=np.float64), float(residual @ residual)
    )


def _checked_weights(weights: ArrayLike | None, rows: int) -> Array:
    if weights is None:
        return np.ones(rows)
    checked = np.asarray(weights, dtype=np.float64)
    if checked.shape != (rows,):
        raise ValueError(f"There are {rows} rows, but {checked.size} weights. Give one for each row.")
    if not (np.isfinite(checked) & (checked > 0)).all():
        raise ValueError("A weight is not a positive number. Leave out rows that do not count.")
    return checked
