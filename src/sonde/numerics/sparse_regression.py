"""Linear regression on the few columns that matter: forward selection, then elimination, by an extended BIC.

A choice of k columns out of n rows, with the sum of squared residuals RSS, costs

    n log(RSS / n + noise^2) + m / (m - k - 1) * (sum of the prices of its columns).

With a price of log n + 2 log p for each of p candidates this is the extended BIC of Chen and Chen,
"Extended Bayesian information criteria for model selection with large model spaces" (Biometrika, 2008),
with their gamma of 1; the factor corrects it for few rows, as AICc does AIC, where m of them are
independent. Residuals below the noise are as good as none.

The column enters that costs least; one that depends on those chosen cannot. Then columns leave as long as
that lowers the cost, which repairs what greed chose too early, and both are repeated until neither helps.
Both are sweeps of the matrix of scalar products (Beaton's operator): each gives at once what every further
column would gain, and what every chosen one is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

DEPENDENT = 1e-8  # of a column's squares: what may be left of one that depends on others, by rounding
ROUNDING = 1e-7  # of the response: what counts as noise where none is known
ROUNDS = 3  # of entering and leaving; two nearly always do
PATIENCE = 10  # columns that may enter without lowering the cost, for one that does may follow


@dataclass(frozen=True)
class Selection:
    """The columns that were chosen, in increasing order, and the coefficient of each."""

    chosen: tuple[int, ...]
    coefficients: Array
    squares: float  # sum of the weighted squared residuals, with the ridge's


@dataclass(frozen=True)
class _Rules:
    """What a choice costs, and what may be chosen."""

    prices: Array  # one a column
    noise: float  # relative to the response
    least: Array  # of each coefficient's size, in units of the swept matrix
    most: int  # columns to choose
    rows: int
    independent: int  # of them

    def cost(self, squares: Array | float, spent: Array | float, chosen: int) -> Array:
        """Of choices with these sums of squares, relative to the response's, and of prices."""
        spare = self.independent - chosen - 1
        if spare <= 0:
            return np.full(np.shape(squares), inf)
        left = np.maximum(squares, 0.0) + max(self.noise, ROUNDING) ** 2
        return np.asarray(self.rows * np.log(left) + self.independent / spare * np.asarray(spent))


def extended_bic_price(rows: int, candidates: int) -> float:
    """What a column costs that is one of so many candidates."""
    return log(max(rows, 2)) + 2 * log(max(candidates, 1))


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
) -> Selection:
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
        return Selection((), np.zeros(0), 0.0)
    rows, candidates = matrix.shape
    if ridge is not None:
        matrix = np.vstack([matrix, np.diag(np.sqrt(np.asarray(ridge, dtype=np.float64)))])
        right = np.append(right, np.zeros(candidates))
    free = rows if independent is None else independent
    each = np.full(candidates, extended_bic_price(rows, candidates)) if prices is None else prices
    swept = _Swept(matrix, right)
    rules = _Rules(
        np.asarray(each, dtype=np.float64),
        noise,
        least * swept.lengths / np.sqrt(right @ right),
        free // 2 if most is None else most,
        rows,
        free,
    )
    chosen = sorted(_search(swept, rules, forced))
    if not chosen:
        return Selection((), np.zeros(0), float(right @ right))
    coefficients = np.linalg.lstsq(matrix[:, chosen], right, rcond=None)[0]
    residual = right - matrix[:, chosen] @ coefficients
    return Selection(tuple(chosen), np.asarray(coefficients, dtype=np.float64), float(residual @ residual))


def _checked_weights(weights: ArrayLike | None, rows: int) -> Array:
    if weights is None:
        return np.ones(rows)
    checked = np.asarray(weights, dtype=np.float64)
    if checked.shape != (rows,):
        raise ValueError(f"There are {rows} rows, but {checked.size} weights. Give one for each row.")
    if not (np.isfinite(checked) & (checked > 0)).all():
        raise ValueError("A weight is not a positive number. Leave out rows that do not count.")
    return checked


