"""The terms that explain one step of all configurations, from a release to the next.

Steps are regressed on the core, literals and pairs of them, of which few are chosen by an extended BIC: on
log steps, where a term multiplies performance, or on differences, where it adds to it. Terms without which
the step is explained nearly as well are dropped, and those that a simpler one can stand for are replaced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from sonde.core.options import Term
from sonde.numerics.sparse_regression import Array, extended_bic_price, select_columns
from studies.pinpoint.extents import Bits, Extents

MULTIPLIED, ADDED = "multiplied", "added"
WORTH = 0.01  # of a step's squares, which the residual has to grow by without a term, or with a simpler one
LEAST_CONFIGURATIONS = 3  # by which a pair has to differ from each of its literals: fewer may be outliers
FAST = 0.1  # of the configurations in which a term holds: an effect that adds is told at these
MOST_TERMS = 40  # of a step


@dataclass(frozen=True)
class Explained:
    """The terms of a step, by their number among those of all extents."""

    scale: str
    chosen: tuple[int, ...]
    effects: Array  # log ratios
    cost: float  # by the extended BIC
    residual: float  # root mean square, of log values


def explain_step(
    scale: str, before: Array, after: Array, holding: Bits, extents: Extents, noise: float
) -> Explained:
    """The terms that are worth it, if effects are multiplied or added."""
    allowed = [at for at, term in enumerate(extents.terms) if _is_firm(extents, term, holding[:, at])]
    scales = np.ones(len(before)) if scale == MULTIPLIED else np.sqrt(before * after)
    if scale == MULTIPLIED:
        columns, response = holding[:, allowed].astype(np.float64), np.log(after / before)
    else:
        # A coefficient is relative to a fast configuration, and rows are relative to before and after alike.
        unit = np.array([np.quantile(before[holding[:, at]], FAST) for at in allowed])
        columns, response = holding[:, allowed] * unit / scales[:, np.newaxis], (after - before) / scales
    price = extended_bic_price(len(response), len(allowed))
    size = float(np.sqrt(np.mean(response**2)))
    selection = select_columns(columns, response, noise=noise / size, most=MOST_TERMS)
    terms = [extents.terms[at] for at in allowed]
    chosen = _simplified(columns, response, terms, _worthy(columns, response, list(selection.chosen)))
    coefficients, _ = _fitted(columns, response, chosen)
    if scale == MULTIPLIED:
        left, effects = response - columns[:, chosen] @ coefficients, coefficients
    else:
        predicted = np.maximum(before + columns[:, chosen] @ coefficients * scales, 0.01 * before)
        left, effects = np.log(after / predicted), np.log(np.maximum(1 + coefficients, 0.01))
    squares = float(np.mean(left**2))
    cost = len(left) * log(squares + noise**2) + price * len(chosen)
    return Explained(scale, tuple(int(allowed[at]) for at in chosen), effects, cost, squares**0.5)


def _is_firm(extents: Extents, term: Term, bits: Bits) -> bool:
    if len(term) < 2:
        return bool(bits.any())
    apart = [int(extents.of(term - {literal}).sum() - bits.sum()) for literal in term]
    return min(int(bits.sum()), *apart) >= LEAST_CONFIGURATIONS


def _worthy(columns: Array, response: Array, chosen: list[int]) -> list[int]:
    """Without those that the step is explained without."""
    while chosen:
        _, squares = _fitted(columns, response, chosen)
        without = [[each for each in chosen if each != column] for column in chosen]
        losses = [_fitted(columns, response, others)[1] - squares for others in without]
        least = int(np.argmin(losses))
        if losses[least] >= WORTH * float(response @ response):
            break
        chosen = without[least]
    return chosen


def _simplified(columns: Array, response: Array, terms: Sequence[Term], chosen: list[int]) -> list[int]:
    """With a term of fewer literals, or fewer that are off, wherever that explains nearly as much."""
    for column in list(chosen):
        _, squares = _fitted(columns, response, chosen)
        best = (squares + WORTH * float(response @ response), chosen)
        for simpler, term in enumerate(terms):
            if simpler not in chosen and _is_simpler(term, terms[column]):
                others = [simpler if each == column else each for each in chosen]
                best = min(best, (_fitted(columns, response, others)[1], others))
        chosen = best[1]
    return chosen


def _is_simpler(term: Term, than: Term) -> bool:
    if term < than:
        return True
    are_same = {literal.option for literal in term} == {literal.option for literal in than}
    return are_same and _off(term) < _off(than)


def _off(term: Term) -> int:
    return sum(not literal.value for literal in term)


def _fitted(columns: Array, response: Array, chosen: Sequence[int]) -> tuple[Array, float]:
    part = columns[:, list(chosen)]
    coefficients = np.linalg.lstsq(part, response, rcond=None)[0]
    left = response - part @ coefficients
    return np.asarray(coefficients, dtype=np.float64), float(left @ left)
