"""The Lasso of section 3.3.2, for any input."""

from __future__ import annotations

import warnings

import numpy as np

from sonde.methods.pinpointing.likelihoods.likelihood import Floats

PENALTIES = 30  # that are tried, from the one that leaves no coefficient ...
SMALLEST = 1e-3  # ... down to this part of it
ROUNDS = 2000


def fit_lasso(rows: Floats, targets: Floats, folds: int) -> tuple[Floats, float]:
    """Coefficients and intercept, the penalty λ by cross-validation.

    Where nothing can be learnt, because there are fewer rows than folds or because the targets or all rows
    are the same, there are no coefficients, and the intercept is what all targets have at least.
    """
    count, columns = rows.shape
    nothing = np.zeros(columns), float(targets.min()) if count else 0.0
    scale = float(np.abs(targets).max()) if count else 0.0
    if count < folds or columns == 0 or scale <= 0 or float(np.ptp(targets)) <= 1e-12 * scale:
        return nothing
    scaled = targets / scale
    largest = float(np.abs((rows - rows.mean(axis=0)).T @ (scaled - scaled.mean())).max()) / count
    if largest <= 1e-12:
        return nothing

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LassoCV

    model = LassoCV(alphas=np.geomspace(largest, SMALLEST * largest, PENALTIES), cv=folds, max_iter=ROUNDS)
    with warnings.catch_warnings():  # the smallest penalties need not converge, and are not chosen then
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(rows, scaled)
    return model.coef_ * scale, float(model.intercept_) * scale