class _Swept:
    """Scalar products of columns of length 1, and of the response at the end, swept by what was chosen."""

    def __init__(self, matrix: Array, response: Array) -> None:
        self.lengths = np.sqrt(np.einsum("ij,ij->j", matrix, matrix))
        units = matrix / np.where(self.lengths > 0, self.lengths, 1.0)
        both = np.column_stack([units, response / np.sqrt(response @ response)])
        self.products = both.T @ both
        self.begin(())

    def begin(self, chosen: Sequence[int]) -> None:
        """With just these, which are independent of each other; all at once, for speed."""
        self.table = self.products.copy()
        self.is_chosen = np.zeros(len(self.table) - 1, dtype=bool)
        if not chosen:
            return
        those = list(chosen)
        inverse = np.linalg.inv(self.products[np.ix_(those, those)])
        across = inverse @ self.products[those]
        self.table -= self.products[:, those] @ across
        self.table[those] = across
        self.table[:, those] = across.T
        self.table[np.ix_(those, those)] = -inverse
        self.is_chosen[those] = True

    def independent(self, wanted: Sequence[int]) -> list[int]:
        """Those that do not depend on earlier ones."""
        those = list(wanted)
        if not those:
            return []
        try:
            factor = np.linalg.cholesky(self.products[np.ix_(those, those)])
        except np.linalg.LinAlgError:
            factor = np.zeros((1, 1))
        if (factor.diagonal() ** 2 > DEPENDENT).all():  # what is left of each beside those before
            return those
        self.begin(())
        found = []
        for column in those:
            if self.is_new()[column]:
                self.turn(column)
                found.append(column)
        return found

    def turn(self, column: int) -> None:
        """Choose a column, or take it back."""
        sign = -1.0 if self.is_chosen[column] else 1.0
        line = self.table[column].copy()
        pivot = line[column]
        self.table -= np.outer(line, line / pivot)
        self.table[column] = self.table[:, column] = sign * line / pivot
        self.table[column, column] = -1.0 / pivot
        self.is_chosen[column] = not self.is_chosen[column]

    @property
    def squares(self) -> float:
        """Of the residual."""
        return float(self.table[-1, -1])

    @property
    def left(self) -> Array:
        """Of each column's squares beside those chosen; of a chosen one, less its coefficient's variance."""
        return np.asarray(self.table.diagonal()[:-1])

    @property
    def along(self) -> Array:
        """Each column times the residual; of a chosen one, its coefficient."""
        return np.asarray(self.table[-1, :-1])

    def is_new(self) -> NDArray[np.bool_]:
        """Which columns do not depend on those chosen."""
        return ~self.is_chosen & (self.left > DEPENDENT)


def _search(swept: _Swept, rules: _Rules, forced: Sequence[int]) -> list[int]:
    kept = swept.independent(forced)
    chosen = kept
    for _ in range(ROUNDS):
        swept.begin(chosen)
        more = _enter(swept, rules, chosen, len(kept))
        fewer = _leave(swept, rules, more, kept)
        is_settled = len(fewer) == len(more) or set(fewer) == set(chosen)
        chosen = fewer
        if is_settled:
            break
    return chosen


def _enter(swept: _Swept, rules: _Rules, chosen: Sequence[int], forced: int) -> list[int]:
    """These columns, and as many more as cost least; where many matter alike, one alone may not pay."""
    entered = list(chosen)
    spent = float(rules.prices[entered[forced:]].sum())
    least_cost, number = float(rules.cost(swept.squares, spent, len(entered))), len(entered)
    while len(entered) - forced < rules.most and swept.squares > ROUNDING**2:
        is_new = swept.is_new()
        left = np.where(is_new, swept.left, 1.0)
        is_worthy = is_new & (np.abs(swept.along) >= rules.least * left)
        if not is_worthy.any():
            break
        gains = swept.along**2 / left
        costs = rules.cost(swept.squares - gains, spent + rules.prices, len(entered) + 1)
        costs[~is_worthy] = inf
        best = int(np.argmin(costs))
        if not costs[best] < inf:
            break
        swept.turn(best)
        entered.append(best)
        spent += float(rules.prices[best])
        if costs[best] < least_cost:
            least_cost, number = float(costs[best]), len(entered)
        elif len(entered) - number == PATIENCE:
            break
    for column in entered[number:]:
        swept.turn(column)
    return entered[:number]


def _leave(swept: _Swept, rules: _Rules, chosen: Sequence[int], kept: Sequence[int]) -> list[int]:
    """These columns without those whose leaving lowers the cost, or that are not worth one."""
    staying = list(chosen)
    may_leave = swept.is_chosen.copy()
    may_leave[list(kept)] = False
    spent = float(rules.prices[may_leave].sum())
    while may_leave.any():
        variances = np.where(may_leave, -swept.left, 1.0)
        losses = swept.along**2 / variances
        costs = rules.cost(swept.squares + losses, spent - rules.prices, len(staying) - 1)
        is_small = may_leave & (np.abs(swept.along) < rules.least)
        leaving = int(np.argmin(np.where(is_small if is_small.any() else may_leave, costs, inf)))
        if not is_small.any() and not costs[leaving] <= rules.cost(swept.squares, spent, len(staying)):
            break
        swept.turn(leaving)
        staying.remove(leaving)
        may_leave[leaving] = False
        spent -= float(rules.prices[leaving])
    return staying
