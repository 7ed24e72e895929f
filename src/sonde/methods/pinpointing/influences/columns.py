"""The columns of the regression: terms, and changes of terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sonde.core.options import Term
from sonde.methods.pinpointing.influences.observations import Observed
from sonde.numerics.sparse_regression import Array

CORE: Term = frozenset()

Column = tuple[Term, int]  # a term, and the step from which on it counts: 0, or that of a change of it


@dataclass(frozen=True)
class Fit:
    """The columns that are in the regression, each with its coefficient."""

    columns: Sequence[Column]
    coefficients: Array

    @property
    def interactions(self) -> tuple[Term, ...]:
        """Terms of several literals that have a column from the beginning."""
        return tuple(term for term, since in self.columns if since <= 0 and len(term) > 1)

    def predict(self, observed: Observed) -> Array:
        """What it makes of observations."""
        return np.asarray(matrix_of(observed, self.columns) @ self.coefficients)

    def over_time(self) -> Mapping[Term, tuple[tuple[int, float], ...]]:
        """The influence of each term, from step to step, the core first."""
        added: dict[Term, dict[int, float]] = {CORE: {0: 0.0}}
        for (term, since), coefficient in zip(self.columns, self.coefficients, strict=True):
            phases = added.setdefault(term, {0: 0.0})
            phases[max(since, 0)] = phases.get(max(since, 0), 0.0) + float(coefficient)
        influences = {}
        for term in sorted(added, key=lambda term: (len(term), sorted(map(str, term)))):
            steps = sorted(added[term])
            heights = np.cumsum([added[term][step] for step in steps])
            influences[term] = tuple(zip(steps, heights.tolist(), strict=True))
        return influences


def matrix_of(observed: Observed, columns: Sequence[Column]) -> Array:
    """A row an observation: 1 where the term holds and the step is reached, else 0."""
    since = np.array([step for _, step in columns])
    holding = observed.columns(term for term, _ in columns)
    return (holding & (observed.steps[:, np.newaxis] >= since)).astype(np.float64)
