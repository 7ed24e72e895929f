"""Two ways to fit influences to what was measured.

The regression has a column for each term, which is 1 where it holds, and one for each known change of a
term, which is 1 where it holds, and no exception does, from that step on: its coefficient is what the
change added. The core and the changes are always in it. Rows are divided by the values, for noise is a part
of them: relative errors are made small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, log

import numpy as np

from sonde.core.options import Literal, Term
from sonde.methods.pinpointing.influences.columns import CORE, Column, Fit, matrix_of
from sonde.methods.pinpointing.influences.interactions import called_for
from sonde.methods.pinpointing.influences.observations import Observed
from sonde.methods.pinpointing.influences.ridge import ridge_of
from sonde.methods.pinpointing.influences.scope import TermScope
from sonde.numerics.sparse_regression import Array, select_columns

ROUNDS = 3  # of looking for interactions


@dataclass(frozen=True)
class FitBasis:
    """What a fit can build on beside the observations."""

    literals: tuple[Literal, ...]
    changes: tuple[Column, ...]
    noise: float  # relative deviation of a run, 0 if unknown

    @cached_property
    def told(self) -> tuple[Term, ...]:
        """The terms of one literal, and those that changed."""
        singles: list[Term] = [frozenset([literal]) for literal in self.literals]
        # Terms with `!X` or a default hold where other terms say as much.
        terms = [scope.term for scope, _ in self.changes]
        changed = [term for term in terms if term and term <= frozenset(self.literals)]
        return tuple(dict.fromkeys([*singles, *changed]))


Way = Callable[[Observed, FitBasis], Fit]


def fit_few(observed: Observed, known: FitBasis) -> Fit:
    """Literals and interactions as far as they pay: where few options matter, this tells which."""
    return _with_interactions(observed, known, (), np.zeros(0))


def fit_all_literals(observed: Observed, known: FitBasis) -> Fit:
    """Every literal, drawn towards 0 as far as that helps, and interactions as far as they pay."""
    always = [(TermScope(term), 0) for term in known.told]
    columns = [(CORE, 0), *known.changes, *always]
    is_drawn = np.array([float(since == 0 and scope != CORE) for scope, since in columns])
    ridge = ridge_of(observed, matrix_of(observed, columns), is_drawn)
    return _with_interactions(observed, known, always, ridge)


def _with_interactions(observed: Observed, known: FitBasis, always: Sequence[Column], ridge: Array) -> Fit:
    fit, residual = _select(observed, known, always, ridge, ())
    looked_at = set(known.told)
    for _ in range(ROUNDS):
        chosen = [term for term in fit.interactions if term not in known.told]
        more = called_for(observed, residual, known.literals, fit.interactions, looked_at)
        if not more:
            break
        looked_at.update(more)
        again, residual = _select(observed, known, always, ridge, [*chosen, *more])
        is_settled = set(again.columns) == set(fit.columns)
        fit = again
        if is_settled:
            break
    return fit


def _select(
    observed: Observed, known: FitBasis, always: Sequence[Column], ridge: Array, tried: Sequence[Term]
) -> tuple[Fit, Array]:
    """The fit, and its residual relative to the values."""
    told = frozenset(known.told)
    forced = [(CORE, 0), *known.changes, *always]
    free = dict.fromkeys((TermScope(term), 0) for term in (*known.told, *tried))
    columns = [*forced, *(column for column in free if column not in always)]
    matrix = matrix_of(observed, columns)
    selection = select_columns(
        matrix,
        observed.values,
        observed.weights,
        prices=[_price(scope.term, told, observed, known) for scope, _ in columns],
        noise=known.noise / float(np.sqrt(observed.runs.mean())),
        forced=range(len(forced)),
        independent=len(observed.distinct) + len(known.changes),
        ridge=np.append(ridge, np.zeros(len(columns) - len(ridge))) if len(ridge) else None,
    )
    fit = Fit([columns[at] for at in selection.chosen], selection.coefficients)
    predicted = matrix[:, list(selection.chosen)] @ selection.coefficients
    return fit, 1.0 - predicted / observed.values


def _price(term: Term, told: frozenset[Term], observed: Observed, known: FitBasis) -> float:
    """That of the BIC for what was told, of the extended BIC for interactions, among all of their size."""
    literals = len(known.literals)
    among = comb(literals, len(term)) if len(term) > 1 and term not in told else 1
    return log(max(len(observed), 2)) + 2 * log(max(among, 1))
