"""What a choice of columns costs: the extended BIC, corrected for few rows."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log

import numpy as np

from sonde.numerics.sparse_regression.swept import Array

ROUNDING = 1e-7  # of the response: what counts as noise where none is known


@dataclass(frozen=True)
class ChoiceRules:
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
