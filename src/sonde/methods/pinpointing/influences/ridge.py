"""How strongly influences are drawn towards 0, so that there may be more of them than configurations."""

from __future__ import annotations

import numpy as np

from sonde.methods.pinpointing.influences.folding import folds_of
from sonde.methods.pinpointing.influences.observations import Observed
from sonde.numerics.sparse_regression import Array

STRENGTHS = (1e-12, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0)  # relative to one observation of a usual value

# What draws those hardly at all that should be free, so that they can depend on each other.
NEXT_TO_NOTHING = 1e-12


def ridge_of(observed: Observed, matrix: Array, is_drawn: Array) -> Array:
    """What each column's coefficient is drawn with: the strength that predicts left out configurations best.

    `is_drawn` is 1 for columns to draw, else 0. Of strengths that do as well, the weakest.
    """
    unit = 1.0 / float(np.median(observed.values)) ** 2
    folds = folds_of(observed)
    scaled = matrix * np.sqrt(observed.weights)[:, np.newaxis]
    response = observed.values * np.sqrt(observed.weights)
    squares = scaled.T @ scaled
    along = scaled.T @ response
    errors = np.zeros(len(STRENGTHS))
    drawings = [unit * (NEXT_TO_NOTHING + strength * is_drawn) for strength in STRENGTHS]
    for fold in range(int(folds.max()) + 1):
        rows = scaled[folds == fold]
        there = response[folds == fold]
        for number, drawing in enumerate(drawings):
            coefficients = np.linalg.solve(squares - rows.T @ rows + np.diag(drawing), along - rows.T @ there)
            errors[number] += float(np.sum((rows @ coefficients - there) ** 2))
    return drawings[int(np.argmin(errors > 1.01 * errors.min() + 1e-12 * len(observed)))]
