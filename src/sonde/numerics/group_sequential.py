"""How to look several times at growing evidence and keep the error of a single look.

Error is spent over the looks (K. K. G. Lan, D. L. DeMets: Discrete Sequential Boundaries for Clinical Trials.
1983), and the boundaries follow by the recursive integration of P. Armitage, C. K. McPherson and B. C. Rowe
(Repeated Significance Tests on Accumulating Data. 1969). The statistic of a look at share t of the whole
information is that of Brownian motion at t; a test with another distribution uses the level of the look
instead of its boundary (C. Jennison, B. W. Turnbull: Group Sequential Methods. 2000, section 3.8 and 11.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, log, sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEAST_NODES = 48  # of an integral over the values that no look has stopped at
NODES_A_DEVIATION = 6  # of the step from one look to the next
LEAST_ERROR, HIGHEST_BOUNDARY = (
    1e-14,
    8.0,
)  # smaller errors drown in rounding, and nothing is rejected for them


def boundaries(shares: Sequence[float], spent: Sequence[float]) -> tuple[float, ...]:
    """How far from zero the standardised statistic must be at each look, on either side.

    `shares` of the whole information, rising, and the error that is spent up to each, rising as well.
    """
    if any(later <= earlier for earlier, later in pairwise((0.0, *shares))):
        raise ValueError(f"looks must come one after the other, not at {shares}")
    state = _Passing.begun()
    found: list[float] = []
    before = 0.0
    for share, error in zip(shares, spent, strict=True):
        boundary = state.boundary(share, error - before)
        state = state.after(share, boundary)
        found.append(boundary)
        before = error
    return tuple(found)


def levels(shares: Sequence[float], spent: Sequence[float]) -> tuple[float, ...]:
    """The two-sided level of the test at each look that keeps to the error spent."""
    from scipy.special import ndtr

    return tuple(float(2 * ndtr(-boundary)) for boundary in boundaries(shares, spent))


def errors(shares: Sequence[float], limits: Sequence[float]) -> tuple[float, ...]:
    """The error that given boundaries spend up to each look."""
    state, total = _Passing.begun(), 0.0
    found: list[float] = []
    for share, limit in zip(shares, limits, strict=True):
        total += state.outside(share, limit)
        state = state.after(share, limit)
        found.append(total)
    return tuple(found)


def power_spending(shares: Sequence[float], error: float, power: float) -> tuple[float, ...]:
    """Error times share to a power: 1 spends evenly, more keeps it for the end."""
    return tuple(error * min(share, 1.0) ** power for share in shares)


class _Passing:
    """The density of the statistic, times the root of its share, where no look has stopped it yet."""

    def __init__(self, share: float, nodes: Array, masses: Array) -> None:
        self._share = share
        self._nodes = nodes
        self._masses = masses  # density times weight of the quadrature

    @classmethod
    def begun(cls) -> _Passing:
        """Nothing is known: all of it lies at zero."""
        return cls(0.0, np.zeros(1), np.ones(1))

    def outside(self, share: float, boundary: float) -> float:
        """How likely it is to pass the earlier looks and to be beyond the boundary at this one."""
        from scipy.special import ndtr

        step, limit = sqrt(share - self._share), boundary * sqrt(share)
        beyond = ndtr((self._nodes - limit) / step) + ndtr((-self._nodes - limit) / step)
        return float(self._masses @ beyond)

    def boundary(self, share: float, error: float) -> float:
        """The one that is crossed with this probability; none can be crossed for no error."""
        from scipy.optimize import brentq

        if error <= LEAST_ERROR:
            return HIGHEST_BOUNDARY
        if error >= self.outside(share, 0.0):
            return 0.0
        highest = 1.0
        while self.outside(share, highest) > error:
            highest *= 1.5
        found = brentq(lambda z: log(self.outside(share, z) / error), 0.0, highest, xtol=1e-7)
        return float(found)

    def after(self, share: float, boundary: float) -> _Passing:
        """What passes this look."""
        step, limit = sqrt(share - self._share), boundary * sqrt(share)
        count = max(LEAST_NODES, 16 * ceil(NODES_A_DEVIATION * min(limit / step, 40.0) / 8))
        nodes, weights = _quadrature(count)
        nodes, weights = nodes * limit, weights * limit
        distances = (nodes[:, None] - self._nodes[None, :]) / step
        density = np.exp(-distances * distances / 2) @ self._masses / (step * sqrt(2 * np.pi))
        return _Passing(share, nodes, density * weights)


@lru_cache(maxsize=64)
def _quadrature(count: int) -> tuple[Array, Array]:
    """Nodes and weights of Gauss and Legendre between -1 and 1."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return nodes, weights


class Spending:
    """The levels of all looks for any error, and the other way around: the error for which a look rejects.

    Errors between the knots are found on a straight line between logarithms.
    """

    def __init__(self, shares: Sequence[float], power: float, exact: Sequence[float] = ()) -> None:
        """`exact`: errors that are no approximation."""
        knots = sorted({*np.geomspace(1e-9, 0.1, 17).tolist(), 0.2, 0.4, 0.7, *exact})
        self._errors = np.array(knots)
        self._levels = np.array([levels(shares, power_spending(shares, knot, power)) for knot in knots])

    def level(self, look: int, error: float) -> float:
        """Of the test at a look, counted from 0, for an error over all looks."""
        return float(np.exp(np.interp(np.log(error), np.log(self._errors), self._log_levels(look))))

    def error(self, look: int, probability: float) -> float:
        """The smallest error over all looks with which a test of this probability rejects at a look."""
        logs, ceiling = self._log_levels(look), float(self._levels[-1, look])
        if probability > ceiling:
            return 1.0
        if probability <= 0:
            return 0.0
        least = float(self._levels[0, look])
        if probability < least:  # levels are as good as proportional there
            return probability / least * float(self._errors[0])
        return float(np.exp(np.interp(np.log(probability), logs, np.log(self._errors))))

    def _log_levels(self, look: int) -> Array:
        logs: Array = np.log(np.maximum(self._levels[:, look], 1e-300))
        return logs
