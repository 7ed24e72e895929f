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

from sonde.numerics.sparse_regression.cost import extended_bic_price
from sonde.numerics.sparse_regression.selection import ColumnSelection, select_columns
from sonde.numerics.sparse_regression.stepwise import PATIENCE, ROUNDS
from sonde.numerics.sparse_regression.swept import Array

__all__ = ["PATIENCE", "ROUNDS", "Array", "ColumnSelection", "extended_bic_price", "select_columns"]
