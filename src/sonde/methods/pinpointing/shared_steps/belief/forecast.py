"""A rough guess of the values of configurations that were not measured."""

from __future__ import annotations

import numpy as np

from sonde.methods.pinpointing.shared_steps.belief.arrays import Array, Integers
from sonde.methods.pinpointing.shared_steps.belief.sheet import Sheet

ERROR = 0.05  # relative, of the guess at what was measured
NEGLIGIBLE = 1e-12
LEAST = 0.5  # of the value of the lowest configuration


def forecast(sheet: Sheet, lowest: Integers, rows: Integers) -> Array:
    """Values of rows, if each difference from the lowest row adds its own part to the value.

    A ridge regression whose parts are drawn towards a common one. It only has to tell cheap configurations
    from expensive ones; `influences` holds a model that can be relied on.
    """
    level = sheet.table().level
    line = sheet.known_line(lowest)  # a recording may lack it
    base = float(level.min() if line is None else level[line])
    known = (np.array(sheet.lines) != lowest).astype(float)
    sizes, excess = known.sum(axis=1), level - base
    common = max(float((excess * sizes).sum() / max((sizes**2).sum(), 1.0)), 1e-3 * base)
    gram = known @ known.T * common**2
    # Values may differ by so much that the error of the small ones is nothing beside the large ones.
    gram += np.diag(np.maximum((ERROR * level) ** 2, NEGLIGIBLE * gram.max()))
    dual = np.linalg.solve(gram, excess - common * sizes)
    asked = (rows != lowest).astype(float)
    guess = base + common * asked.sum(axis=1) + asked @ (known.T @ dual) * common**2
    return np.asarray(np.maximum(guess, LEAST * base))
