"""The columns of the regression: terms, and changes of terms, which may have exceptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sonde.core.options import Term
from sonde.methods.pinpointing.influences.observations import Observed
from sonde.methods.pinpointing.influences.scope import TermScope
from sonde.numerics.sparse_regression import Array

CORE = TermScope(frozenset())

Column = tuple[TermScope, int]  # where it counts, and the step from which on: 0, or that of a change


@dataclass(frozen=True)
class Fit:
    """The columns that are in the regression, each with its coefficient."""

    columns: Sequence[Column]
    coefficients: Array

    @property
    def interactions(self) -> tuple[Term, ...]:
        """Terms of several literals that have a column from the beginning."""
        return tuple(scope.term for scope, since in self.columns if since <= 0 and len(scope.term) > 1)

    def predict(self, observed: Observed) -> Array:
        """What it makes of observations."""
        return np.asarray(matrix_of(observed, self.columns) @ self.coefficients)

    def over_time(self) -> Mapping[TermScope, tuple[tuple[int, float], ...]]:
        """The influence of each term, from step to step, the core first.

        A change with exceptions is not one of its term: it has an influence of its own, which is 0 before.
        """
        added: dict[TermScope, dict[int, float]] = {CORE: {0: 0.0}}
        for (scope, since), coefficient in zip(self.columns, self.coefficients, strict=True):
            phases = added.setdefault(scope, {0: 0.0})
            phases[max(since, 0)] = phases.get(max(since, 0), 0.0) + float(coefficient)
        influences = {}
        for scope in sorted(added, key=_order):
            steps = sorted(added[scope])
            heights = np.cumsum([added[scope][step] for step in steps])
            influences[scope] = tuple(zip(steps, heights.tolist(), strict=True))
        return influences


def matrix_of(observed: Observed, columns: Sequence[Column]) -> Array:
    """A row an observation: 1 in configurations where it counts, once the step is reached; else 0."""
    since = np.array([step for _, step in columns])
    holding = observed.columns(scope for scope, _ in columns)
    return (holding & (observed.steps[:, np.newaxis] >= since)).astype(np.float64)


def _order(scope: TermScope) -> tuple[int, list[str], list[str]]:
    return len(scope.term), sorted(map(str, scope.term)), sorted(map(str, scope.unless))
