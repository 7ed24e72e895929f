"""Which interactions of options the residual of a fit calls for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from sonde.core.options import Literal, Term
from sonde.methods.pinpointing.influences.observations import Observed
from sonde.methods.pinpointing.influences.scope import TermScope
from sonde.numerics.sparse_regression import Array

MOST = 60  # interactions that are looked at more closely, each time

LEAST_SHARE = 0.01  # of the observations, in which an interaction has to hold, and not to hold


def called_for(
    observed: Observed,
    residual: Array,
    literals: Sequence[Literal],
    wider: Sequence[Term],
    known: Collection[Term],
) -> tuple[Term, ...]:
    """Terms of several literals that would explain most of the residual, if each were alone.

    These are all pairs of literals, and those that have one literal more than a term of `wider`. Terms that
    are `known` are left out. The residual is relative to the values.
    """
    weighted = residual * observed.runs / observed.values
    singles = observed.columns(TermScope(frozenset([literal])) for literal in literals).astype(np.float64)
    bases = observed.columns(map(TermScope, wider)).astype(np.float64)
    parts = np.hstack([singles, bases])
    along = parts.T @ (singles * weighted[:, np.newaxis])
    squares = parts.T @ (singles * observed.weights[:, np.newaxis])
    times = parts.T @ singles
    scores = np.where(squares > 0, along**2 / np.where(squares > 0, squares, 1.0), 0.0)
    least = max(2.0, LEAST_SHARE * len(observed))
    scores[(times < least) | (times == np.diag(times)[np.newaxis, :])] = 0.0
    scores[: len(literals)] = np.triu(scores[: len(literals)], 1)
    terms: dict[Term, None] = {}
    for at in np.argsort(-scores, axis=None, kind="stable"):
        row, column = divmod(int(at), len(literals))
        if len(terms) == MOST or not scores[row, column] > 0:
            break
        base: Term = frozenset([literals[row]]) if row < len(literals) else wider[row - len(literals)]
        term = base | {literals[column]}
        if len(term) == len(base) + 1 and term not in known:
            terms[term] = None
    return tuple(terms)
