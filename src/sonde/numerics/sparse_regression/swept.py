"""Scalar products of columns, swept by those that were chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DEPENDENT = 1e-8  # of a column's squares: what may be left of one that depends on others, by rounding


class Swept:
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
